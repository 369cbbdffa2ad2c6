import { describe, expect, it } from 'vitest'
import { ConversionFailed } from '../failure.ts'
import type { SandboxResult } from '../sandbox/sandbox.ts'
import { explainEnd } from './ffmpeg/failure.ts'
import { judgeEnding } from './judge-ending.ts'
import { officeFailure } from './libreoffice/failure.ts'
import { failureOf as pandocFailure } from './pandoc/failure.ts'
import { failureOf as pdfFailure } from './pdf/failure.ts'

const { signal } = new AbortController()
const ended = (rest: Partial<SandboxResult>): SandboxResult => ({
  ending: 'exited',
  exitCode: null,
  signal: null,
  untrustedStdout: '',
  untrustedStderr: '',
  milliseconds: 1,
  cpuSeconds: 0,
  ...rest,
})
const wordOf = (error: Error | undefined) =>
  error instanceof ConversionFailed ? error.word : error === undefined ? 'none' : 'tried again'

const engines: Record<string, (result: SandboxResult) => Promise<Error | undefined> | Error | undefined> = {
  ffmpeg: (result) => explainEnd(result, 'ffmpeg', signal),
  libreoffice: (result) => officeFailure({ result, untrustedReport: '' }, '/in/input.docx', signal),
  pandoc: (result) => pandocFailure(result, 'DOCX', signal),
  pdf: (result) => pdfFailure(result, signal),
}

describe.each(Object.entries(engines))('%s', (_name, judge) => {
  it.each([
    ['wall-limit', 'SIGKILL', 'timeout'],
    ['cpu-limit', 'SIGXCPU', 'too-complex'],
    ['disk-limit', 'SIGKILL', 'too-complex'],
    ['memory-limit', 'SIGKILL', 'too-complex'],
    ['killed', 'SIGKILL', 'tried again'],
    ['cancelled', 'SIGKILL', 'tried again'],
  ] as const)('%s by %s is %s', async (ending, signalName, word) => {
    expect(wordOf(await judge(ended({ ending, signal: signalName })))).toBe(word)
  })

  it.each(['SIGSEGV', 'SIGABRT', 'SIGBUS', 'SIGILL'])('a crash by %s is the file’s fault', async (crash) => {
    const word = wordOf(await judge(ended({ ending: 'killed', signal: crash })))
    expect(['corrupt-input', 'too-complex']).toContain(word)
  })
})

const sentences = { tooLong: 'Long.', tooLarge: 'Large.', outOfMemory: 'Memory.', crashed: 'Crash.' }

it('ends with the reason of the cancellation', () => {
  const reason = new Error('The worker stops.')
  const cancelled = judgeEnding(ended({ ending: 'cancelled' }), {
    engine: 'x',
    sentences,
    signal: AbortSignal.abort(reason),
  })
  expect(cancelled).toBe(reason)
})

it('believes a report of success before a crash, never before a limit', () => {
  const judge = (result: Partial<SandboxResult>) =>
    wordOf(judgeEnding(ended(result), { engine: 'x', sentences, signal, report: 'done' }))
  expect(judge({ ending: 'killed', signal: 'SIGSEGV' })).toBe('none')
  expect(judge({ ending: 'wall-limit', signal: 'SIGKILL' })).toBe('timeout')
})
