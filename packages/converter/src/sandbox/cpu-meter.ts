import { cpuSecondsWithChildren } from './cpu-time.ts'
import type { SpawnedProcess } from './launcher.ts'
import { processTree } from './process-tree.ts'

// CPU time of a sandbox, with all of its processes. The launcher reports that of a command that has ended, with what the
// command waited for, and that of the process that bubblewrap leaves behind (process 1 of the sandbox, with the program).
// A process that is killed has not waited for its children, whose time is lost: so it is also measured whenever limits are
// checked, and before a kill.

export interface CpuMeter {
  /** Measures the CPU time so far; `all` are its processes, if they have just been listed. Called before a kill. */
  measure(all?: readonly number[]): void
  /** Excludes the CPU time so far. */
  reset(): void
  /** The whole, once the command has ended. `orphan` is the process that it left behind. */
  seconds(orphan: number | undefined): Promise<number>
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
    async seconds(orphan) {
      const left = orphan === undefined ? 0 : ((await child.cpuSecondsOfOrphan?.(orphan)) ?? 0)
      return Math.max(0, Math.max((child.cpuSeconds ?? 0) + left, measured) - before)
    },
  }
}
