import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createTurns, type Send, type Worker } from './take-turns.ts'

let stopped: Set<number>
const send: Send = (pid, signal) => void (signal === 'SIGSTOP' ? stopped.add(pid) : stopped.delete(pid))
beforeEach(() => {
  stopped = new Set()
  vi.useFakeTimers()
})
afterEach(() => vi.useRealTimers())

let pids = 0
const taken = (seconds: number): Worker => ({ processes: [++pids, ++pids], seconds, pausedMilliseconds: 0 })
const pausing = (...workers: Worker[]) =>
  workers.map(({ processes }) => processes.every((pid) => stopped.has(pid)))

test('where there are enough cores nobody pauses', () => {
  const turns = createTurns(send, 4)
  for (const seconds of [20, 10, 0]) turns.begin(taken(seconds))
  vi.advanceTimersByTime(1000)
  expect(stopped.size).toBe(0)
})

test('as many as will do pause for small ones, whoever has taken most first, until those end', () => {
  const turns = createTurns(send, 3)
  const [most, less] = [taken(20), taken(10)]
  for (const worker of [less, most]) turns.begin(worker)
  vi.advanceTimersByTime(1000)
  const endFirst = turns.begin(taken(0))
  expect(pausing(most, less)).toEqual([true, false])
  const endSecond = turns.begin(taken(0.4))
  expect(pausing(most, less)).toEqual([true, true])
  endFirst()
  expect(pausing(most, less)).toEqual([true, false])
  endSecond()
  expect(stopped.size).toBe(0)
})

test('what works for long is not kept from it for more than half of the time', () => {
  const turns = createTurns(send, 2)
  const long = taken(20)
  turns.begin(long)
  vi.advanceTimersByTime(1000)
  let pauses = 0
  let longest = 0
  for (let [time, current] = [0, 0]; time < 60_000; time += 25) {
    // Small ones without end.
    if (time % 500 === 0) setTimeout(turns.begin(taken(0)), 500)
    vi.advanceTimersByTime(25)
    current = stopped.size > 0 ? current + 25 : 0
    longest = Math.max(longest, current)
    if (stopped.size > 0) pauses += 25
  }
  expect(pauses).toBeGreaterThan(20_000)
  expect(pauses).toBeLessThan(32_000)
  expect(longest).toBeLessThanOrEqual(3000)
  expect(Math.abs(long.pausedMilliseconds - pauses)).toBeLessThan(100)
})

test('what ends, or is ended, while it pauses goes on first', () => {
  const turns = createTurns(send, 2)
  const long = taken(5)
  const end = turns.begin(long)
  vi.advanceTimersByTime(1000)
  turns.begin(taken(0))
  expect(pausing(long)).toEqual([true])
  end()
  expect(stopped.size).toBe(0)
})

test('nobody pauses for what has become long, nor for what waits', () => {
  const turns = createTurns(send, 2)
  const [long, growing] = [taken(20), taken(0)]
  turns.begin(long)
  vi.advanceTimersByTime(1000)
  turns.begin(growing)
  expect(pausing(long)).toEqual([true])
  growing.seconds = 2
  vi.advanceTimersByTime(50)
  expect(stopped.size).toBe(0)
  turns.begin(taken(0.1))
  vi.advanceTimersByTime(5000)
  expect(stopped.size).toBe(0)
})
