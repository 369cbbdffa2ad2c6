import { expect, test } from 'vitest'
import { batchCalls } from './batching.ts'
import { databaseUnavailable } from './connection-errors.ts'

/** Records each call; the test resolves it. */
function recorder() {
  const calls: { asked: number[]; answer: PromiseWithResolvers<number[]> }[] = []
  const ask = (asked: number[]) => {
    const answer = Promise.withResolvers<number[]>()
    calls.push({ asked, answer })
    return answer.promise
  }
  const doubled = (at: number) => calls[at]?.answer.resolve(calls[at].asked.map((n) => 2 * n))
  return { calls, ask, doubled }
}

const round = () => new Promise((resolve) => setImmediate(resolve))
const range = (from: number, to: number) => Array.from({ length: to - from }, (_, n) => from + n)

test('at most two calls run at a time; requests that arrive meanwhile are batched, up to a hundred', async () => {
  const { calls, ask, doubled } = recorder()
  const question = batchCalls(ask)
  const first = question(1)
  await round()
  const second = question(2)
  await round()
  const rest = Promise.all(range(3, 160).map(question))
  await round()
  expect(calls.map(({ asked }) => asked)).toEqual([[1], [2]])
  doubled(0)
  expect(await first).toBe(2)
  await round()
  expect(calls[2]?.asked).toEqual(range(3, 103))
  doubled(1)
  expect(await second).toBe(4)
  await round()
  expect(calls[3]?.asked).toEqual(range(103, 160))
  doubled(3)
  doubled(2)
  expect(await rest).toEqual(range(3, 160).map((n) => 2 * n))
})

test('those with the same key go one after the other, the others with the first of them', async () => {
  const { calls, ask, doubled } = recorder()
  const question = batchCalls(ask, (n) => (n % 2 === 0 ? 'even' : null))
  const answers = Promise.all([1, 2, 3, 4, 6].map(question))
  await round()
  await round()
  expect(calls.map(({ asked }) => asked)).toEqual([[1, 2, 3], [4]])
  doubled(0)
  await round()
  doubled(1)
  await round()
  doubled(2)
  expect(await answers).toEqual([2, 4, 6, 8, 12])
})

test('a question that cannot be answered fails alone', async () => {
  const question = batchCalls((asked: number[]) =>
    asked.includes(2) ? Promise.reject(new Error('two')) : Promise.resolve(asked),
  )
  const answers = await Promise.allSettled([1, 2, 3].map(question))
  expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
})

test('when the database is away, waiting calls fail with the running ones, and the next one queries again', async () => {
  const { calls, ask, doubled } = recorder()
  const question = batchCalls(ask)
  const early = [question(1)]
  await round()
  early.push(question(2))
  await round()
  const late = [3, 4].map(question)
  await round()
  const all = Promise.allSettled([early[0], ...late])
  calls[0]?.answer.reject(databaseUnavailable(new Error('gone')))
  expect((await all).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
  doubled(1)
  expect(await early[1]).toBe(4)
  const next = question(5)
  await round()
  doubled(2)
  expect(await next).toBe(10)
})
