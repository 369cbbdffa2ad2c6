import type { JobStatus } from '@kiln/contract'
import { sql } from 'kysely'
import type { Db } from './connect.ts'
import { uploadIsOverdue } from './jobs.ts'
import { queryRows, run } from './query.ts'

// The queries of the sweeper.

export async function findOverdueUploads(db: Db, mayBeUnderWay: boolean, limit: number): Promise<string[]> {
  const rows = await queryRows<{ id: string }>(db)`
    select id from jobs where ${uploadIsOverdue(mayBeUnderWay)} order by upload_expires_at limit ${limit}`
  return rows.map(({ id }) => id)
}

export const findExpiredOutputs = (db: Db, limit: number) =>
  queryRows<{ id: string; object: string }>(db)`
    select id, output_object as object from jobs
    where output_object is not null and expires_at <= now() order by expires_at limit ${limit}`

export async function forgetOutputs(db: Db, jobIds: readonly string[]): Promise<void> {
  if (jobIds.length === 0) return
  await run(db)`update jobs set output_object = null where id = any(${jobIds}::uuid[])`
}

export async function deleteOldRecords(db: Db, recordSeconds: number, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from jobs where id in (
      select id from jobs
      where created_at < now() - make_interval(secs => ${recordSeconds})
        and status in ('done', 'failed') and output_object is null
        and coalesce(finished_at, created_at) < now() - make_interval(secs => ${recordSeconds})
      limit ${limit})`.execute(db)
  return Number(numAffectedRows ?? 0n)
}

export interface ObjectOwner {
  id: string
  status: JobStatus
  outputObject: string | null
  attempt: number
}

export async function findOwners(db: Db, jobIds: readonly string[]): Promise<Map<string, ObjectOwner>> {
  const rows = await queryRows<ObjectOwner>(db)`
    select id, status, output_object as "outputObject", attempt from jobs where id = any(${jobIds}::uuid[])`
  return new Map(rows.map((row) => [row.id, row]))
}

export interface JobWithObject {
  id: string
  /** Null for a queued job, which refers to its input. */
  outputObject: string | null
}

/** Done jobs that refer to an output, by the time of their end. */
export const findJobsWithOutput = (db: Db, after: Date, limit: number) =>
  queryRows<JobWithObject & { expiresAt: Date }>(db)`
    select id, output_object as "outputObject", expires_at as "expiresAt" from jobs
    where output_object is not null and status = 'done' and expires_at > greatest(now(), ${after}::timestamptz)
    order by expires_at limit ${limit}`

/** Queued jobs, which refer to an input. */
export const findJobsWithInput = (db: Db, limit: number) =>
  queryRows<JobWithObject>(db)`
    select id, null as "outputObject" from jobs
    where status = 'queued' and uploaded_at is not null order by turn limit ${limit}`

export interface InputOwner {
  jobId: string
  bytes: number
  hasEnded: boolean
}

/** Which of these jobs still wait for their upload, and which have ended and accept none. */
export const findInputOwners = (db: Db, jobIds: readonly string[]) =>
  queryRows<InputOwner>(db)`
    select id as "jobId", bytes, status in ('done', 'failed') as "hasEnded" from jobs
    where id = any(${jobIds}::uuid[])
      and (status in ('done', 'failed') or status = 'queued' and uploaded_at is null)`
