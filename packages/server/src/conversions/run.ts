import { ConversionFailed, type Converter } from '@kiln/converter'
import { findPair, type HouseStyle, internalPairs, type Pair, usesOfStyle } from '@kiln/converter/catalog'
import type { Database, Trx } from '../db/connect.ts'
import { readStyle } from '../db/house-styles.ts'
import {
  addCpuSeconds,
  beginJob,
  type Outcome,
  recordOutcome,
  type SettledJob,
  type StartedJob,
  writeProgress,
} from '../db/jobs.ts'
import type { Log } from '../log/log.ts'
import type { Work } from '../queue/queue.ts'
import { inputObject, outputObject } from '../storage/object-names.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import type { Tracing } from '../telemetry/tracing.ts'
import { type EndJob, LeaseLost } from './end-job.ts'
import type { EngineHealth } from './engine-health.ts'
import { isOutage } from './failed-attempts.ts'
import type { JobStorage } from './job-storage.ts'

// Steps 4 to 6: a worker runs one job: begin, convert, record, clean up and settle. state-machine.md describes what
// each step leaves behind if the worker dies after it. Every step names the attempt, so a worker that lost its lease
// changes nothing; the name of its stored output contains the attempt, and the output is swept. A ConversionFailed ends
// the job. Any other error is ours: the queue retries the job later.

export interface RunParts {
  database: Database
  storage: JobStorage
  converter: Pick<Converter, 'convertFile'>
  /** The pairs that are offered. */
  pairs: readonly Pair[]
  log: Log
  metrics: Metrics
  tracing: Tracing
  endJob: EndJob
  health: Pick<EngineHealth, 'succeeded' | 'failed'>
}

export function createRunner(parts: RunParts) {
  const { database, storage, tracing } = parts
  const convert = async (
    job: StartedJob,
    parent: string | null,
    { signal, meter }: Attempt,
  ): Promise<Outcome> => {
    const pair = [...parts.pairs, ...internalPairs].find(({ slug }) => slug === job.pair)
    if (!pair) throw new ConversionFailed('unsupported', 'This pair is no longer offered.')
    const options = await storage.optionsOf(job)
    const object = outputObject(job.id, job.attempt)
    const attributes = { 'kiln.engine': pair.engine, 'kiln.pair': pair.slug }
    const { bytes, report } = await parts.converter.convertFile({
      pair,
      ...(options ? { options } : {}),
      style: () => styleOf(parts, job, pair),
      owner: job.accountId,
      signal,
      onCpuSeconds(seconds) {
        meter.cpuSeconds += seconds
      },
      onProgress: progressWriter(parts, job),
      input: (path) => tracing.span('fetch', { parent }, () => storage.fetch(inputObject(job.id), path)),
      onStep: (name, work) =>
        tracing.span(name === 'convert' ? 'engine' : name, { parent, attributes }, work),
      output: (path, bytes) =>
        tracing.span('store', { parent, attributes: { 'kiln.bytes': bytes } }, () =>
          storage.store(path, object),
        ),
    })
    return { kind: 'done', outputObject: object, outputBytes: bytes, report }
  }

  const outcomeOf = async (job: StartedJob, attempt: Attempt): Promise<Outcome> => {
    const { signal } = attempt
    const attributes = { 'kiln.job': job.id, 'kiln.pair': job.pair, 'kiln.attempt': job.attempt }
    try {
      const done = await tracing.span('convert', { parent: job.traceParent, attributes }, (own) =>
        convert(job, own, attempt),
      )
      parts.health.succeeded(engineOf(job))
      return done
    } catch (error) {
      if (!signal.aborted && isInternal(error)) parts.health.failed(engineOf(job), job.id)
      if (!(error instanceof ConversionFailed) || signal.aborted) throw error
      parts.log.info(
        { jobId: job.id, pair: job.pair, word: error.word, cause: error.cause },
        'conversion failed',
      )
      return {
        kind: 'failed',
        failure: { word: error.word, sentence: error.message },
        report: error.report ?? null,
      }
    }
  }

  return {
    begin: (trx: Trx, work: Work) => beginJob(trx, work.jobId),
    /** The objects of this job may be used until the returned function is called. */
    hold: storage.hold,
    async run(work: Work, job: StartedJob, signal: AbortSignal): Promise<void> {
      tellStart(parts, work, job)
      // CPU time that is left in the meter at the end belongs to an attempt without a recorded outcome.
      const meter = { cpuSeconds: 0 }
      try {
        if (job.outcome === null) {
          const outcome = await outcomeOf(job, { signal, meter })
          if (await recordOutcome(database.kysely, job.id, job.attempt, outcome, meter.cpuSeconds)) {
            meter.cpuSeconds = 0
          } else {
            if (outcome.kind === 'done') await storage.remove(outcome.outputObject)
            throw new LeaseLost()
          }
        }
        await tracing.span('settle', { parent: job.traceParent }, () => settle(parts, work, job))
      } catch (error) {
        if (!(error instanceof LeaseLost)) throw error
        parts.log.warn({ jobId: job.id, attempt: job.attempt }, 'lease lost, another worker has the job')
      } finally {
        if (meter.cpuSeconds > 0) await chargeUnrecorded(parts, job.id, meter.cpuSeconds)
      }
    },
  }
}

export type Runner = ReturnType<typeof createRunner>

/** The current house style of the account, limited to the parts that this pair uses. */
async function styleOf({ database }: RunParts, job: StartedJob, pair: Pair): Promise<HouseStyle> {
  const uses = usesOfStyle(pair)
  if (!uses.css && !uses.reference) return {}
  const { css, reference } = (await readStyle(database.kysely, job.accountId, uses)) ?? {}
  return { ...(css ? { css } : {}), ...(reference ? { reference } : {}) }
}

async function settle(parts: RunParts, work: Work, job: StartedJob): Promise<void> {
  const settled = await parts.endJob.settle(work, job)
  if (!settled) throw new LeaseLost()
  tellEnd(parts, job, settled)
}

/** One run of a job by this worker. */
interface Attempt {
  signal: AbortSignal
  meter: { cpuSeconds: number }
}

async function chargeUnrecorded({ database, log }: RunParts, jobId: string, seconds: number): Promise<void> {
  await addCpuSeconds(database.kysely, jobId, seconds).catch((error: unknown) => {
    log.warn({ jobId, seconds, err: error }, 'the CPU time of an attempt could not be recorded')
  })
}

const engineOf = (job: StartedJob): string => findPair(job.pair)?.engine ?? 'none'

/** The cause is neither the file, nor a lost lease, nor storage, database or disk. */
const isInternal = (error: unknown): boolean =>
  error instanceof ConversionFailed
    ? error.word === 'internal'
    : !isOutage(error) && !(error instanceof LeaseLost)

/** Records the time in the queue, which ends with the first attempt. */
function tellStart({ metrics, tracing }: RunParts, work: Work, job: StartedJob): void {
  const { uploadedAt: start, startedAt: end, traceParent: parent } = job
  metrics.jobStarted(work.lane, job.attempt, start && (end.getTime() - start.getTime()) / 1000)
  if (parent && start && job.attempt === 1) {
    tracing.note('queue', { parent, start, end, attributes: { 'kiln.lane': work.lane } })
  }
}

function tellEnd({ metrics, log }: RunParts, job: StartedJob, ended: SettledJob): void {
  const milliseconds = Math.max(0, Date.now() - job.startedAt.getTime())
  const engine = engineOf(job)
  const result = ended.status === 'done' ? 'done' : (ended.failureWord ?? 'internal')
  metrics.jobEnded({
    ...ended,
    pair: job.pair,
    engine,
    result,
    seconds: milliseconds / 1000,
    inputBytes: job.bytes,
  })
  log.info(
    { jobId: job.id, pair: job.pair, engine, result, attempt: job.attempt, ms: milliseconds },
    'conversion ended',
  )
}

/** Writes progress at most once a second. A lost report does no harm. */
function progressWriter({ database }: RunParts, job: StartedJob): (fraction: number) => void {
  let last = 0
  return (fraction) => {
    const now = Date.now()
    if (now - last < 1000) return
    last = now
    writeProgress(database.kysely, job.id, job.attempt, Math.min(1, Math.max(0, fraction))).catch(() => {
      // The next report of progress may succeed; the job does not depend on it.
    })
  }
}
