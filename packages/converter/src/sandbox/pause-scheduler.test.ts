import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createPauseScheduler, type ScheduledSandbox, type SendSignal } from './pause-scheduler.ts'

let stopped: Set<number>
const send: SendSignal = (pid, signal) => void (signal === 'SIGSTOP' ? stopped.add(pid) : stopped.delete(pid))
beforeEach(() => {
  stopped = new Set()
  vi.useFakeTimers()
})
afterEach(() => vi.useRealTimers())

let pids = 0
const sandboxWith = (cpuSeconds: number): ScheduledSandbox => ({
  processes: [++pids, ++pids],
  cpuSeconds,
  pausedMilliseconds: 0,
})
const arePaused = (...sandboxes: ScheduledSandbox[]) =>
  sandboxes.map(({ processes }) => processes.every((pid) => stopped.has(pid)))

test('pauses no sandbox where there are enough cores', () => {
  const scheduler = createPauseScheduler(send, 4)
  for (const cpuSeconds of [20, 10, 0]) scheduler.add(sandboxWith(cpuSeconds))
  vi.advanceTimersByTime(1000)
  expect(stopped.size).toBe(0)
})

test('pauses as few as necessary, the one with the most CPU time first, until the short ones end', () => {
  const scheduler = createPauseScheduler(send, 3)
  const [longest, long] = [sandboxWith(20), sandboxWith(10)]
  for (const sandbox of [long, longest]) scheduler.add(sandbox)
  vi.advanceTimersByTime(1000)
  const removeFirst = scheduler.add(sandboxWith(0))
  expect(arePaused(longest, long)).toEqual([true, false])
  const removeSecond = scheduler.add(sandboxWith(0.4))
  expect(arePaused(longest, long)).toEqual([true, true])
  removeFirst()
  expect(arePaused(longest, long)).toEqual([true, false])
  removeSecond()
  expect(stopped.size).toBe(0)
})

test('pauses a long-running sandbox for at most half of the time', () => {
  const scheduler = createPauseScheduler(send, 2)
  const long = sandboxWith(20)
  scheduler.add(long)
  vi.advanceTimersByTime(1000)
  let paused = 0
  let longest = 0
  for (let [time, current] = [0, 0]; time < 60_000; time += 25) {
    // An endless sequence of short ones.
    if (time % 500 === 0) setTimeout(scheduler.add(sandboxWith(0)), 500)
    vi.advanceTimersByTime(25)
    current = stopped.size > 0 ? current + 25 : 0
    longest = Math.max(longest, current)
    if (stopped.size > 0) paused += 25
  }
  expect(paused).toBeGreaterThan(20_000)
  expect(paused).toBeLessThan(32_000)
  expect(longest).toBeLessThanOrEqual(3000)
  expect(Math.abs(long.pausedMilliseconds - paused)).toBeLessThan(100)
})

test('resumes a paused sandbox when it is removed', () => {
  const scheduler = createPauseScheduler(send, 2)
  const long = sandboxWith(5)
  const remove = scheduler.add(long)
  vi.advanceTimersByTime(1000)
  scheduler.add(sandboxWith(0))
  expect(arePaused(long)).toEqual([true])
  remove()
  expect(stopped.size).toBe(0)
})

test('pauses no sandbox for one that has become long-running, nor for an idle one', () => {
  const scheduler = createPauseScheduler(send, 2)
  const [long, growing] = [sandboxWith(20), sandboxWith(0)]
  scheduler.add(long)
  vi.advanceTimersByTime(1000)
  scheduler.add(growing)
  expect(arePaused(long)).toEqual([true])
  growing.cpuSeconds = 2
  vi.advanceTimersByTime(50)
  expect(stopped.size).toBe(0)
  scheduler.add(sandboxWith(0.1))
  vi.advanceTimersByTime(5000)
  expect(stopped.size).toBe(0)
})
