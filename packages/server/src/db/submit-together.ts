import { isUnavailable } from '../errors.ts'
import type { Database } from './connect.ts'
import { callSubmit, type SubmitArguments, type SubmitRow } from './submit.ts'

// Submits that arrive while others are on their way go to the database together.
//
// A commit waits for the disk, whether it carries one job or fifty. So at most two calls are under
// way; what arrives meanwhile waits for one of them and then goes in one transaction. A submit that
// finds the database idle goes at once, alone. Without this, submits of one account would follow each
// other at the pace of the disk: each holds the account's row until its commit.
// Orders that the set statement leaves out (refusals, replays, the first of a month) go singly.

const callsAtOnce = 2
const mostPerCall = 100

export type SubmitOrder = Omit<SubmitArguments, 'freePerMonth' | 'uploadSeconds'>

interface Waiting {
  order: SubmitArguments
  answer: PromiseWithResolvers<SubmitRow>
}

export function createSubmitCalls(
  database: Database,
  terms: Pick<SubmitArguments, 'freePerMonth' | 'uploadSeconds'>,
): (order: SubmitOrder) => Promise<SubmitRow> {
  let waiting: Waiting[] = []
  let calls = 0

  const sendNext = () => {
    if (calls >= callsAtOnce || waiting.length === 0) return
    const batch = waiting.slice(0, mostPerCall)
    waiting = waiting.slice(mostPerCall)
    calls += 1
    void send(database, batch).finally(() => {
      calls -= 1
      sendNext()
    })
  }

  return (order) => {
    const answer = Promise.withResolvers<SubmitRow>()
    waiting.push({ order: { ...order, ...terms }, answer })
    // What was read from the sockets in this round of the event loop goes along.
    setImmediate(sendNext)
    return answer.promise
  }
}

async function send(database: Database, batch: readonly Waiting[]): Promise<void> {
  const single = batch.length === 1 ? batch : await sendTogether(database, batch)
  await Promise.all(
    single.map(({ order, answer }) => callSubmit(database, order).then(answer.resolve, answer.reject)),
  )
}

/** Gives the orders that are still to be sent singly. */
async function sendTogether(database: Database, batch: readonly Waiting[]): Promise<readonly Waiting[]> {
  const seen = new Set<string>()
  const isOrdinary = ({ order: { idempotencyKey, refusal } }: Waiting) => {
    if (refusal !== null) return false
    if (idempotencyKey === null) return true
    if (seen.has(idempotencyKey)) return false
    seen.add(idempotencyKey)
    return true
  }
  const together = batch.filter(isOrdinary)
  try {
    const rows = await submitTogether(
      database,
      together.map(({ order }) => order),
    )
    const answered = new Set<Waiting>()
    for (const row of rows) {
      const one = together[row.place - 1] as Waiting
      one.answer.resolve(row)
      answered.add(one)
    }
    return batch.filter((one) => !answered.has(one))
  } catch (error) {
    if (!isUnavailable(error)) return batch
    for (const { answer } of batch) answer.reject(error)
    return []
  }
}

const submitTogether = (database: Database, orders: readonly SubmitArguments[]) =>
  database.prepared<SubmitRow & { place: number }>(
    'submit-conversions',
    'select * from submit_conversions($1, $2, $3, $4, $5, $6, $7, $8)',
    [
      orders.map(({ keyHash }) => keyHash),
      orders.map(({ pair }) => pair),
      orders.map(({ lane }) => lane),
      orders.map(({ bytes }) => bytes),
      orders.map(({ cost }) => cost),
      orders.map(({ idempotencyKey }) => idempotencyKey),
      orders[0]?.freePerMonth,
      orders[0]?.uploadSeconds,
    ],
  )
