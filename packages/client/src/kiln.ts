import type { ConversionPair, FormatsResponse, PairDescription, Report, UsageSnapshot } from '@kiln/contract'
import { call } from './call.ts'
import { type CallOptions, type Clock, onClock, startClock } from './clock.ts'
import {
  type ConvertOptions,
  convert,
  finish,
  type Output,
  type OutputOptions,
  type ProgressOptions,
  type Saved,
  type SubmitOptions,
  type Submitted,
  submit,
} from './convert.ts'
import { type KilnInput, openSource } from './input.ts'
import { type Connection, type KilnOptions, readOptions } from './options.ts'
import { bytesAsProgress } from './progress.ts'
import { upload } from './upload.ts'
import { type JobState, readJob, readReport, waitForEnd } from './wait.ts'

// Default deadlines: two minutes for a request with all its retries, and an hour, the lifetime of links, for a conversion
// with its upload and download.
const requestTimeout = 120_000
const conversionTimeout = 3_600_000

export interface UploadOptions extends CallOptions, ProgressOptions {
  /** Length of a stream, if known. */
  bytes?: number | undefined
}

export type FinishOptions = CallOptions & OutputOptions & ProgressOptions

/**
 * A Kiln service, as one account sees it.
 *
 *     const kiln = new Kiln({ apiKey: 'kiln_live_…' })
 *     await kiln.convert('report.docx', { output: 'report.pdf' })
 *
 * Every method takes a `signal` and a `timeout` in milliseconds, and throws a KilnError.
 */
export class Kiln {
  readonly #connection: Connection

  constructor(options: KilnOptions = {}) {
    this.#connection = readOptions(options)
  }

  /** Base address of the service. */
  get baseUrl(): string {
    return this.#connection.baseUrl
  }

  /** The pairs that the service converts. Needs no key. */
  formats(options: CallOptions = {}): Promise<ConversionPair[]> {
    return onClock(options, requestTimeout, async (clock) => {
      const request = { path: '/v1/formats', isPublic: true }
      return (await call<FormatsResponse>(this.#connection, clock, request)).body.pairs
    })
  }

  /** A pair and its options, as a JSON Schema. Needs no key. */
  describe(pair: string, options: CallOptions = {}): Promise<PairDescription> {
    return onClock(options, requestTimeout, async (clock) => {
      const request = { path: `/v1/formats/${encodeURIComponent(pair)}`, isPublic: true }
      return (await call<PairDescription>(this.#connection, clock, request)).body
    })
  }

  /** Usage of the account in this month, and its balance. */
  usage(options: CallOptions = {}): Promise<UsageSnapshot> {
    return onClock(
      options,
      requestTimeout,
      async (clock) => (await call<UsageSnapshot>(this.#connection, clock, { path: '/v1/usage' })).body,
    )
  }

  /** Submits a conversion. The job waits for its upload. */
  submit(options: SubmitOptions): Promise<Submitted> {
    return onClock(options, requestTimeout, (clock) => submit(this.#connection, clock, options))
  }

  /** Sends the file of a submitted job. Sent again, it replaces the first until the conversion starts. */
  upload(
    job: Pick<Submitted, 'jobId' | 'uploadUrl'>,
    input: KilnInput,
    options: UploadOptions = {},
  ): Promise<void> {
    return onClock(options, conversionTimeout, async (clock) => {
      const source = await openSource(input, options.bytes, clock)
      const onBytes = bytesAsProgress(options.onProgress, job.jobId, source)
      try {
        await upload(this.#connection, clock, { url: job.uploadUrl, source, onBytes })
      } finally {
        await source.close()
      }
    })
  }

  /** The job as it is now. */
  get(jobId: string, options: CallOptions = {}): Promise<JobState> {
    return onClock(options, requestTimeout, (clock) => readJob(this.#connection, clock, jobId))
  }

  /** The report of a job that has ended: substituted fonts, omitted content, warnings. */
  report(jobId: string, options: CallOptions = {}): Promise<Report> {
    return onClock(options, requestTimeout, (clock) => readReport(this.#connection, clock, jobId))
  }

  /** Waits until the job is `done` or `failed`, and returns it either way. */
  wait(jobId: string, options: CallOptions & ProgressOptions = {}): Promise<JobState> {
    return onClock(options, conversionTimeout, (clock) =>
      waitForEnd(this.#connection, clock, jobId, options.onProgress),
    )
  }

  /**
   * Cancels a job that waits or runs, which is then not charged, and deletes its input and output at once. For a done
   * job only the output is deleted. Safe to repeat.
   */
  delete(jobId: string, options: CallOptions = {}): Promise<void> {
    return onClock(options, requestTimeout, async (clock) => {
      const path = `/v1/conversions/${encodeURIComponent(jobId)}`
      await call(this.#connection, clock, { method: 'DELETE', path })
    })
  }

  /** The output of a job that is done: written to `output`, or as a stream. */
  download(
    jobId: string,
    options: FinishOptions & { output: NonNullable<OutputOptions['output']> },
  ): Promise<Saved>
  download(jobId: string, options?: FinishOptions & { output?: undefined }): Promise<Output>
  download(jobId: string, options: FinishOptions = {}): Promise<Saved | Output> {
    return this.#untilRead(options, (clock) => finish(this.#connection, clock, jobId, options, false))
  }

  /** Continues a job whose file was uploaded, by this process or an earlier one: waits, then downloads. */
  resume(
    jobId: string,
    options: FinishOptions & { output: NonNullable<OutputOptions['output']> },
  ): Promise<Saved>
  resume(jobId: string, options?: FinishOptions & { output?: undefined }): Promise<Output>
  resume(jobId: string, options: FinishOptions = {}): Promise<Saved | Output> {
    return this.#untilRead(options, (clock) => finish(this.#connection, clock, jobId, options))
  }

  /** A complete conversion: submit, upload, wait, download. */
  convert(
    input: KilnInput,
    options: ConvertOptions & { output: NonNullable<OutputOptions['output']> },
  ): Promise<Saved>
  convert(input: KilnInput, options: ConvertOptions & { output?: undefined }): Promise<Output>
  convert(input: KilnInput, options: ConvertOptions): Promise<Saved | Output> {
    return this.#untilRead(options, (clock) => convert(this.#connection, clock, input, options))
  }

  /** With an output to write to, the call ends when it is written; else its clock runs until it is read. */
  async #untilRead(
    options: CallOptions & OutputOptions,
    run: (clock: Clock) => Promise<Saved | Output>,
  ): Promise<Saved | Output> {
    if (options.output !== undefined) return onClock(options, conversionTimeout, run)
    const clock = startClock(options, conversionTimeout)
    try {
      clock.check()
      return await run(clock)
    } catch (error) {
      clock.end()
      throw clock.explain(error)
    }
  }
}
