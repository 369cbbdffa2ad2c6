import type { Readable } from 'node:stream'
import { usableMemory } from '../usable-memory.ts'
import { type Captured, capture } from './captured-output.ts'
import { type CpuMeter, meterCpu } from './cpu-meter.ts'
import { isOver } from './disk-usage.ts'
import { endingOf } from './endings.ts'
import type { EngineUser } from './engine-user.ts'
import type { SpawnedProcess } from './launcher.ts'
import { type Command, type Exit, type Level, statusDescriptor } from './level.ts'
import { processTree } from './process-tree.ts'
import type { Ending, SandboxResult, SandboxSpec } from './sandbox.ts'
import { killGroup, spawnCommand } from './spawn-command.ts'
import { watchLimits } from './watch-limits.ts'

// One run of one sandbox, from its start until its last process has ended:
// - The command (bwrap or the jail) starts. A pre-warmed process gets its document later, and the time limits count
//   from then on.
// - It ends by itself, or at the wall clock limit, a limit that watch-limits.ts checks, or the caller's signal. The
//   first of these becomes the `ending`. Ending it means SIGKILL to the whole process group, without a grace period.
// - The command reports the program's exit status on the status pipe. If it ended without a report and was not killed
//   by us, the sandbox was never built: that is a fault of the service, not of the file, and is thrown.
// - The run is over only when the command has ended and its pipes are closed, so that nothing writes to /out any more.

export interface CommandStart {
  command: Command
  user: EngineUser
  filter: number | undefined
  logBytes: number
  stdin: 'ignore' | 'pipe'
}

export interface StartedCommand {
  child: SpawnedProcess
  command: string
  exit: Promise<Exit>
  cpu: CpuMeter
  stderr: Captured
  report: Captured
}

export interface CommandRun {
  spec: Pick<SandboxSpec, 'limits' | 'signal'>
  stdout: Captured
  /** Host folders that the program can write to and that are not capped by their file system. */
  watchedFolders: readonly string[]
  outcome: Level['outcome']
  orphan: Level['orphan']
  /** CPU time of each process before its document came; absent where only the kernel's limit counts. */
  usedBefore?: ReadonlyMap<number, number>
}

const pipeGraceMilliseconds = 1000
const statusBytes = 4096

/** Rejects when there is no such command. */
export async function startCommand(start: CommandStart): Promise<StartedCommand> {
  const { command, user, filter, logBytes, stdin } = start
  const child = await spawnCommand(command, user, { stdin, status: 'pipe', filter })
  const exit = exitOf(child)
  // `finishCommand` awaits it; until then a rejection must not count as unhandled.
  exit.catch(() => {})
  return {
    child,
    command: command.command,
    exit,
    cpu: meterCpu(child),
    stderr: capture(child.stdio[2] as Readable, logBytes),
    report: capture(child.stdio[statusDescriptor] as Readable, statusBytes),
  }
}

export async function finishCommand(started: StartedCommand, run: CommandRun): Promise<SandboxResult> {
  const { spec, watchedFolders, stdout } = run
  const { child, cpu, stderr } = started
  const startedAt = performance.now()
  let ending: Ending | undefined
  const end = (reason: Ending) => {
    ending ??= reason
    cpu.measure()
    killGroup(child.pid)
  }
  const onAbort = () => end('cancelled')
  const watch = watchLimits({
    folders: watchedFolders,
    diskBytes: spec.limits.diskBytes,
    memoryBytes: Math.min(spec.limits.memoryBytes, Math.floor(usableMemory() / 2)),
    ...(run.usedBefore ? { cpuTime: { seconds: spec.limits.cpuSeconds, usedBefore: run.usedBefore } } : {}),
    processes() {
      const { ofSandbox, all } = processTree(child.pid)
      cpu.measure(all)
      return ofSandbox
    },
    onOver: end,
  })
  let wallTimer: NodeJS.Timeout | undefined
  const checkWallLimit = () => {
    const elapsed = performance.now() - startedAt - watch.pausedMilliseconds()
    const left = spec.limits.wallSeconds * 1000 - elapsed
    if (left <= 0) end('wall-limit')
    else wallTimer = setTimeout(checkWallLimit, Math.ceil(left))
  }
  checkWallLimit()
  spec.signal?.addEventListener('abort', onAbort, { once: true })
  if (spec.signal?.aborted) onAbort()

  let exit: Exit
  try {
    exit = await started.exit
  } finally {
    clearTimeout(wallTimer)
    watch.stop()
    spec.signal?.removeEventListener('abort', onAbort)
  }

  const outcome = run.outcome(started.report.untrustedText(), exit)
  if (!outcome && !ending) {
    throw new Error(`The sandbox was not built (${started.command}): ${stderr.untrustedText().slice(0, 500)}`)
  }
  if (!ending && (await isOver(watchedFolders, spec.limits.diskBytes))) ending = 'disk-limit'
  const signal = outcome && 'signal' in outcome ? outcome.signal : null
  return {
    ending: ending ?? endingOf(signal),
    exitCode: outcome && 'exitCode' in outcome ? outcome.exitCode : null,
    signal: signal ?? (ending ? 'SIGKILL' : null),
    untrustedStdout: stdout.untrustedText(),
    untrustedStderr: stderr.untrustedText(),
    milliseconds: performance.now() - startedAt,
    cpuSeconds: await cpu.seconds(run.orphan?.(started.report.untrustedText())),
  }
}

const exitOf = (child: SpawnedProcess): Promise<Exit> =>
  new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) => resolve({ code, signal }))
    child.once('exit', () => {
      // Kills the rest of the process group. A pipe that is still open after the grace period is destroyed.
      killGroup(child.pid)
      const grace = setTimeout(() => {
        for (const pipe of child.stdio) pipe?.destroy()
      }, pipeGraceMilliseconds)
      child.once('close', () => clearTimeout(grace))
    })
  })
