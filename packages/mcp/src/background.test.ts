import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { begin, WorkList } from './background.ts'

const never = new AbortController().signal

test('work that ends in time is waited for', async () => {
  const work = begin(async () => 7)
  expect(await work.wait(1000, never)).toEqual({ ended: true, value: 7 })
})

test('work that takes longer goes on, and can be waited for again', async () => {
  const work = begin(async () => {
    await sleep(60)
    return 'late'
  })
  expect(await work.wait(5, never)).toEqual({ ended: false })
  expect(await work.wait(5000, never)).toEqual({ ended: true, value: 'late' })
})

test('work that fails without a waiting caller is reported to the next', async () => {
  const work = begin(() => Promise.reject(new Error('broken')))
  await sleep(5)
  await expect(work.wait(1000, never)).rejects.toThrow('broken')
})

test('who waits stops with the signal, and at once when hurried; the work itself only when cancelled', async () => {
  let stopped = false
  const work = begin(
    (signal) =>
      new Promise<void>((_, reject) =>
        signal.addEventListener('abort', () => {
          stopped = true
          reject(signal.reason)
        }),
      ),
  )
  await expect(work.wait(60_000, AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone')
  expect(await work.wait(60_000, never, AbortSignal.abort())).toEqual({ ended: false })
  const hurry = new AbortController()
  const waiting = work.wait(60_000, never, hurry.signal)
  hurry.abort()
  expect(await waiting).toEqual({ ended: false })
  expect(stopped).toBe(false)
  work.cancel()
  expect(stopped).toBe(true)
})

test('a list makes room by forgetting the oldest', () => {
  const list = new WorkList<number>(2)
  for (const [id, work] of [
    ['a', 1],
    ['b', 2],
    ['c', 3],
  ] as const)
    list.set(id, work)
  expect([list.get('a'), list.get('b'), list.get('c')]).toEqual([undefined, 2, 3])
})
