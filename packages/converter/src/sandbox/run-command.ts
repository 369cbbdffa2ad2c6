import type { ChildProcess } from 'node:child_process'
import type { Readable } from 'node:stream'
import { capture } from './captured-output.ts'
import { isOver } from './disk-usage.ts'
import type { EngineUser } from './engine-user.ts'
import { halfOfMemory } from './held-memory.ts'
import { type Command, type Exit, type Level, statusDescriptor } from './level.ts'
import { processesOfBox } from './process-tree.ts'
import type { Box, BoxResult, Ending } from './sandbox.ts'
import { killGroup, spawnCommand } from './spawn-command.ts'
import { watchBox } from './watch-box.ts'

// One run of one box, from its start to the last of its processes. The order of things:
// - The command (bwrap or the jail) starts.
// - While it runs, four things may end it: the wall clock, the watch on disk and memory, the caller's signal, or
//   itself.
//   The first to come names the ending. Whoever ends it kills the whole group: nothing in the box is worth
//   a grace period.
// - The command reports the program's end on the status pipe. If it ended without a report and without
//   being killed by us, the box was never built: that is our fault, not the file's, and is thrown.
// - The run is over only when the command is gone and its pipes are closed, so nothing writes to /out any more.

export interface CommandRun {
  box: Pick<Box, 'limits' | 'signal' | 'onStdoutLine'>
  command: Command
  user: EngineUser
  filter: number | undefined
  /** Host folders that the program can write to and that are not capped by their file system. */
  watchedFolders: readonly string[]
  outcome: Level['outcome']
}

const pipeGraceMilliseconds = 1000
const statusBytes = 4096

export async function runCommand(run: CommandRun): Promise<BoxResult> {
  const { box, command, watchedFolders } = run
  const started = performance.now()
  if (box.signal?.aborted) return cancelledBeforeStart
  const child = spawnCommand(command, run.user, { stdin: 'ignore', status: 'pipe', filter: run.filter })
  const stdout = capture(child.stdio[1] as Readable, box.limits.logBytes, box.onStdoutLine)
  const stderr = capture(child.stdio[2] as Readable, box.limits.logBytes)
  const report = capture(child.stdio[statusDescriptor] as Readable, statusBytes)

  let ending: Ending | undefined
  const end = (reason: Ending) => {
    ending ??= reason
    killGroup(child.pid)
  }
  const onAbort = () => end('cancelled')
  const wallTimer = setTimeout(() => end('wall-limit'), box.limits.wallSeconds * 1000)
  const stopWatching = watchBox({
    folders: watchedFolders,
    diskBytes: box.limits.diskBytes,
    memoryBytes: Math.min(box.limits.memoryBytes, halfOfMemory()),
    processes: () => processesOfBox(child.pid),
    onOver: end,
  })
  box.signal?.addEventListener('abort', onAbort, { once: true })

  let exit: Exit
  try {
    exit = await exitOf(child)
  } finally {
    clearTimeout(wallTimer)
    stopWatching()
    box.signal?.removeEventListener('abort', onAbort)
  }

  const outcome = run.outcome(report.untrustedText(), exit)
  if (!outcome && !ending) {
    throw new Error(`The box was not built (${command.command}): ${stderr.untrustedText().slice(0, 500)}`)
  }
  if (!ending && (await isOver(watchedFolders, box.limits.diskBytes))) ending = 'disk-limit'
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

const cancelledBeforeStart: BoxResult = {
  ending: 'cancelled',
  exitCode: null,
  signal: null,
  untrustedStdout: '',
  untrustedStderr: '',
  milliseconds: 0,
}

/** What a signal that ended a program means; null when it ended by itself. */
function endingOf(signal: string | null): Ending {
  if (signal === null) return 'exited'
  if (signal === 'SIGXCPU') return 'cpu-limit'
  if (signal === 'SIGXFSZ') return 'disk-limit'
  return 'killed'
}
