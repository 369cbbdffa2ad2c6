import { mkdir } from 'node:fs/promises'
import { ConversionFailedError, KilnError } from '../errors.ts'
import { isTextFormat } from '../formats.ts'
import { fileError } from '../input.ts'
import { reportLines } from '../report-text.ts'
import { type Parsed, readCount, UsageError } from './arguments.ts'
import type { Row } from './display.ts'
import { exitCodeOfAll } from './exit-codes.ts'
import { type Convert, type Io, openDisplay, printJson, stdoutTarget } from './io.ts'
import { type PlannedFile, planFiles } from './plan-files.ts'
import { harmless } from './text.ts'

// `kiln convert`. Converts a few files concurrently; a failed file does not stop the others.

// How long a terminal waits for the second Ctrl-C; a script is not held up.
const secondWithin = 2000

export async function convertFiles(
  openConvert: (files: number) => Promise<Convert> | Convert,
  cancel: ((jobId: string) => Promise<void>) | null,
  parsed: Parsed,
  io: Io,
): Promise<number> {
  const files = await planFiles(parsed)
  const json = parsed.flag('json')
  refuseStdout(files, json, io)
  const folder = parsed.text('out-dir')
  if (folder !== undefined) {
    await mkdir(folder, { recursive: true }).catch((error) => {
      throw fileError('write', folder, error)
    })
  }
  const atOnce = readCount('jobs', parsed.text('jobs'), 4, 64)
  const convert = await openConvert(files.length)
  const display = openDisplay(parsed, io)
  const errors: unknown[] = []
  const waiting = [...files]
  const work = async () => {
    for (let file = waiting.shift(); file !== undefined; file = waiting.shift()) {
      const row = display.add(file.input === '-' ? 'stdin' : file.input)
      await convertFile(convert, parsed, io, file, row).catch((error: unknown) => {
        errors.push(error)
        const report = error instanceof ConversionFailedError ? error.report : null
        row.failed(sentenceOf(error), report ? reportLines(report) : [])
        const facts = parsed.flag('report') ? { report } : {}
        if (json) printJson(io, { input: file.input, output: null, ...facts, error: errorFacts(error) })
        // No further file is started after Ctrl-C.
        if (io.signal.aborted) waiting.length = 0
      })
    }
  }
  try {
    await Promise.all(Array.from({ length: Math.min(atOnce, files.length) }, work))
  } finally {
    display.end()
  }
  if (files.length > 1 && errors.length > 0 && !parsed.flag('quiet')) {
    io.stderr.write(`${errors.length} of ${files.length} files were not converted.\n`)
  }
  if (cancel && io.signal.aborted) await offerToCancel(errors, cancel, io)
  return exitCodeOfAll(errors)
}

/** Jobs that were submitted before Ctrl-C continue at the service. A second Ctrl-C cancels them. */
async function offerToCancel(
  errors: readonly unknown[],
  cancel: (jobId: string) => Promise<void>,
  { stderr, interruptedAgain }: Io,
): Promise<void> {
  const jobs = errors.flatMap((error) =>
    error instanceof KilnError && error.code === 'aborted' && error.jobId !== null ? [error.jobId] : [],
  )
  if (jobs.length === 0 || !stderr.isTTY || !interruptedAgain) return
  const [it, is] = jobs.length === 1 ? ['it', 'it is'] : ['them', 'they are']
  stderr.write(`Press Ctrl-C again to cancel ${it} at the service; otherwise ${is} converted.\n`)
  if (!(await interruptedAgain(secondWithin))) return
  const ends = await Promise.allSettled(jobs.map(cancel))
  const failed = ends.find((end) => end.status === 'rejected')
  stderr.write(
    failed ? `Not cancelled: ${harmless(sentenceOf(failed.reason))}\n` : 'Cancelled, and not charged.\n',
  )
}

async function convertFile(
  convert: Convert,
  parsed: Parsed,
  io: Io,
  file: PlannedFile,
  row: Row,
): Promise<void> {
  const began = Date.now()
  const saved = await convert(file.input === '-' ? io.stdin : file.input, {
    from: file.from,
    to: file.to,
    output: file.output === '-' ? stdoutTarget(io) : file.output,
    archiveOutput: file.archiveOutput,
    overwrite: !parsed.flag('no-clobber'),
    signal: io.signal,
    timeout: parsed.timeout,
    onProgress: row.progress,
    report: parsed.flag('report'),
    optionTexts: parsed.list('option'),
  })
  const milliseconds = Date.now() - began
  const { jobId, bytes, contentType } = saved
  const output = (contentType === 'application/zip' && file.archiveOutput) || file.output
  const report = parsed.flag('report') ? { report: saved.report } : {}
  const lines = report.report ? reportLines(report.report) : []
  row.done({ output: output === '-' ? 'stdout' : output, bytes, milliseconds, report: lines })
  if (parsed.flag('json')) {
    const seconds = milliseconds / 1000
    const { input, to } = file
    printJson(io, { input, output, to, jobId, bytes, seconds, ...report, error: null })
  }
}

function refuseStdout(files: readonly PlannedFile[], json: boolean, { stdout }: Io): void {
  const file = files.find(({ output }) => output === '-')
  if (file === undefined) return
  if (json) throw new UsageError('--json needs stdout for itself. Name a file for the output.')
  if (stdout.isTTY && !isTextFormat(file.to)) {
    throw new UsageError(`${file.to} is not for a terminal. Name a file for the output, or pipe it on.`)
  }
}

/** The message, and what to do next. */
export function sentenceOf(error: unknown): string {
  if (!(error instanceof KilnError)) return error instanceof Error ? error.message : String(error)
  if (error.code === 'unauthenticated' && error.status === null)
    return 'This needs an API key: set KILN_API_KEY, or run: kiln login'
  const hints = [
    error.requestId !== null && error.code === 'internal' ? `Request id: ${error.requestId}.` : '',
    error.jobId !== null && isResumable.has(error.code)
      ? `Go on with: kiln job ${error.jobId} --output FILE`
      : '',
    error.code === 'unauthenticated' ? 'See: kiln login --help' : '',
    error.code === 'unknown-pair' ? 'See: kiln formats' : '',
  ]
  return [error.message, ...hints.filter((hint) => hint !== '')].join(' ')
}

const isResumable = new Set([
  'aborted',
  'connection',
  'file',
  'internal',
  'rate-limited',
  'timeout',
  'unavailable',
])

export function errorFacts(error: unknown): Record<string, unknown> {
  if (!(error instanceof KilnError)) return { code: 'other', message: sentenceOf(error) }
  const { code, message, status, requestId, retryAfter, jobId } = error
  return { code, message, status, requestId, retryAfter, jobId }
}
