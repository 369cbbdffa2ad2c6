import type { Socket } from 'node:net'
import type { Readable, Writable } from 'node:stream'
import { capture } from './captured-output.ts'
import { giveFolders } from './engine-access.ts'
import type { EngineUser } from './engine-user.ts'
import type { Command } from './level.ts'
import type { LongLivedProcess } from './long-lived-process.ts'
import { createFinder } from './process-tree.ts'
import { killGroup, spawnCommand } from './spawn-command.ts'
import { watchLimits } from './watch-limits.ts'

export interface LongLivedCommand {
  command: Command
  user: EngineUser
  filter: number | undefined
  logBytes: number
  /** Translates host paths into those that the program sees. */
  inside: (text: string) => string
}

/** Starts the command of a long-lived process. */
export async function startLongLived(start: LongLivedCommand): Promise<LongLivedProcess> {
  const { command, user, filter, logBytes, inside } = start
  const child = await spawnCommand(command, user, { stdin: 'pipe', status: 'discarded', filter })
  const stderr = capture(child.stdio[2] as Readable, logBytes)
  const requests = child.stdio[0] as Writable
  // EPIPE: the program has just ended, which `ended` reports.
  requests.on('error', () => {})
  // A process that only waits for requests must not keep the event loop alive; one that is being killed must.
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
      return watchLimits({
        folders,
        diskBytes,
        // No total: it is one process, whose memory the kernel limits.
        memoryBytes: Number.POSITIVE_INFINITY,
        processes: () => find(child.pid, inner()),
        onOver,
      }).stop
    },
    kill,
    ended,
  }
}
