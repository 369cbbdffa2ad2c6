import { createReadableCopies } from './engine-access.ts'
import type { EngineUser } from './engine-user.ts'
import type { Sandbox } from './sandbox.ts'
import { runWithoutMounts } from './without-mounts.ts'

// No box at all: only the drop of root, the limits of one process and the kill of the group. For a machine
// where every file is the operator's own, and only when asked for by name.

export interface UnboxedSandbox extends Sandbox {
  readonly level: 'none'
  close(): Promise<void>
}

export function createUnboxedSandbox(user: EngineUser): UnboxedSandbox {
  const copies = createReadableCopies(user)
  return {
    level: 'none',
    run: (box) =>
      runWithoutMounts(box, user, copies, ({ commandLine }) => ({
        command: '/usr/bin/prlimit',
        args: () => [
          `--as=${box.limits.memoryBytes}`,
          `--cpu=${box.limits.cpuSeconds}:${box.limits.cpuSeconds + 1}`,
          `--fsize=${box.limits.fileBytes}`,
          '--core=0',
          '--',
          ...commandLine,
        ],
        extraDescriptors: [],
        readStatus: (_report, exit) =>
          exit.signal === null ? { exitCode: exit.code ?? 0 } : { signal: exit.signal },
      })),
    close: () => copies.remove(),
  }
}
