import type { Socket } from 'node:net'
import type { Readable, Writable } from 'node:stream'
import { type Captured, capture } from './captured-output.ts'
import { cpuSecondsByProcess } from './cpu-time.ts'
import { cancelledBeforeStart } from './endings.ts'
import { memoryBytes } from './memory-usage.ts'
import type { DocumentArguments, PrewarmedProcess, PrewarmedProgram } from './prewarmed-process.ts'
import { processesOfSandbox } from './process-tree.ts'
import { type CommandRun, finishCommand, type StartedCommand } from './run-command.ts'
import type { SandboxResult, SandboxSpec } from './sandbox.ts'
import { killGroup } from './spawn-command.ts'

// Starts a pre-warmed process: prewarmed-process.ts describes the protocol.

/** A sandbox that its level has prepared, ready to start. */
export interface Built {
  start(stdin: 'ignore' | 'pipe'): Promise<StartedCommand>
  watched: Pick<CommandRun, 'watchedFolders' | 'outcome' | 'orphan'>
  /** Gives the engine user access to files that were added to the directories since. */
  letIn(): void
  toHost(text: string): string
  toInside(untrustedText: string): string
  /** Removes what was created for the sandbox. */
  clear(): Promise<void>
}

const readyLine = 'ready\n'
/** How long a waiting program may take to end after its stdin is closed. */
const endTimeoutMilliseconds = 3000

export async function startPrewarmed(program: PrewarmedProgram, built: Built): Promise<PrewarmedProcess> {
  const started = await built.start('pipe').catch(async (error: unknown) => {
    await built.clear()
    throw error
  })
  const { child } = started
  const [requests, answers] = [child.stdio[0] as Writable, child.stdio[1] as Readable]
  // EPIPE: the program has just ended, which `exit` reports.
  requests.on('error', () => {})
  // A process that only waits for a document must not keep the event loop alive.
  const handles = [child, ...(child.stdio.slice(0, 4) as unknown as Socket[])]
  for (const handle of handles) handle.unref()
  const keepEventLoopAlive = () => {
    for (const handle of handles) handle.ref()
  }
  let state: 'waiting' | 'given' | 'ended' = 'waiting'
  let isStarting = true
  let usedBefore: ReadonlyMap<number, number> | undefined
  // An exit that rejects (no such command) is reported by `ready`; there is still something to remove.
  const cleared = started.exit.catch(() => {}).then(() => built.clear())
  const isReady = readReadyLine(answers, started)
  let wasPaused = false
  const signalAll = (name: 'SIGSTOP' | 'SIGCONT') => {
    for (const pid of processesOfSandbox(child.pid)) signal(pid, name)
  }
  const ready = isReady.then(() => {
    isStarting = false
    // A SIGSTOP that was already sent may have taken effect after the program wrote `ready`.
    if (wasPaused) signalAll('SIGCONT')
    started.cpu.reset()
    usedBefore = cpuSecondsByProcess(processesOfSandbox(child.pid))
  })
  // Both are awaited later, by `give`, `end` or the pool; until then a rejection must not count as unhandled.
  for (const each of [cleared, ready]) each.catch(() => {})
  child.once('exit', () => {
    state = 'ended'
    answers.resume()
  })

  return {
    ready,
    isWaiting: () => state === 'waiting',
    memoryBytes: () => memoryBytes(processesOfSandbox(child.pid)),
    async give(document) {
      if (document.signal?.aborted) return cancelledBeforeStart
      if (state !== 'waiting') throw new Error('The process has had its document, or has ended.')
      state = 'given'
      keepEventLoopAlive()
      built.letIn()
      const limits = { ...program.limits, ...document.limits }
      const spec = { limits, ...(document.signal ? { signal: document.signal } : {}) }
      let stdout: Captured | undefined
      const listen = () => {
        stdout = captureInside(started, built, { ...document, limits })
        answers.resume()
      }
      isReady.then(listen, listen)
      requests.end(fieldsOf(document, built.toHost))
      const result = await finishCommand(started, {
        ...built.watched,
        spec,
        stdout: { untrustedText: () => stdout?.untrustedText() ?? '' },
        // A process that is not ready yet was started for this document: the kernel's limit counts from its start.
        ...(usedBefore ? { usedBefore } : {}),
      })
      await cleared
      return withInsidePaths(result, built)
    },
    pause(paused) {
      if (!isStarting) return
      wasPaused = true
      signalAll(paused ? 'SIGSTOP' : 'SIGCONT')
    },
    async end() {
      keepEventLoopAlive()
      // A waiting program ends by itself when its stdin closes. If it were killed, it would stay a zombie until process 1
      // reaps it.
      requests.end()
      const timeout = setTimeout(() => killGroup(child.pid), state === 'waiting' ? endTimeoutMilliseconds : 0)
      await cleared.finally(() => clearTimeout(timeout))
    },
  }
}

/** Reads the line `ready` from stdout; the rest stays in the stream. */
function readReadyLine(answers: Readable, { exit, stderr }: StartedCommand): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = () => {
      const message = stderr.untrustedText().slice(0, 500).trim()
      reject(new Error(`The program ended before it was ready: ${message || 'without a word'}`))
    }
    exit.then(fail, reject)
    let seen = Buffer.alloc(0)
    const onData = (chunk: Buffer) => {
      seen = Buffer.concat([seen, chunk])
      if (seen.length < readyLine.length) return
      answers.off('data', onData)
      answers.pause()
      const isReady = seen.subarray(0, readyLine.length).toString() === readyLine
      const rest = isReady ? seen.subarray(readyLine.length) : seen
      if (rest.length > 0) answers.unshift(rest)
      if (isReady) resolve()
      else reject(new Error('The program did not say that it was ready.'))
    }
    answers.on('data', onData)
    // A broken pipe means that the program has ended, which `exit` reports.
    answers.on('error', () => {})
  })
}

const fieldsOf = ({ args, environment = {} }: DocumentArguments, toHost: (text: string) => string): string =>
  [...Object.entries(environment).map(([name, value]) => `${name}=${value}`), '', ...args]
    .map((field) => `${toHost(field)}\0`)
    .join('')

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch {
    // The process has ended meanwhile.
  }
}

export function captureInside(
  { child }: StartedCommand,
  { toInside }: Built,
  { limits, onStdoutLine }: Pick<SandboxSpec, 'limits' | 'onStdoutLine'>,
): Captured {
  const onLine = onStdoutLine && ((line: string) => onStdoutLine(toInside(line)))
  return capture(child.stdio[1] as Readable, limits.logBytes, onLine)
}

export const withInsidePaths = (result: SandboxResult, { toInside }: Built): SandboxResult => ({
  ...result,
  untrustedStdout: toInside(result.untrustedStdout),
  untrustedStderr: toInside(result.untrustedStderr),
})
