import type { ConversionOptions, Report, SubmitResult } from '@kiln/contract'
import { call } from './call.ts'
import type { CallOptions, Clock } from './clock.ts'
import { openDownload } from './download.ts'
import { ConversionFailedError, ForbiddenError, KilnError, OutputExpiredError } from './errors.ts'
import { choosePair, type PairChoice } from './formats.ts'
import { type KilnInput, openSource } from './input.ts'
import type { Connection } from './options.ts'
import { bytesAsProgress, moved, type OnProgress } from './progress.ts'
import { reportOf } from './report.ts'
import { checkTarget, type SaveOptions, saveToPath, saveToStream, type WritableTarget } from './save.ts'
import { upload } from './upload.ts'
import { type JobState, readJob, waitForEnd } from './wait.ts'

// A complete conversion: submit, upload, wait, download. The idempotency key is created once and kept over all retries,
// so a conversion is charged once. After the submit every error contains the job's id, to continue later.

export interface ProgressOptions {
  onProgress?: OnProgress | undefined
}

export interface OutputOptions extends SaveOptions {
  /** Where the output goes: a path, or a stream, which is ended. */
  output?: string | URL | WritableTarget | undefined
  /** In place of the path `output` where the output is a ZIP archive, as of several pages. */
  archiveOutput?: string | undefined
  /** Bring the report of the conversion too. It costs one request more. */
  report?: boolean | undefined
}

export interface ConvertOptions extends CallOptions, PairChoice, OutputOptions, ProgressOptions {
  /** Length of a stream, if known. It is then sent as it comes, and cannot be sent twice. */
  bytes?: number | undefined
  /** File name of an input without a name; its extension gives the source format. */
  name?: string | undefined
  /** Made if not given. Give your own to be charged once over restarts of your program. */
  idempotencyKey?: string | undefined
  /** Options of the pair; `describe` lists them. */
  options?: ConversionOptions | undefined
}

/** An output that was written where `output` said. */
export interface Saved {
  jobId: string
  bytes: number
  contentType: string | null
  fileName: string | null
  expiresAt: string | null
  /** The report, if `report` was set; null also when the service has none. */
  report: Report | null
}

/** An output to be read now. It comes from the network as it is read. */
export interface Output extends Omit<Saved, 'bytes'> {
  /** Bytes of the output, if the store reports them. */
  bytes: number | null
  stream: ReadableStream<Uint8Array>
}

export interface SubmitOptions extends CallOptions {
  pair: string
  /** Exact length of the file. */
  bytes: number
  idempotencyKey?: string | undefined
  /** Options of the pair; `describe` lists them. */
  options?: ConversionOptions | undefined
}

export interface Submitted extends SubmitResult {
  /** The key that the submit went under; the same key again gives the same job. */
  idempotencyKey: string
}

export async function submit(
  connection: Connection,
  clock: Clock,
  options: SubmitOptions,
): Promise<Submitted> {
  const idempotencyKey = options.idempotencyKey ?? crypto.randomUUID()
  const { body } = await call<SubmitResult>(connection, clock, {
    method: 'POST',
    path: '/v1/conversions',
    headers: { 'idempotency-key': idempotencyKey },
    // Without any the body is that of the plain interface.
    body: { pair: options.pair, bytes: options.bytes, ...(options.options && { options: options.options }) },
  })
  return { ...body, idempotencyKey }
}

export async function convert(
  connection: Connection,
  clock: Clock,
  input: KilnInput,
  options: ConvertOptions,
): Promise<Saved | Output> {
  const output = await pathOf(options.output)
  if (typeof output === 'string') await checkTarget(output, options)
  const source = await openSource(input, options.bytes, clock)
  let job: Submitted
  try {
    const pair = choosePair(options, options.name ?? source.name, typeof output === 'string' ? output : null)
    const order = { ...options, pair, bytes: source.bytes }
    job = await submit(connection, clock, order)
    const { jobId, idempotencyKey } = job
    const onBytes = bytesAsProgress(options.onProgress, jobId, source)
    const send = ({ uploadUrl }: Submitted) => upload(connection, clock, { url: uploadUrl, source, onBytes })
    await withJob(jobId, clock, () =>
      send(job).catch(async (error) => {
        if (!(error instanceof ForbiddenError) || !source.replayable) throw error
        // The upload link has expired meanwhile; the replay of the submit brings a fresh one.
        await send(await submit(connection, clock, { ...order, idempotencyKey }))
      }),
    )
  } finally {
    await source.close()
  }
  return finish(connection, clock, job.jobId, { ...options, output })
}

/** Fetches the output of a job: when it has ended, or as it is now. */
export function finish(
  connection: Connection,
  clock: Clock,
  jobId: string,
  options: OutputOptions & ProgressOptions,
  isWaitedFor = true,
): Promise<Saved | Output> {
  return withJob(jobId, clock, async () => {
    const output = await pathOf(options.output)
    if (typeof output === 'string') await checkTarget(output, options)
    const job = await (isWaitedFor
      ? waitForEnd(connection, clock, jobId, options.onProgress)
      : readJob(connection, clock, jobId))
    return fetchOutput(connection, clock, job, { ...options, output })
  })
}

async function fetchOutput(
  connection: Connection,
  clock: Clock,
  job: JobState,
  {
    output,
    archiveOutput,
    onProgress,
    overwrite,
    followLinks,
    report: isReportWanted = false,
  }: OutputOptions & ProgressOptions & { output: string | WritableTarget | undefined },
): Promise<Saved | Output> {
  const { jobId, expiresAt } = job
  const report = isReportWanted ? await reportOf(connection, clock, job) : null
  const opened = await openDownload(connection, clock, requireLink(job, report)).catch(async (error) => {
    // A link may expire between the poll and its use; a fresh one shows whether the output still exists.
    if (!(error instanceof ForbiddenError) && (error as KilnError).code !== 'not-found') throw error
    return openDownload(connection, clock, requireLink(await readJob(connection, clock, jobId), report))
  })
  const { bytes, contentType, fileName } = opened
  let loaded = 0
  async function* pieces() {
    onProgress?.(moved('download', jobId, 0, bytes))
    for await (const piece of opened.pieces()) {
      yield piece
      loaded += piece.byteLength
      onProgress?.(moved('download', jobId, loaded, bytes))
    }
  }
  const facts = { jobId, contentType, fileName, expiresAt, report }
  if (output === undefined) return { ...facts, bytes, stream: streamOf(pieces(), clock, opened.close) }
  if (typeof output === 'string') {
    const path = archiveOutput !== undefined && contentType === 'application/zip' ? archiveOutput : output
    await saveToPath(path, pieces(), { overwrite, followLinks })
  } else await saveToStream(output, pieces())
  return { ...facts, bytes: loaded }
}

function requireLink(job: JobState, report: Report | null): string {
  const facts = { jobId: job.jobId }
  if (job.status === 'failed') {
    const message = job.error ?? 'The conversion failed, and no reason was given.'
    throw new ConversionFailedError(message, { ...facts, report })
  }
  if (job.status !== 'done') {
    throw new KilnError(
      'invalid-options',
      `The job is still ${job.status}. Use wait() first, or resume().`,
      facts,
    )
  }
  if (job.downloadUrl === null) {
    const since = job.expiresAt === null ? '' : ` (it expired at ${job.expiresAt})`
    throw new OutputExpiredError(
      'output-expired',
      `The output is no longer there${since}. Convert the file again.`,
      facts,
    )
  }
  return job.downloadUrl
}

/** A stream that reads on demand, and keeps the call's clock running until it is read or cancelled. */
function streamOf(
  pieces: AsyncGenerator<Uint8Array>,
  clock: Clock,
  close: () => Promise<void>,
): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await pieces.next()
          if (!done) return controller.enqueue(value)
          clock.end()
          controller.close()
        } catch (error) {
          clock.end()
          controller.error(clock.explain(error))
        }
      },
      async cancel() {
        clock.end()
        await pieces.return(undefined)
        // A stream that was never read does not end by itself.
        await close()
      },
    },
    { highWaterMark: 0 },
  )
}

/** Adds the id of the job to every error. */
async function withJob<T>(jobId: string, clock: Clock, run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    const reason = clock.explain(error)
    if (reason instanceof KilnError) reason.jobId ??= jobId
    throw reason
  }
}

async function pathOf(output: OutputOptions['output']): Promise<string | WritableTarget | undefined> {
  if (!(output instanceof URL)) return output
  const { fileURLToPath } = await import('node:url')
  return fileURLToPath(output)
}
