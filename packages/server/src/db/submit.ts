import { isUnavailable } from '../errors.ts'
import type { Database } from './connect.ts'

// Submits that arrive while others are on their way go to the database together.
//
// A commit waits for the disk, whether it carries one job or fifty. So at most two calls are under
// way; what arrives meanwhile waits for one of them and then goes in one transaction. A submit that
// finds the database idle goes at once, alone. Without this, submits of one account would follow each
// other at the pace of the disk: each holds the account's month until its commit.
// What becomes of an order is decided by submit_conversions (db/migrations/0001), for one as for many.

export interface SubmitOrder {
  keyHash: Buffer
  pair: string
  lane: string
  bytes: number
  cost: number
  idempotencyKey: string | null
  options?: Readonly<Record<string, unknown>> | null | undefined
  /** Options that nobody may see, encrypted. */
  secrets?: string | null | undefined
  /** Why a new job is refused; an earlier one is replayed all the same. */
  refusal: SubmitRefusal | null
  /** The trace that the job's later steps belong to. */
  traceParent: string | null
}

export type SubmitRefusal = 'rate-limited' | 'account-busy' | 'account-failing' | 'queue-full'

export interface SubmitTerms {
  freePerMonth: number
  uploadSeconds: number
}

export type Submitted =
  | { outcome: 'created' | 'replay'; jobId: string; uploadExpiresAt: Date }
  | { outcome: 'unknown-key' | 'mismatch' | 'no-credits' | SubmitRefusal }

interface SubmitRow {
  outcome: Submitted['outcome']
  jobId: string | null
  uploadExpiresAt: Date | null
}

interface Waiting {
  order: SubmitOrder
  answer: PromiseWithResolvers<Submitted>
}

const callsAtOnce = 2
const mostPerCall = 100

export function createSubmitCalls(
  database: Database,
  terms: SubmitTerms,
): (order: SubmitOrder) => Promise<Submitted> {
  let waiting: Waiting[] = []
  let calls = 0

  const sendNext = () => {
    if (calls >= callsAtOnce || waiting.length === 0) return
    const { batch, rest } = nextBatch(waiting)
    waiting = rest
    calls += 1
    void send(database, batch, terms).finally(() => {
      calls -= 1
      sendNext()
    })
  }

  return (order) => {
    const answer = Promise.withResolvers<Submitted>()
    waiting.push({ order, answer })
    // What was read from the sockets in this round of the event loop goes along.
    setImmediate(sendNext)
    return answer.promise
  }
}

/** Of several with one idempotency key, the first goes; the others find its job in a later call. */
function nextBatch(waiting: readonly Waiting[]): { batch: Waiting[]; rest: Waiting[] } {
  const keys = new Set<string>()
  const batch: Waiting[] = []
  const rest: Waiting[] = []
  for (const one of waiting) {
    const key = one.order.idempotencyKey
    const goes = batch.length < mostPerCall && (key === null || !keys.has(key))
    if (key !== null) keys.add(key)
    ;(goes ? batch : rest).push(one)
  }
  return { batch, rest }
}

async function send(database: Database, batch: readonly Waiting[], terms: SubmitTerms): Promise<void> {
  const orders = batch.map(({ order }) => order)
  try {
    const rows = await submitTogether(database, orders, terms)
    for (const [index, { answer }] of batch.entries()) answer.resolve(rows[index] as Submitted)
  } catch (error) {
    if (batch.length === 1 || isUnavailable(error)) for (const { answer } of batch) answer.reject(error)
    // One of them fails the call. Alone, each gets its own answer.
    else for (const one of batch) await send(database, [one], terms)
  }
}

const uniqueViolation = '23505'
const checkViolation = '23514'
const deadlockDetected = '40P01'

/** One answer for each order, in their order. */
export async function submitTogether(
  database: Database,
  orders: readonly SubmitOrder[],
  { freePerMonth, uploadSeconds }: SubmitTerms,
): Promise<Submitted[]> {
  const sent = orders.map(({ keyHash, ...order }) => ({ ...order, keyHash: keyHash.toString('hex') }))
  const call = async (): Promise<Submitted[]> => {
    const rows = await database.prepared<SubmitRow>(
      'submit-conversions',
      'select outcome, "jobId", "uploadExpiresAt" from submit_conversions($1, $2, $3) order by place',
      [JSON.stringify(sent), freePerMonth, uploadSeconds],
    )
    return rows.map((row) => (row.jobId === null ? { outcome: row.outcome } : row) as Submitted)
  }
  try {
    return await call()
  } catch (error) {
    const { code } = error as { code?: string }
    // Everything was undone. What was in the way has gone by now: another submit with the same idempotency key,
    // whose job is found, or whoever had taken locks in another order.
    if (code === uniqueViolation || code === deadlockDetected) return call()
    // The credits were taken away between the look and the charge.
    if (code === checkViolation && orders.length === 1) return [{ outcome: 'no-credits' }]
    throw error
  }
}
