import { at } from '../at.ts'
import { isUnavailable } from '../errors.ts'

// Batches calls to the database that arrive while others are running.
//
// A round trip costs the same for one query or fifty, and so does a commit, which waits for the disk. So at most two
// calls run at a time; what arrives meanwhile waits for one of them and is then sent in one call. A request that finds
// the database idle is sent at once, alone. When the connection is lost, waiting requests are rejected with those that
// were sent: each of them would only wait for the same error.

const maxCalls = 2
const maxBatch = 100

interface Waiting<Request, Result> {
  request: Request
  result: PromiseWithResolvers<Result>
}

/**
 * `call` returns one result for each request, in order. Of several requests with the same `keyOf`, one is sent; the
 * others follow in later calls, and see its effect.
 */
export function batchCalls<Request, Result>(
  call: (requests: Request[]) => Promise<Result[]>,
  keyOf: (request: Request) => string | null = () => null,
): (request: Request) => Promise<Result> {
  type Pending = Waiting<Request, Result>
  let waiting: Pending[] = []
  let running = 0

  const takeBatch = (): Pending[] => {
    const keys = new Set<string>()
    const batch: Pending[] = []
    const rest: Pending[] = []
    for (const one of waiting) {
      const key = keyOf(one.request)
      const goes = batch.length < maxBatch && (key === null || !keys.has(key))
      if (key !== null) keys.add(key)
      ;(goes ? batch : rest).push(one)
    }
    waiting = rest
    return batch
  }

  const send = async (batch: readonly Pending[]): Promise<void> => {
    try {
      const results = await call(batch.map(({ request }) => request))
      for (const [index, { result }] of batch.entries()) result.resolve(at(results, index))
    } catch (error) {
      if (isUnavailable(error)) {
        for (const { result } of [...batch, ...waiting.splice(0)]) result.reject(error)
      } else if (batch.length === 1) batch[0]?.result.reject(error)
      // One request makes the whole call fail. Sent separately, each gets its own result.
      else for (const one of batch) await send([one])
    }
  }

  const sendNext = () => {
    if (running >= maxCalls || waiting.length === 0) return
    running += 1
    void send(takeBatch()).finally(() => {
      running -= 1
      sendNext()
    })
  }

  return (request) => {
    const result = Promise.withResolvers<Result>()
    waiting.push({ request, result })
    // Requests that were read from the sockets in this iteration of the event loop join the batch.
    setImmediate(sendNext)
    return result.promise
  }
}
