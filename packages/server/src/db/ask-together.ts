import { isUnavailable } from '../errors.ts'

// Questions that arrive while others are on their way go to the database together.
//
// A round trip costs the same whether it carries one question or fifty, and so does a commit, which waits for the
// disk. So at most two calls are under way; what arrives meanwhile waits for one of them and then goes in one call. A
// question that finds the database idle goes at once, alone.
// When the database is away, those that wait are told so with those that asked: each would only wait once more.

const callsAtOnce = 2
const mostPerCall = 100

interface Waiting<Question, Answer> {
  question: Question
  answer: PromiseWithResolvers<Answer>
}

/**
 * `ask` gives one answer for each question, in their order. Of several questions with the same `keyOf`, one goes; the
 * others follow in later calls, and find what it did.
 */
export function askTogether<Question, Answer>(
  ask: (questions: Question[]) => Promise<Answer[]>,
  keyOf: (question: Question) => string | null = () => null,
): (question: Question) => Promise<Answer> {
  type Asked = Waiting<Question, Answer>
  let waiting: Asked[] = []
  let calls = 0

  const takeBatch = (): Asked[] => {
    const keys = new Set<string>()
    const batch: Asked[] = []
    const rest: Asked[] = []
    for (const one of waiting) {
      const key = keyOf(one.question)
      const goes = batch.length < mostPerCall && (key === null || !keys.has(key))
      if (key !== null) keys.add(key)
      ;(goes ? batch : rest).push(one)
    }
    waiting = rest
    return batch
  }

  const send = async (batch: readonly Asked[]): Promise<void> => {
    try {
      const answers = await ask(batch.map(({ question }) => question))
      for (const [index, { answer }] of batch.entries()) answer.resolve(answers[index] as Answer)
    } catch (error) {
      if (isUnavailable(error)) {
        for (const { answer } of [...batch, ...waiting.splice(0)]) answer.reject(error)
      } else if (batch.length === 1) batch[0]?.answer.reject(error)
      // One of them fails the call. Alone, each gets its own answer.
      else for (const one of batch) await send([one])
    }
  }

  const sendNext = () => {
    if (calls >= callsAtOnce || waiting.length === 0) return
    calls += 1
    void send(takeBatch()).finally(() => {
      calls -= 1
      sendNext()
    })
  }

  return (question) => {
    const answer = Promise.withResolvers<Answer>()
    waiting.push({ question, answer })
    // What was read from the sockets in this round of the event loop goes along.
    setImmediate(sendNext)
    return answer.promise
  }
}
