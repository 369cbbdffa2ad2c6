import type { Socket } from 'node:net'
import type { Readable, Writable } from 'node:stream'
import { capture } from './captured-output.ts'
import { giveFolders } from './engine-access.ts'
import type { EngineUser } from './engine-user.ts'
import type { Command } from './level.ts'
import type { RunningBox } from './long-lived-box.ts'
import { createFinder } from './process-tree.ts'
import { killGroup, spawnCommand } from './spawn-command.ts'
import { watchBox } from './watch-box.ts'

export interface KeptCommand {
  command: Command
  user: EngineUser
  filter: number | undefined
  logBytes: number
  /** Paths as the program knows them. */
  inside: (text: string) => string
}

/** Starts the command of a long-lived box. */
export function keepCommand({ command, user, filter, logBytes, inside }: KeptCommand): RunningBox {
  const child = spawnCommand(command, user, { stdin: 'pipe', status: 'nobody-reads', filter })
  const stderr = capture(child.stdio[2] as Readable, logBytes)
  const requests = child.stdio[0] as Writable
  // Writing to a box that has just ended is no fault of the writer; `ended` tells.
  requests.on('error', () => {})
  // A box that only waits does not keep us from ending; one that is being ended does.
  const pipes = child.stdio.slice(0, 3) as unknown as Socket[]
  const handles = [child, ...pipes]
  for (const handle of handles) handle.unref()
  const kill = () => {
    for (const handle of handles) handle.ref()
    if (child.exitCode === null && child.signalCode === null) killGroup(child.pid)
  }
  process.once('exit', kill)
  const ended = new Promise<{ untrustedStderr: string }>((resolve) => {
    const finish = (text: string) => {
      process.removeListener('exit', kill)
      resolve({ untrustedStderr: text })
    }
    child.once('error', (error) => finish(error.message))
    child.once('close', () => finish(stderr.untrustedText()))
  })
  return {
    requests,
    answers: child.stdio[1] as Readable,
    inside,
    give: (folder) => giveFolders(folder, user),
    watchDisk(folders, diskBytes, inner, onOver) {
      const find = createFinder()
      return watchBox({
        folders,
        diskBytes,
        // One process, which the kernel limits.
        memoryBytes: Number.POSITIVE_INFINITY,
        processes: () => find(child.pid, inner()),
        onOver,
      }).stop
    },
    kill,
    ended,
  }
}
