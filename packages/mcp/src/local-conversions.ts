import { type ConversionOptions, KilnError, type Progress, type Saved } from '@kiln/client'
import type { CallToolResult, ServerContext } from '@modelcontextprotocol/server'
import type { AllowedFolders, OutputPlace } from './allowed-folders.ts'
import { type ConversionAnswer, conversionResult } from './answers.ts'
import { begin, type Work, type WorkList } from './background.ts'
import { nextPage, type Reading, readOutput, readReport } from './output-text.ts'
import { reportTo } from './progress.ts'
import { signalOf, type ToolParts } from './tools.ts'

// Conversions of files on the agent's disk that continue in the background when they take longer than a host waits.

export interface LocalParts {
  files: AllowedFolders
  running: WorkList<Conversion>
  parts: ToolParts
}

export interface Conversion {
  work: Work<Saved>
  shown: string
  /** The progress listener of the call that waits now. */
  listener: (progress: Progress) => void
  stage: Progress['stage']
}

export interface Started {
  jobId: string | null
  conversion: Conversion
}

/** The key of a job in the list of running conversions. */
export const keyOf = ({ owner = '' }: ToolParts, jobId: string): string => `${owner} ${jobId}`

/** Opens the files and starts the conversion; the first progress event contains the job's id. */
export async function startConversion(
  { files, parts: { kiln } }: LocalParts,
  inputPath: string,
  outputPath: string,
  options: { from: string; to: string; overwrite: boolean; options: ConversionOptions | undefined },
): Promise<Started> {
  const input = await files.openInput(inputPath)
  const output = await files.openOutput(outputPath).catch(async (error) => {
    await input.close()
    throw error
  })
  return beginWith(output, async (signal, onProgress) => {
    try {
      const call = kiln.convert(input.path, { ...options, ...target(output), signal, onProgress })
      return await named(output, call.catch(renamed(input.path, inputPath)))
    } finally {
      await input.close()
    }
  })
}

export async function resumeConversion(
  { files, parts: { kiln } }: LocalParts,
  jobId: string,
  outputPath: string,
  replace: boolean,
): Promise<Started> {
  const output = await files.openOutput(outputPath)
  const started = beginWith(output, (signal, onProgress) =>
    named(output, kiln.resume(jobId, { ...target(output), overwrite: replace, signal, onProgress })),
  )
  started.jobId = jobId
  return started
}

function beginWith(
  output: OutputPlace,
  run: (signal: AbortSignal, onProgress: (progress: Progress) => void) => Promise<Saved>,
): Started {
  const conversion: Conversion = {
    work: begin(runAndClose),
    shown: output.shown,
    listener: () => {},
    stage: 'upload',
  }
  const started: Started = { jobId: null, conversion }
  async function runAndClose(signal: AbortSignal): Promise<Saved> {
    try {
      return await run(signal, (progress) => {
        started.jobId = progress.jobId
        conversion.stage = progress.stage
        conversion.listener(progress)
      })
    } finally {
      await output.close()
    }
  }
  return started
}

/** Waits for a conversion as long as a host does, and reports its progress. */
export async function follow(
  local: LocalParts,
  started: Started,
  context: ServerContext,
  isFirst: boolean,
  wanted: Reading,
): Promise<CallToolResult> {
  const { running, parts } = local
  const { kiln } = parts
  const { conversion } = started
  conversion.listener = reportTo(context)
  const signal = signalOf(context, parts)
  try {
    let waited = await conversion.work.wait(parts.answerWithin, signal, parts.hurry)
    // The job's id is the least that an answer needs; there are some seconds left for it.
    for (let turn = 0; !waited.ended && started.jobId === null && turn < 100; turn++) {
      waited = await conversion.work.wait(100, signal)
    }
    if (waited.ended) {
      if (started.jobId !== null) running.delete(keyOf(parts, started.jobId))
      const { jobId, bytes } = waited.value
      return conversionResult({
        status: 'done',
        job_id: jobId,
        output_path: conversion.shown,
        bytes,
        ...(await readReport(kiln, jobId, signal)),
        ...(await textOf(parts, jobId, wanted, signal)),
      })
    }
  } catch (error) {
    // A cancelled first call takes its work with it; a later one only stops waiting.
    if (isFirst && signal.aborted) {
      conversion.work.cancel()
      // Its id was not returned to anyone, so it could never be picked up.
      if (started.jobId !== null) await kiln.delete(started.jobId, { timeout: 10_000 }).catch(() => {})
    }
    if (!signal.aborted && started.jobId !== null) running.delete(keyOf(parts, started.jobId))
    throw error
  } finally {
    conversion.listener = () => {}
  }
  const { jobId } = started
  if (jobId === null) {
    conversion.work.cancel()
    throw new KilnError('connection', 'The service did not take the job in time.')
  }
  running.set(keyOf(parts, jobId), conversion)
  return conversionResult({
    status: conversion.stage === 'queue' || conversion.stage === 'upload' ? 'queued' : 'processing',
    job_id: jobId,
    output_path: conversion.shown,
    next: `It is still going on. Call check_conversion with job_id "${jobId}".`,
  })
}

/** The text of an output, if the agent asked for it. */
async function textOf(parts: ToolParts, jobId: string, wanted: Reading, signal: AbortSignal) {
  if (wanted.max_characters === undefined && wanted.page === undefined) return {}
  const { part } = await readOutput(parts, jobId, wanted, signal)
  const next = nextPage(jobId, part, wanted)
  return { ...part, ...(next === undefined ? {} : { next }) }
}

/** The state of a job whose output path is not known in this process. */
export async function stateOf(
  { parts }: LocalParts,
  jobId: string,
  context: ServerContext,
  wanted: Reading,
): Promise<CallToolResult> {
  const { kiln } = parts
  const job = await kiln.get(jobId, { signal: signalOf(context, parts), timeout: 30_000 })
  if (job.status === 'failed' || (job.status === 'done' && job.downloadUrl === null)) {
    // Throws the library's error, which has the reason.
    await kiln.download(jobId, { signal: signalOf(context, parts), timeout: 10_000 })
  }
  const answer: ConversionAnswer = {
    status: job.status === 'done' ? 'done' : job.status === 'processing' ? 'processing' : 'queued',
    job_id: jobId,
    next: 'Call check_conversion again with output_path, to wait for the output and write it there.',
  }
  if (job.downloadUrl !== null) answer.download_url = job.downloadUrl
  if (job.expiresAt !== null) answer.expires_at = job.expiresAt
  if (job.status !== 'done') return conversionResult(answer)
  const signal = signalOf(context, parts)
  return conversionResult({
    ...answer,
    ...(await readReport(kiln, jobId, signal)),
    ...(await textOf(parts, jobId, wanted, signal)),
  })
}

const target = ({ path }: OutputPlace) => ({ output: path, followLinks: false })

/** Messages name the path that the agent gave, not the handle behind it. */
const named = <T>({ path, shown }: OutputPlace, promise: Promise<T>): Promise<T> =>
  promise.catch(renamed(path, shown))

const renamed = (path: string, shown: string) => (error: unknown) => {
  if (error instanceof Error) error.message = error.message.replaceAll(path, () => shown)
  throw error
}
