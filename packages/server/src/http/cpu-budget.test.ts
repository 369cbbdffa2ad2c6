import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createCpuBudget } from './cpu-budget.ts'

beforeEach(() => vi.useFakeTimers({ toFake: ['performance'] }))
afterEach(() => vi.useRealTimers())

const { signal } = new AbortController()

test('refuses what is beyond the burst, until the time is earned again', () => {
  const budget = createCpuBudget(12)
  budget.charge('a', 1)
  budget.admit('a')
  budget.charge('a', 3)
  expect(() => budget.admit('a')).toThrow(
    expect.objectContaining({ code: 'rate-limited', headers: { 'retry-after': '5' } }),
  )
  budget.admit('b')
  vi.advanceTimersByTime(4000)
  expect(() => budget.admit('a')).toThrow()
  vi.advanceTimersByTime(1001)
  budget.admit('a')
})

test('idle time earns no more than a burst', () => {
  const budget = createCpuBudget(12)
  vi.advanceTimersByTime(3_600_000)
  budget.charge('a', 3.5)
  expect(() => budget.admit('a')).toThrow()
})

test('work of one owner runs one at a time; other owners do not wait', async () => {
  const budget = createCpuBudget(12)
  const order: string[] = []
  const first = Promise.withResolvers<void>()
  const all = [
    budget.run('a', signal, async () => {
      await first.promise
      order.push('a1')
      throw new Error('failed')
    }),
    budget.run('a', signal, async () => order.push('a2')),
    budget.run('b', signal, async () => order.push('b')),
  ]
  await all[2]
  first.resolve()
  await Promise.allSettled(all)
  expect(order).toEqual(['b', 'a1', 'a2'])
})

test('work waits for CPU time, and not after its caller is gone', async () => {
  const budget = createCpuBudget(12)
  budget.charge('a', 100)
  const gone = new AbortController()
  const waiting = budget.run('a', gone.signal, async () => 'done')
  gone.abort(new Error('gone'))
  await expect(waiting).rejects.toThrow('gone')
  budget.charge('a', -99)
  expect(await budget.run('a', signal, async () => 'done')).toBe('done')
})
