import { statSync } from 'node:fs'
import { createClosedWatch } from './closed-processes.ts'
import { isOver } from './disk-usage.ts'
import { giveWay, stepsAfter } from './give-way.ts'
import { holdsMore } from './held-memory.ts'
import { usedMore, usedTogether } from './processor-time.ts'
import { createTurns } from './take-turns.ts'
import { unnamedFiles } from './unnamed-files.ts'

// Looks again and again at what a running box has written, at the memory that its processes hold together (the
// kernel limits each of them alone), and at processor time where it counts from later than the start. Processes are
// looked at less often, because it costs more; a file that has lost its name cannot be the output. A look that fails
// counts as over: the program may have made it fail. At each look at its processes, a box that has taken much
// processor time gives way to the others of this process, if there are any: what was given cannot be taken back. And
// it pauses for small ones where there are too many at work (take-turns.ts).

const leastPauseMilliseconds = 50
const mostPauseMilliseconds = 1000
// Looking at a program with a hundred threads takes a while. It must not take the time that the program needs.
const pausePerLook = 8
const looksPerLookAtProcesses = 4
const looksPerReminder = 20

export interface BoxWatch {
  folders: readonly string[]
  diskBytes: number
  memoryBytes: number
  /** Of one process, above what it had used before. */
  processor?: { seconds: number; usedBefore: ReadonlyMap<number, number> }
  /** By their numbers on the host. */
  processes: () => readonly number[]
  /** Called once. */
  onOver: (limit: 'disk-limit' | 'memory-limit' | 'cpu-limit') => void
}

const turns = createTurns()

export interface WatchedBox {
  /** How long it has paused for others. */
  pausedMilliseconds(): number
  stop(): void
}

export function watchBox(watch: BoxWatch): WatchedBox {
  const { folders, diskBytes, memoryBytes } = watch
  let stopped = false
  let looks = 0
  const areClosedForLong = createClosedWatch()
  // As of the last look at them: to find them takes long, to ask each for its time does not.
  const worker = {
    processes: [...(watch.processor?.usedBefore.keys() ?? [])] as readonly number[],
    seconds: 0,
    pausedMilliseconds: 0,
  }
  let stepsBack = 0
  const endTurn = turns.begin(worker)
  let timer: NodeJS.Timeout
  const limitPassed = async () => {
    looks += 1
    if (await isOver(folders, diskBytes)) return 'disk-limit'
    if (watch.processor && usedMore(worker.processes, watch.processor)) return 'cpu-limit'
    if (looks % looksPerLookAtProcesses !== 0) return undefined
    const processes = watch.processes()
    worker.processes = processes
    // What a process that has ended took still counts.
    worker.seconds = Math.max(worker.seconds, usedTogether(processes, watch.processor?.usedBefore))
    const wanted = Math.max(stepsBack, turns.count() > 1 ? stepsAfter(worker.seconds) : 0)
    // Now and then once more, for what was starting at that moment.
    if (wanted > stepsBack || (wanted > 0 && looks % looksPerReminder === 0)) giveWay(processes, wanted)
    stepsBack = wanted
    if (await holdsMore(processes, memoryBytes)) return 'memory-limit'
    const devices = new Set(folders.map((folder) => statSync(folder).dev))
    const { bytes, closed } = await unnamedFiles(processes, devices)
    return areClosedForLong(closed) || bytes > diskBytes ? 'disk-limit' : undefined
  }
  const look = async () => {
    const started = performance.now()
    const passed = await limitPassed().catch(() => 'disk-limit' as const)
    if (stopped) return
    if (passed) return watch.onOver(passed)
    const pause = (performance.now() - started) * pausePerLook
    timer = setTimeout(look, Math.min(mostPauseMilliseconds, Math.max(leastPauseMilliseconds, pause)))
  }
  timer = setTimeout(look, leastPauseMilliseconds)
  return {
    pausedMilliseconds: () => worker.pausedMilliseconds,
    stop() {
      if (!stopped) endTurn()
      stopped = true
      clearTimeout(timer)
    },
  }
}
