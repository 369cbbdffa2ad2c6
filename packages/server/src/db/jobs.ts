import { randomBytes } from 'node:crypto'
import type { ConversionReport, FailureWord } from '@kiln/contract'
import type { Lane } from '@kiln/converter/catalog'
import { type RawBuilder, sql } from 'kysely'
import type { Database, Db, Trx } from './connect.ts'
import { hashLeaseToken } from './find-job.ts'
import { changesOneRow, queryOne, queryRow, run } from './query.ts'
import { writeDelivery } from './webhooks.ts'

// The job rows. Each function is one transition of the state machine that conversions/state-machine.md describes; the
// conditions in its `where` are the guards.

/** Why a job failed: a code of the closed list, and a sentence for people. */
export interface Failure {
  word: FailureWord
  sentence: string
}

/**
 * The number of bytes that the job accepts, or null when it accepts no upload any more: only a queued job does. An
 * upload that begins near the deadline gets another hour for its bytes to arrive.
 */
export async function beginUpload(database: Database, jobId: string): Promise<number | null> {
  const rows = await database.prepared<{ bytes: number; soon: boolean }>(
    'begin-upload',
    `select bytes, uploaded_at is null and upload_expires_at < now() + interval '15 minutes' as soon
     from jobs where id = $1 and status = 'queued'`,
    [jobId],
  )
  if (rows[0]?.soon) {
    await database.prepared(
      'extend-upload',
      "update jobs set upload_expires_at = now() + interval '1 hour' where id = $1 and status = 'queued'",
      [jobId],
    )
  }
  return rows[0]?.bytes ?? null
}

/** Is the job still waiting? Holds its row until the transaction ends. */
export async function lockIfQueued(trx: Trx, jobId: string): Promise<boolean> {
  return (await queryRow(trx)`select from jobs where id = ${jobId} and status = 'queued' for update`) !== null
}

/**
 * Marks the upload as received and assigns the job's turn. Null when the upload is no longer awaited. The row stays
 * locked until the transaction ends.
 *
 * Turns make accounts share a lane fairly (start-time fair queueing): a job's turn follows the last waiting job of its
 * own account by the expected cost of that job, but starts no earlier than the turn that is being served. A single job
 * of another account therefore waits next to the head of a long queue, not behind it. The cost grows with the bytes:
 * within a lane large files take longer. Accounts with the same parent share one weight: each of them that has waiting
 * jobs lengthens the steps of the others.
 */
export const markUploaded = (trx: Trx, jobId: string) =>
  queryRow<MarkedUpload>(trx)`
    update jobs set uploaded_at = now(), turn = least(${lastTurn}::bigint, greatest(
      coalesce((select min(w.turn) from jobs w
                where w.lane = jobs.lane and w.status = 'queued' and w.uploaded_at is not null), 0)
        + siblings.waiting * ${costOf(sql`jobs.bytes`)},
      coalesce((select w.turn + (1 + siblings.waiting) * ${costOf(sql`w.bytes`)} from jobs w
                where w.lane = jobs.lane and w.account_id = jobs.account_id
                  and w.status = 'queued' and w.uploaded_at is not null order by w.turn desc limit 1), 0)))
    from (
      select count(*) as waiting from jobs own
      join accounts a on a.id = own.account_id
      cross join lateral (
        select s.id from accounts s where s.parent_id = coalesce(a.parent_id, a.id)
        union all select a.parent_id where a.parent_id is not null) s
      where own.id = ${jobId} and s.id <> a.id and exists (
        select 1 from jobs w where w.lane = own.lane and w.account_id = s.id
          and w.status = 'queued' and w.uploaded_at is not null)) siblings
    where id = ${jobId} and status = 'queued' and uploaded_at is null
    returning turn, lane, account_id as "accountId", trace_parent as "traceParent"`

const lastTurn = 2_000_000_000

/** Expected cost of a job of this size, relative to others in its lane: one unit, plus one per mebibyte. */
const costOf = (bytes: RawBuilder<unknown>) => sql`(1 + ${bytes} / 1048576)`

export interface MarkedUpload {
  turn: number
  lane: Lane
  accountId: string
  traceParent: string | null
}

export interface StartedJob {
  id: string
  accountId: string
  pair: string
  bytes: number
  attempt: number
  handBacks: number
  outcome: 'done' | 'failed' | null
  uploadedAt: Date | null
  /** When the first attempt began. */
  startedAt: Date
  traceParent: string | null
  options: Record<string, unknown> | null
  /** Secret options, encrypted. */
  secrets: string | null
  /** With this token the worker proves to the API that it runs the job (find-job.ts). */
  leaseToken: string
}

/** A worker begins the job. Null when the job has ended meanwhile. The new attempt number is the fencing token. */
export async function beginJob(db: Db, jobId: string): Promise<StartedJob | null> {
  const leaseToken = randomBytes(24).toString('base64url')
  const job = await queryRow<Omit<StartedJob, 'leaseToken'>>(db)`
    update jobs set status = 'processing', attempt = attempt + 1, started_at = coalesce(started_at, now()),
      progress = null, lease_hash = ${hashLeaseToken(leaseToken)}
    where id = ${jobId} and status in ('queued', 'processing')
    returning id, account_id as "accountId", pair, bytes, attempt, hand_backs as "handBacks", outcome,
      uploaded_at as "uploadedAt", started_at as "startedAt", trace_parent as "traceParent",
      options, secrets`
  return job && { ...job, leaseToken }
}

/**
 * Meters an attempt without a recorded outcome: it broke down, was cancelled or lost its lease. The CPU time of a
 * worker that died is not counted: the job did not cause that.
 */
export const addCpuSeconds = (db: Db, jobId: string, seconds: number) =>
  run(db)`select add_cpu_seconds(${jobId}, ${seconds}::real)`

export const writeProgress = (db: Db, jobId: string, attempt: number, progress: number) =>
  run(db)`
    update jobs set progress = greatest(progress, ${progress}::real)
    where id = ${jobId} and attempt = ${attempt} and status = 'processing'`

export type Outcome = { report: ConversionReport | null } & (
  | { kind: 'done'; outputObject: string; outputBytes: number }
  | { kind: 'failed'; failure: Failure }
)

/** Records how the run ended, before the input is deleted. False when the lease was lost. */
export async function recordOutcome(
  db: Db,
  jobId: string,
  attempt: number,
  outcome: Outcome,
  cpuSeconds: number,
): Promise<boolean> {
  const done = outcome.kind === 'done'
  return changesOneRow(db)`
    update jobs set outcome = ${outcome.kind}, failure_word = ${done ? null : outcome.failure.word},
      failure_sentence = ${done ? null : outcome.failure.sentence},
      output_object = ${done ? outcome.outputObject : null}, output_bytes = ${done ? outcome.outputBytes : null},
      report = ${outcome.report && JSON.stringify(outcome.report)}::jsonb,
      cpu_seconds = cpu_seconds + ${cpuSeconds}::real
    where id = ${jobId} and attempt = ${attempt} and status = 'processing' and outcome is null`
}

export interface SettledJob {
  status: 'done' | 'failed'
  failureWord: FailureWord | null
  outputBytes: number | null
  /** The charge, refunded if the job failed. Null for a job that is free of charge. */
  credits: number | null
  free: number | null
  /** The account, if it has a webhook to notify. */
  webhookAccount: string | null
}

export type FailedJob = Pick<SettledJob, 'webhookAccount'> & { lane: Lane }

// For an account without a webhook this is a single lookup in a small index.
const webhookAccount = sql`
  (select w.account_id from webhooks w where w.account_id = jobs.account_id) as "webhookAccount"`

/** Counts that the attempt ended early and the job was returned to the queue because of its own effect. */
export const countHandBack = (db: Db, jobId: string) =>
  run(db)`update jobs set hand_backs = hand_backs + 1 where id = ${jobId}`

/** The last step: the recorded outcome becomes the status. Null when the lease was lost. */
export async function settleJob(
  trx: Trx,
  jobId: string,
  attempt: number,
  outputSeconds: number,
): Promise<SettledJob | null> {
  const job = await queryRow<SettledJob>(trx)`
    update jobs set status = outcome, finished_at = now(), progress = null, secrets = null,
      expires_at = case when outcome = 'done' then now() + make_interval(secs => ${outputSeconds}) end
    where id = ${jobId} and attempt = ${attempt} and status = 'processing' and outcome is not null
    returning status, failure_word as "failureWord", output_bytes as "outputBytes", ${webhookAccount},
      (select -l.credits from ledger l where l.job_id = jobs.id and l.kind = 'charge') as credits,
      (select -l.free from ledger l where l.job_id = jobs.id and l.kind = 'charge') as free`
  if (job?.webhookAccount) await writeDelivery(trx, jobId)
  if (job?.status === 'failed') await refundJob(trx, jobId, job.failureWord ?? 'failed')
  return job
}

/**
 * Fails a job from outside; a worker that still runs it finds it ended. Null when it has ended already or the guard no
 * longer holds.
 */
export async function failJob(
  trx: Trx,
  jobId: string,
  { word, sentence }: Failure,
  guard: RawBuilder<unknown> = sql`status in ('queued', 'processing')`,
): Promise<FailedJob | null> {
  const failed = await queryRow<FailedJob>(trx)`
    update jobs set status = 'failed', outcome = 'failed', failure_word = ${word}, failure_sentence = ${sentence},
      output_object = null, progress = null, secrets = null, finished_at = now()
    where id = ${jobId} and ${guard} returning lane, ${webhookAccount}`
  if (failed?.webhookAccount) await writeDelivery(trx, jobId)
  if (failed) await refundJob(trx, jobId, word)
  return failed
}

/**
 * Is the upload overdue? Its link has expired. Where the storage does not report uploads, an upload that began at the
 * last moment is allowed to complete: at 128 KB/s, at least a minute and at most an hour.
 */
export const uploadIsOverdue = (mayBeUnderWay: boolean): RawBuilder<unknown> => sql`
  status = 'queued' and uploaded_at is null and upload_expires_at <= now()
  and upload_expires_at <= now() - make_interval(secs =>
    case when ${mayBeUnderWay}::boolean then least(3600, greatest(60, bytes / 131072.0)) else 0 end)`

/**
 * The output of a done job was lost before it expired. The job stays done, its record says so, and the charge is
 * refunded. False when the job has changed.
 */
export async function loseOutput(
  trx: Trx,
  jobId: string,
  outputObject: string,
  { word, sentence }: Failure,
): Promise<boolean> {
  const isLost = await changesOneRow(trx)`
    update jobs set output_object = null, failure_word = ${word}, failure_sentence = ${sentence}
    where id = ${jobId} and status = 'done' and output_object = ${outputObject} and expires_at > now()`
  if (isLost) await refundJob(trx, jobId, word)
  return isLost
}

/** Expires the output of a done job now, if it has not expired. Returns how many attempts the job had. */
export async function expireOutput(db: Db, jobId: string): Promise<number> {
  const job = await queryRow<{ attempt: number }>(db)`
    update jobs set expires_at = case when expires_at > now() then now() else expires_at end
    where id = ${jobId} and status in ('done', 'failed') returning attempt`
  return job?.attempt ?? 0
}

/** Inserts a new job for the input of a failed one. It is free of charge, although the failed job was refunded. */
export const insertRetry = (trx: Trx, failedJobId: string, newJobId: string) =>
  changesOneRow(trx)`
    insert into jobs (id, account_id, pair, lane, bytes, options, upload_expires_at, retry_of)
    select ${newJobId}::uuid, account_id, pair, lane, bytes, options, now() + interval '1 hour', id
    from jobs where id = ${failedJobId} and status = 'failed'`

const refundJob = (trx: Trx, jobId: string, reason: string) =>
  run(trx)`select refund_ended_job(${jobId}, ${reason})`

export async function recordFailedAttempt(
  db: Db,
  jobId: string,
  attempt: number,
  reason: string,
): Promise<number> {
  const { count } = await queryOne<{ count: number }>(db)`
    with noted as (
      insert into failed_attempts (job_id, attempt, reason) values (${jobId}, ${attempt}, ${reason})
      on conflict do nothing returning 1)
    select (select count(*) from failed_attempts where job_id = ${jobId}) + (select count(*) from noted) as count`
  return Number(count)
}
