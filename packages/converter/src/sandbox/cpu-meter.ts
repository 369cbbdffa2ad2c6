import { cpuSecondsWithChildren } from './cpu-time.ts'
import type { SpawnedProcess } from './launcher.ts'
import { processTree } from './process-tree.ts'

// CPU time of a sandbox, with all of its processes. The kernel adds it up on the way from child to parent, and the launcher
// reports it when the command that built the sandbox has ended. A command that is killed has not waited for its processes,
// whose time is lost: so it is also measured before the kill, and whenever limits are checked.

export interface CpuMeter {
  /** Measures what is used so far; `all` are its processes, if they have just been listed. Called before a kill. */
  measure(all?: readonly number[]): void
  /** Not counted: what was used so far. */
  reset(): void
  /** The whole, once the command has ended. */
  seconds(): number
}

export function meterCpu(child: SpawnedProcess): CpuMeter {
  let measured = 0
  let before = 0
  const measure: CpuMeter['measure'] = (all = processTree(child.pid).all) => {
    measured = Math.max(measured, cpuSecondsWithChildren(all))
  }
  return {
    measure,
    reset() {
      measure()
      before = measured
    },
    seconds: () => Math.max(0, Math.max(child.cpuSeconds ?? 0, measured) - before),
  }
}
