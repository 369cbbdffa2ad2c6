import type { Level } from './level.ts'
import { prlimitCommand } from './prlimit.ts'

// No box at all: only the drop of root, the limits of one process and the kill of the group. For a machine
// where every file is the operator's own, and only when asked for by name.

export const unboxed: Level = {
  name: 'none',
  mounts: false,
  command(enclosure) {
    const [command = '', ...limits] = prlimitCommand(enclosure, { countProcesses: false })
    return {
      command,
      args: [...limits, enclosure.program, ...enclosure.args],
      environment: enclosure.environment,
      workingFolder: enclosure.workingFolder,
    }
  },
  outcome: (_report, { code, signal }) => (signal === null ? { exitCode: code ?? 0 } : { signal }),
}
