import { readdirSync, writeFileSync } from 'node:fs'
import { getPriority, setPriority } from 'node:os'

// The more CPU time a sandbox has used, the lower its priority: short conversions, which need less than a second, run
// before long ones and before files that are made to be slow. A sandbox gets slower only while others want the CPU, and
// it keeps a third of what each of them gets, because a long job has a deadline too.
//
// Every user may lower the priority of their own processes. The kernel stores it per thread, and new threads inherit it.
// Where the kernel shares the CPU between sessions first (sched_autogroup, which most distributions enable), a thread's
// priority counts only within its session, and the session has its own nice value.

const incrementPerSecond = 5
const maxIncrement = 5

/** The increment of the nice value for a sandbox that has used this much CPU time, from 0 to 5. */
export const niceIncrement = (cpuSeconds: number): number =>
  Math.min(maxIncrement, Math.floor(cpuSeconds * incrementPerSecond))

/** Ignores a process that has ended or belongs to another user now; the next check finds new ones. */
export function lowerPriority(processes: readonly number[], increment: number): void {
  const priority = Math.min(19, getPriority() + increment)
  for (const pid of processes) {
    ignoreErrors(() => {
      for (const thread of readdirSync(`/proc/${pid}/task`))
        ignoreErrors(() => setPriority(Number(thread), priority))
    })
    // The kernel lets an ordinary user do this ten times a second; if it refuses, a later check repeats it.
    ignoreErrors(() => writeFileSync(`/proc/${pid}/autogroup`, String(increment)))
  }
}

function ignoreErrors(act: () => void): void {
  try {
    act()
  } catch {
    // A lower priority is an optimization: see lowerPriority for the cases in which it cannot be set.
  }
}
