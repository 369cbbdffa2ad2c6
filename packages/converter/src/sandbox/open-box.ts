import type { Socket } from 'node:net'
import type { Readable, Writable } from 'node:stream'
import { type Captured, capture } from './captured-output.ts'
import { cancelledBeforeStart } from './endings.ts'
import { heldBytes } from './held-memory.ts'
import { processesOfBox } from './process-tree.ts'
import { processorSeconds } from './processor-time.ts'
import { type CommandRun, finishCommand, type StartedCommand } from './run-command.ts'
import type { Box, BoxResult } from './sandbox.ts'
import { killGroup } from './spawn-command.ts'
import type { Given, OpenBox, WaitingProgram } from './waiting-box.ts'

// What waiting-box.ts tells, carried out with a command that is started.

/** A box as its level has made it ready to start. */
export interface Built {
  start(stdin: 'ignore' | 'pipe'): StartedCommand
  watched: Pick<CommandRun, 'watchedFolders' | 'outcome'>
  /** Opens to the engine user what was put into the folders since. */
  letIn(): void
  toHost(text: string): string
  toInside(untrustedText: string): string
  /** Removes what was made for the box. */
  clear(): Promise<void>
}

const readyLine = 'ready\n'
// How long a program that is told to end may take for it.
const patienceMilliseconds = 3000

export function openBox(program: WaitingProgram, built: Built): OpenBox {
  const started = built.start('pipe')
  const { child } = started
  const [requests, answers] = [child.stdio[0] as Writable, child.stdio[1] as Readable]
  // Writing to a box that has just ended is no fault of the writer; its end tells.
  requests.on('error', () => {})
  // A box that only waits does not keep us from ending.
  const handles = [child, ...(child.stdio.slice(0, 4) as unknown as Socket[])]
  for (const handle of handles) handle.unref()
  const keepUs = () => {
    for (const handle of handles) handle.ref()
  }
  let state: 'waiting' | 'given' | 'ended' = 'waiting'
  let isStarting = true
  let usedBefore: ReadonlyMap<number, number> | undefined
  const cleared = started.exit.catch(() => {}).then(() => built.clear())
  const isReady = firstLine(answers, started)
  let wasPaused = false
  const tellAll = (name: 'SIGSTOP' | 'SIGCONT') => {
    for (const pid of processesOfBox(child.pid)) signal(pid, name)
  }
  const ready = isReady.then(() => {
    isStarting = false
    // A stop that was on its way may have come after the line that says that the program is ready.
    if (wasPaused) tellAll('SIGCONT')
    usedBefore = processorSeconds(processesOfBox(child.pid))
  })
  for (const each of [cleared, ready]) each.catch(() => {})
  child.once('exit', () => {
    state = 'ended'
    answers.resume()
  })

  return {
    ready,
    isWaiting: () => state === 'waiting',
    heldBytes: () => heldBytes(processesOfBox(child.pid)),
    async give(document) {
      if (document.signal?.aborted) return cancelledBeforeStart
      if (state !== 'waiting') throw new Error('The box has had its document, or has ended.')
      state = 'given'
      keepUs()
      built.letIn()
      const limits = { ...program.limits, ...document.limits }
      const box = { limits, ...(document.signal ? { signal: document.signal } : {}) }
      let stdout: Captured | undefined
      const listen = () => {
        stdout = captureInside(started, built, { ...document, limits })
        answers.resume()
      }
      isReady.then(listen, listen)
      requests.end(fieldsOf(document, built.toHost))
      const result = await finishCommand(started, {
        ...{ box, ...built.watched },
        stdout: { untrustedText: () => stdout?.untrustedText() ?? '' },
        // One that is not ready yet was opened for this document: the kernel counts from its start.
        ...(usedBefore ? { usedBefore } : {}),
      })
      await cleared
      return withInsidePaths(result, built)
    },
    pause(paused) {
      if (!isStarting) return
      wasPaused = true
      tellAll(paused ? 'SIGSTOP' : 'SIGCONT')
    },
    async end() {
      keepUs()
      // One that waits is told to end. A killed box would stay in the table of processes until process 1 takes note.
      requests.end()
      const patience = setTimeout(() => killGroup(child.pid), state === 'waiting' ? patienceMilliseconds : 0)
      await cleared.finally(() => clearTimeout(patience))
    },
  }
}

/** Takes the line that says that the program is ready off its output; what follows is for whoever reads next. */
function firstLine(answers: Readable, { exit, stderr }: StartedCommand): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = () => {
      const said = stderr.untrustedText().slice(0, 500).trim()
      reject(new Error(`The program ended before it was ready: ${said || 'without a word'}`))
    }
    exit.then(fail, reject)
    let seen = Buffer.alloc(0)
    const look = (chunk: Buffer) => {
      seen = Buffer.concat([seen, chunk])
      if (seen.length < readyLine.length) return
      answers.off('data', look)
      answers.pause()
      const isReady = seen.subarray(0, readyLine.length).toString() === readyLine
      const rest = isReady ? seen.subarray(readyLine.length) : seen
      if (rest.length > 0) answers.unshift(rest)
      if (isReady) resolve()
      else reject(new Error('The program did not say that it was ready.'))
    }
    answers.on('data', look)
    answers.on('error', () => {})
  })
}

const fieldsOf = ({ args, environment = {} }: Given, toHost: (text: string) => string): string =>
  [...Object.entries(environment).map(([name, value]) => `${name}=${value}`), '', ...args]
    .map((field) => `${toHost(field)}\0`)
    .join('')

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch {
    // It ended meanwhile.
  }
}

export function captureInside(
  { child }: StartedCommand,
  { toInside }: Built,
  { limits, onStdoutLine }: Pick<Box, 'limits' | 'onStdoutLine'>,
): Captured {
  const onLine = onStdoutLine && ((line: string) => onStdoutLine(toInside(line)))
  return capture(child.stdio[1] as Readable, limits.logBytes, onLine)
}

export const withInsidePaths = (result: BoxResult, { toInside }: Built): BoxResult => ({
  ...result,
  untrustedStdout: toInside(result.untrustedStdout),
  untrustedStderr: toInside(result.untrustedStderr),
})
