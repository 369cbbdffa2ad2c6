import { statSync } from 'node:fs'
import { createClosedWatch } from './closed-processes.ts'
import { exceedsCpuTime, totalCpuSeconds } from './cpu-time.ts'
import { isOver } from './disk-usage.ts'
import { lowerPriority, niceIncrement } from './lower-priority.ts'
import { exceedsMemory } from './memory-usage.ts'
import { createPauseScheduler } from './pause-scheduler.ts'
import { unnamedFiles } from './unnamed-files.ts'

// Polls what a running sandbox has written, the memory of all its processes together (the kernel limits each process
// alone) and, for a pre-warmed process, the CPU time since its document came. Processes are checked less often than the
// disk, because that costs more; a removed file cannot be the output. A check that fails counts as an exceeded limit:
// the program may have made it fail.
//
// Each check of the processes also lowers the priority of a sandbox that has used much CPU time, if other sandboxes run
// (a priority cannot be raised again), and updates its entry in the pause scheduler (pause-scheduler.ts).

const minIntervalMilliseconds = 50
const maxIntervalMilliseconds = 1000
// Checking a program with a hundred threads takes a while. It must not take the CPU time that the program needs.
const intervalPerCheckTime = 8
const checksPerProcessCheck = 4
const checksPerPriorityRefresh = 20

export interface WatchedLimits {
  folders: readonly string[]
  diskBytes: number
  memoryBytes: number
  /** CPU time of any one process, not counting what it had used before. */
  cpuTime?: { seconds: number; usedBefore: ReadonlyMap<number, number> }
  /** Process ids on the host. */
  processes: () => readonly number[]
  /** Called once. */
  onOver: (limit: 'disk-limit' | 'memory-limit' | 'cpu-limit') => void
}

const scheduler = createPauseScheduler()

export interface LimitWatch {
  /** How long the scheduler has paused the sandbox. */
  pausedMilliseconds(): number
  stop(): void
}

export function watchLimits(watched: WatchedLimits): LimitWatch {
  const { folders, diskBytes, memoryBytes } = watched
  let stopped = false
  let checks = 0
  const areClosedForLong = createClosedWatch()
  // Updated at each process check: listing the processes is slow, reading the CPU time of each is not.
  const scheduled = {
    processes: [...(watched.cpuTime?.usedBefore.keys() ?? [])] as readonly number[],
    cpuSeconds: 0,
    pausedMilliseconds: 0,
  }
  let increment = 0
  const unschedule = scheduler.add(scheduled)
  let timer: NodeJS.Timeout
  const exceededLimit = async () => {
    checks += 1
    if (await isOver(folders, diskBytes)) return 'disk-limit'
    if (watched.cpuTime && exceedsCpuTime(scheduled.processes, watched.cpuTime)) return 'cpu-limit'
    if (checks % checksPerProcessCheck !== 0) return undefined
    const processes = watched.processes()
    scheduled.processes = processes
    // Never less than before: the CPU time of a process that has ended still counts.
    scheduled.cpuSeconds = Math.max(
      scheduled.cpuSeconds,
      totalCpuSeconds(processes, watched.cpuTime?.usedBefore),
    )
    const wanted = Math.max(increment, scheduler.count() > 1 ? niceIncrement(scheduled.cpuSeconds) : 0)
    // Repeated now and then, for threads that were starting at the time.
    if (wanted > increment || (wanted > 0 && checks % checksPerPriorityRefresh === 0))
      lowerPriority(processes, wanted)
    increment = wanted
    if (await exceedsMemory(processes, memoryBytes)) return 'memory-limit'
    const devices = new Set(folders.map((folder) => statSync(folder).dev))
    const { bytes, closed } = await unnamedFiles(processes, devices)
    return areClosedForLong(closed) || bytes > diskBytes ? 'disk-limit' : undefined
  }
  const check = async () => {
    const startedAt = performance.now()
    // A usage that cannot be measured cannot be limited, so the program is stopped.
    const exceeded = await exceededLimit().catch(() => 'disk-limit' as const)
    if (stopped) return
    if (exceeded) return watched.onOver(exceeded)
    const interval = (performance.now() - startedAt) * intervalPerCheckTime
    timer = setTimeout(check, Math.min(maxIntervalMilliseconds, Math.max(minIntervalMilliseconds, interval)))
  }
  timer = setTimeout(check, minIntervalMilliseconds)
  return {
    pausedMilliseconds: () => scheduled.pausedMilliseconds,
    stop() {
      if (!stopped) unschedule()
      stopped = true
      clearTimeout(timer)
    },
  }
}
