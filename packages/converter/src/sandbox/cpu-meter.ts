import { cpuSecondsWithChildren } from './cpu-time.ts'
import type { SpawnedProcess } from './launcher.ts'
import { processTree } from './process-tree.ts'

// CPU time of a sandbox, with all of its processes. It is measured whenever limits are checked, and before a kill. What the
// launcher reports when the command has ended counts if it is more: the jail waits for its program, so the kernel has added
// its time up; bubblewrap does not.

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
