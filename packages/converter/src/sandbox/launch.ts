import { spawn } from 'node:child_process'
import { openSync } from 'node:fs'
import type { Readable } from 'node:stream'
import { capture } from './captured-output.ts'
import { isOver } from './disk-usage.ts'
import { watchDisk } from './disk-watch.ts'
import type { EngineUser } from './engine-user.ts'
import { inheritedDescriptors } from './inherited-descriptors.ts'
import type { Box, BoxResult, Ending } from './sandbox.ts'

// One start of one box, from spawn to the last of its processes. The order of things:
// - The command (bwrap or the jail) starts in a process group of its own, as the engine user, with an
//   empty environment and no descriptor of ours but those listed.
// - While it runs, four things may end it: the wall clock, the disk watch, the caller's signal, or itself.
//   The first to come names the ending. Whoever ends it sends SIGKILL to the whole group: an engine
//   that is busy or hostile ignores SIGTERM, and there is nothing in the box worth a grace period.
// - The command reports the program's end on the status pipe. If it ended without a report and without
//   being killed by us, the box was never built: that is our fault, not the file's, and is thrown.
// - `run` resolves only after the command is gone and its pipes are closed, so nothing writes to /out any more.

export interface Exit {
  code: number | null
  signal: string | null
}

export interface Launch {
  command: string
  /** Gets the numbers of the descriptors below, as they are inside the command. */
  args: (descriptors: { status: number; extra: readonly number[] }) => readonly string[]
  extraDescriptors: readonly number[]
  user: EngineUser
  /** Host folders that the program can write to and that are not capped by their file system. */
  watchedFolders: readonly string[]
  workingFolder?: string
  /** Where the level has no mounts, inside and outside environment are the same. */
  environment?: Readonly<Record<string, string>>
  /** How the program ended, from the status pipe or the command's own end; undefined when the box was never built. */
  readStatus: (report: string, exit: Exit) => { exitCode: number } | { signal: string } | undefined
}

const pipeGraceMilliseconds = 1000
const statusBytes = 4096
const inherited = inheritedDescriptors()
const nothing = openSync('/dev/null', 'r')

export async function launch(box: Box, launch: Launch): Promise<BoxResult> {
  const started = performance.now()
  if (box.signal?.aborted) return cancelledBeforeStart
  const statusDescriptor = 3
  const extra = launch.extraDescriptors.map((_, index) => statusDescriptor + 1 + index)
  const child = spawn(launch.command, launch.args({ status: statusDescriptor, extra }), {
    detached: true,
    env: { ...launch.environment },
    ...(launch.workingFolder === undefined ? { cwd: '/' } : { cwd: launch.workingFolder }),
    ...(launch.user.drop ? { uid: launch.user.uid, gid: launch.user.gid } : {}),
    stdio: coverInherited(['ignore', 'pipe', 'pipe', 'pipe', ...launch.extraDescriptors]),
  })
  const stdout = capture(child.stdio[1] as Readable, box.limits.logBytes, box.onStdoutLine)
  const stderr = capture(child.stdio[2] as Readable, box.limits.logBytes)
  const status = capture(child.stdio[statusDescriptor] as Readable, statusBytes)

  let ending: Ending | undefined
  const end = (reason: Ending) => {
    ending ??= reason
    killGroup(child.pid)
  }
  const onAbort = () => end('cancelled')
  const wallTimer = setTimeout(() => end('wall-limit'), box.limits.wallSeconds * 1000)
  const stopDiskWatch = watchDisk({
    folders: launch.watchedFolders,
    limitBytes: box.limits.diskBytes,
    pid: child.pid,
    onOver: () => end('disk-limit'),
  })
  box.signal?.addEventListener('abort', onAbort, { once: true })

  let exit: Exit
  try {
    exit = await new Promise<Exit>((resolve, reject) => {
      child.once('error', reject)
      child.once('close', (code, signal) => resolve({ code, signal }))
      child.once('exit', () => {
        // What is left of the group goes now; a pipe that is still open after the grace is let go.
        killGroup(child.pid)
        const grace = setTimeout(() => {
          for (const pipe of child.stdio) pipe?.destroy()
        }, pipeGraceMilliseconds)
        child.once('close', () => clearTimeout(grace))
      })
    })
  } finally {
    clearTimeout(wallTimer)
    stopDiskWatch()
    box.signal?.removeEventListener('abort', onAbort)
  }

  const outcome = launch.readStatus(status.untrustedText(), exit)
  if (!outcome && !ending) {
    throw new Error(`The box was not built (${launch.command}): ${stderr.untrustedText().slice(0, 500)}`)
  }
  if (!ending && (await isOver(launch.watchedFolders, box.limits.diskBytes))) ending = 'disk-limit'
  const signal = outcome && 'signal' in outcome ? outcome.signal : null
  return {
    ending: ending ?? endingOf(signal),
    exitCode: outcome && 'exitCode' in outcome ? outcome.exitCode : null,
    signal: signal ?? (ending ? 'SIGKILL' : null),
    untrustedStdout: stdout.untrustedText(),
    untrustedStderr: stderr.untrustedText(),
    milliseconds: performance.now() - started,
  }
}

const cancelledBeforeStart: BoxResult = {
  ending: 'cancelled',
  exitCode: null,
  signal: null,
  untrustedStdout: '',
  untrustedStderr: '',
  milliseconds: 0,
}

function endingOf(signal: string | null): Ending {
  if (signal === null) return 'exited'
  if (signal === 'SIGXCPU') return 'cpu-limit'
  if (signal === 'SIGXFSZ') return 'disk-limit'
  return 'killed'
}

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // ESRCH: all gone already.
  }
}

export type Stdio = ('ignore' | 'pipe' | number)[]

// A place left at `ignore` above stderr stays as it is, so what was inherited is covered by name.
export function coverInherited(stdio: Stdio): Stdio {
  const covered = [...stdio]
  for (const descriptor of inherited) {
    while (covered.length <= descriptor) covered.push('ignore')
    if (descriptor >= stdio.length) covered[descriptor] = nothing
  }
  return covered
}
