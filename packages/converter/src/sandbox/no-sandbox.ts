import type { Level } from './level.ts'
import { prlimitCommand } from './prlimit.ts'

// No sandbox: only an unprivileged user, the resource limits of each process, and SIGKILL to the process group. For a
// machine on which every file is the operator's own, and only if the operator asks for it by name.

export const noSandbox: Level = {
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
