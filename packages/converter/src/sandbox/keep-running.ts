import { spawn } from 'node:child_process'
import type { Socket } from 'node:net'
import type { Readable, Writable } from 'node:stream'
import { capture } from './captured-output.ts'
import { watchDisk } from './disk-watch.ts'
import type { EngineUser } from './engine-user.ts'
import { giveFolders } from './give-folder.ts'
import { coverInherited } from './launch.ts'
import type { RunningBox } from './long-lived-box.ts'

export interface Start {
  command: string
  args: readonly string[]
  /** Become descriptors 3, 4 and so on. */
  descriptors: readonly (number | 'ignore')[]
  user: EngineUser
  logBytes: number
  workingFolder: string
  environment?: Readonly<Record<string, string>>
  inside: (text: string) => string
}

/** Starts the command of a long-lived box; what holds for every level is here. */
export function keepRunning(start: Start): RunningBox {
  const { user } = start
  const child = spawn(start.command, start.args, {
    detached: true,
    env: { ...start.environment },
    cwd: start.workingFolder,
    ...(user.drop ? { uid: user.uid, gid: user.gid } : {}),
    stdio: coverInherited(['pipe', 'pipe', 'pipe', ...start.descriptors]),
  })
  const stderr = capture(child.stdio[2] as Readable, start.logBytes)
  const requests = child.stdio[0] as Writable
  // Writing to a box that has just ended is no fault of the writer; `ended` tells.
  requests.on('error', () => {})
  // A box that only waits does not keep us from ending; one that is being ended does.
  const pipes = child.stdio.slice(0, 3) as unknown as Socket[]
  const handles = [child, ...pipes]
  for (const handle of handles) handle.unref()
  const kill = () => {
    for (const handle of handles) handle.ref()
    try {
      if (child.pid !== undefined && child.exitCode === null && child.signalCode === null)
        process.kill(-child.pid, 'SIGKILL')
    } catch {
      // ESRCH: all gone already.
    }
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
    inside: start.inside,
    give: (folder) => giveFolders(folder, user),
    watchDisk: (folders, limitBytes, onOver) => watchDisk({ folders, limitBytes, pid: undefined, onOver }),
    kill,
    ended,
  }
}
