import { readdirSync, writeFileSync } from 'node:fs'
import { getPriority, setPriority } from 'node:os'

// The more processor time a box has taken, the more it gives way to others: small conversions, which need less than a
// second, go before large ones and before files that are made to be slow. It gets slower only while others want the
// processor, and it keeps a third of what each of them gets: a long job has a deadline too.
//
// Anybody may lower the priority of their own processes. The kernel keeps it for each thread; what a thread starts
// inherits it. Where the kernel shares the processor between sessions first (sched_autogroup, which most
// distributions switch on), a thread's priority counts within its session only, and the session has one of its own.

const stepsPerSecond = 5
const lowest = 5

/** How far a box that has taken so much has to stand back, from 0 to 5. */
export const stepsAfter = (seconds: number): number => Math.min(lowest, Math.floor(seconds * stepsPerSecond))

/** A process that is gone, or changes to somebody else, is left out; the next look finds what is new. */
export function giveWay(processes: readonly number[], steps: number): void {
  const priority = Math.min(19, getPriority() + steps)
  for (const pid of processes) {
    orLeave(() => {
      for (const thread of readdirSync(`/proc/${pid}/task`))
        orLeave(() => setPriority(Number(thread), priority))
    })
    // The kernel lets an ordinary user do this ten times a second; then the next look does it.
    orLeave(() => writeFileSync(`/proc/${pid}/autogroup`, String(steps)))
  }
}

function orLeave(act: () => void): void {
  try {
    act()
  } catch {
    // See above.
  }
}
