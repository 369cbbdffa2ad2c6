import { availableParallelism } from 'node:os'

// Pauses long-running sandboxes (SIGSTOP) while short ones run, if there are fewer cores than sandboxes plus the service.
// A short conversion then has a core to itself, which lower priorities alone (lower-priority.ts) do not achieve: they
// leave the slow process a share of the CPU, and as much memory as it asks for.
//
// The sandbox with the most CPU time is paused first, and no more are paused than necessary. A pause lasts at most three
// seconds, and no longer than the sandbox ran before, so that it keeps at least half of its time. Its wall clock limit
// does not count pauses; the fork server of LibreOffice has its own timer, whose limit leaves room for them.

const longRunningCpuSeconds = 0.5
/** A sandbox that has used little CPU time for longer than this is idle, and no others are paused for it. */
const maxShortMilliseconds = 3000
const maxCreditMilliseconds = 3000
const minCreditMilliseconds = 200
const tickMilliseconds = 25

/** A running sandbox; watch-limits.ts keeps the processes and the CPU time up to date. */
export interface ScheduledSandbox {
  processes: readonly number[]
  cpuSeconds: number
  /** Total time in pauses. Updated by the scheduler. */
  pausedMilliseconds: number
}

interface Entry {
  sandbox: ScheduledSandbox
  startedAt: number
  /** How long it may be paused, as of `updatedAt`. */
  creditMilliseconds: number
  updatedAt: number
  /** The processes that were stopped; empty while it runs. */
  stopped: readonly number[]
}

export type SendSignal = (pid: number, signal: 'SIGSTOP' | 'SIGCONT') => void

export interface PauseScheduler {
  /** Returns a function that removes the sandbox. */
  add(sandbox: ScheduledSandbox): () => void
  /** Number of running sandboxes. */
  count(): number
}

export function createPauseScheduler(
  send: SendSignal = sendSignal,
  cores = availableParallelism(),
): PauseScheduler {
  const entries = new Set<Entry>()
  let timer: NodeJS.Timeout | undefined
  // One core is for the service itself, which every conversion needs.
  const coresForSandboxes = cores - 1

  const resume = (entry: Entry) => {
    for (const pid of entry.stopped) send(pid, 'SIGCONT')
    entry.stopped = []
  }
  const tick = () => {
    const now = performance.now()
    const isShort = ({ sandbox, startedAt }: Entry) =>
      sandbox.cpuSeconds < longRunningCpuSeconds && now - startedAt < maxShortMilliseconds
    const all = [...entries]
    const short = all.filter(isShort).length
    const longRunning = all
      .filter(({ sandbox }) => sandbox.cpuSeconds >= longRunningCpuSeconds)
      .sort((a, b) => b.sandbox.cpuSeconds - a.sandbox.cpuSeconds)
    const excess =
      short === 0 ? 0 : Math.min(longRunning.length, short + longRunning.length - coresForSandboxes)
    let paused = 0
    for (const entry of longRunning) {
      const isPaused = entry.stopped.length > 0
      const elapsed = now - entry.updatedAt
      entry.updatedAt = now
      if (isPaused) entry.sandbox.pausedMilliseconds += elapsed
      entry.creditMilliseconds = Math.min(
        maxCreditMilliseconds,
        entry.creditMilliseconds + (isPaused ? -elapsed : elapsed),
      )
      const mayPause = paused < excess && entry.creditMilliseconds > (isPaused ? 0 : minCreditMilliseconds)
      if (mayPause) paused += 1
      if (mayPause === isPaused) continue
      if (!mayPause) resume(entry)
      else {
        entry.stopped = entry.sandbox.processes
        for (const pid of entry.stopped) send(pid, 'SIGSTOP')
      }
    }
    if (entries.size <= coresForSandboxes && paused === 0) {
      clearInterval(timer)
      timer = undefined
    }
  }

  return {
    add(sandbox) {
      const now = performance.now()
      const entry: Entry = { sandbox, startedAt: now, creditMilliseconds: 0, updatedAt: now, stopped: [] }
      entries.add(entry)
      if (entries.size > coresForSandboxes && !timer) {
        timer = setInterval(tick, tickMilliseconds)
        timer.unref()
      }
      if (timer) tick()
      return () => {
        resume(entry)
        entries.delete(entry)
        if (timer) tick()
      }
    },
    count: () => entries.size,
  }
}

function sendSignal(pid: number, signal: 'SIGSTOP' | 'SIGCONT'): void {
  try {
    process.kill(pid, signal)
  } catch {
    // The process has ended, or we may not signal it.
  }
}
