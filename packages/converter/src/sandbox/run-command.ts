import type { ChildProcess } from 'node:child_process'
import type { Readable } from 'node:stream'
import { usableMemory } from '../usable-memory.ts'
import { type Captured, capture } from './captured-output.ts'
import { isOver } from './disk-usage.ts'
import { endingOf } from './endings.ts'
import type { EngineUser } from './engine-user.ts'

import { type Command, type Exit, type Level, statusDescriptor } from './level.ts'
import { processesOfBox } from './process-tree.ts'
import type { Box, BoxResult, Ending } from './sandbox.ts'
import { killGroup, spawnCommand } from './spawn-command.ts'
import { watchBox } from './watch-box.ts'

// One run of one box, from its start to the last of its processes. The order of things:
// - The command (bwrap or the jail) starts. In a box that waits, a document is given some time later, and only
//   then limits of time count.
// - While it runs, four things may end it: the wall clock, the watch on disk and memory, the caller's signal, or
//   itself.
//   The first to come names the ending. Whoever ends it kills the whole group: nothing in the box is worth
//   a grace period.
// - The command reports the program's end on the status pipe. If it ended without a report and without
//   being killed by us, the box was never built: that is our fault, not the file's, and is thrown.
// - The run is over only when the command is gone and its pipes are closed, so nothing writes to /out any more.

export interface CommandStart {
  command: Command
  user: EngineUser
  filter: number | undefined
  logBytes: number
  stdin: 'ignore' | 'pipe'
}

export interface StartedCommand {
  child: ChildProcess
  command: string
  /** Rejects when there is no such command. */
  exit: Promise<Exit>
  stderr: Captured
  report: Captured
}

export interface CommandRun {
  box: Pick<Box, 'limits' | 'signal'>
  stdout: Captured
  /** Host folders that the program can write to and that are not capped by their file system. */
  watchedFolders: readonly string[]
  outcome: Level['outcome']
  /** What each process had used of the processor before limits count; absent where the kernel alone counts. */
  usedBefore?: ReadonlyMap<number, number>
}

const pipeGraceMilliseconds = 1000
const statusBytes = 4096

export function startCommand({ command, user, filter, logBytes, stdin }: CommandStart): StartedCommand {
  const child = spawnCommand(command, user, { stdin, status: 'pipe', filter })
  const exit = exitOf(child)
  // Told to whoever waits for the end.
  exit.catch(() => {})
  return {
    ...{ child, command: command.command, exit },
    stderr: capture(child.stdio[2] as Readable, logBytes),
    report: capture(child.stdio[statusDescriptor] as Readable, statusBytes),
  }
}

export async function finishCommand(started: StartedCommand, run: CommandRun): Promise<BoxResult> {
  const { box, watchedFolders, stdout } = run
  const { child, stderr } = started
  const startedAt = performance.now()
  let ending: Ending | undefined
  const end = (reason: Ending) => {
    ending ??= reason
    killGroup(child.pid)
  }
  const onAbort = () => end('cancelled')
  const watched = watchBox({
    folders: watchedFolders,
    diskBytes: box.limits.diskBytes,
    memoryBytes: Math.min(box.limits.memoryBytes, Math.floor(usableMemory() / 2)),
    ...(run.usedBefore ? { processor: { seconds: box.limits.cpuSeconds, usedBefore: run.usedBefore } } : {}),
    processes: () => processesOfBox(child.pid),
    onOver: end,
  })
  let wallTimer: NodeJS.Timeout | undefined
  const keepWallLimit = () => {
    const passed = performance.now() - startedAt - watched.pausedMilliseconds()
    const left = box.limits.wallSeconds * 1000 - passed
    if (left <= 0) end('wall-limit')
    else wallTimer = setTimeout(keepWallLimit, Math.ceil(left))
  }
  keepWallLimit()
  box.signal?.addEventListener('abort', onAbort, { once: true })
  if (box.signal?.aborted) onAbort()

  let exit: Exit
  try {
    exit = await started.exit
  } finally {
    clearTimeout(wallTimer)
    watched.stop()
    box.signal?.removeEventListener('abort', onAbort)
  }

  const outcome = run.outcome(started.report.untrustedText(), exit)
  if (!outcome && !ending) {
    throw new Error(`The box was not built (${started.command}): ${stderr.untrustedText().slice(0, 500)}`)
  }
  if (!ending && (await isOver(watchedFolders, box.limits.diskBytes))) ending = 'disk-limit'
  const signal = outcome && 'signal' in outcome ? outcome.signal : null
  return {
    ending: ending ?? endingOf(signal),
    exitCode: outcome && 'exitCode' in outcome ? outcome.exitCode : null,
    signal: signal ?? (ending ? 'SIGKILL' : null),
    untrustedStdout: stdout.untrustedText(),
    untrustedStderr: stderr.untrustedText(),
    milliseconds: performance.now() - startedAt,
  }
}

const exitOf = (child: ChildProcess): Promise<Exit> =>
  new Promise((resolve, reject) => {
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
