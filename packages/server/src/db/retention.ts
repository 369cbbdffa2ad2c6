import { sql } from 'kysely'
import type { Db } from './connect.ts'

// What the sweeper asks the tables.

export async function findMissedUploads(db: Db, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from jobs where status = 'queued' and uploaded_at is null and upload_expires_at <= now()
    order by upload_expires_at limit ${limit}`.execute(db)
  return rows.map((row) => row.id)
}

export async function findExpiredOutputs(db: Db, limit: number): Promise<{ id: string; object: string }[]> {
  const { rows } = await sql<{ id: string; object: string }>`
    select id, output_object as object from jobs
    where output_object is not null and expires_at <= now() order by expires_at limit ${limit}`.execute(db)
  return rows
}

export async function forgetOutput(db: Db, jobId: string): Promise<void> {
  await sql`update jobs set output_object = null where id = ${jobId}`.execute(db)
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
  status: 'queued' | 'processing' | 'done' | 'failed'
  outputObject: string | null
  attempt: number
}

export async function findOwners(db: Db, jobIds: readonly string[]): Promise<Map<string, ObjectOwner>> {
  const rows = await db
    .selectFrom('jobs')
    .select(['id', 'status', 'output_object as outputObject', 'attempt'])
    .where('id', 'in', jobIds.length > 0 ? jobIds : ['00000000-0000-0000-0000-000000000000'])
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
}

/** Done jobs that count on an output, and waiting jobs that count on an input. */
export async function findJobsWithObjects(db: Db): Promise<{ id: string; outputObject: string | null }[]> {
  const { rows } = await sql<{ id: string; outputObject: string | null }>`
    select id, output_object as "outputObject" from jobs
    where output_object is not null and status = 'done' and expires_at > now()
    union all
    select id, null from jobs where status = 'queued' and uploaded_at is not null`.execute(db)
  return rows
}

/** Which of these jobs still wait for their upload? */
export async function findAwaitedUploads(
  db: Db,
  jobIds: readonly string[],
): Promise<{ jobId: string; bytes: number }[]> {
  const { rows } = await sql<{ jobId: string; bytes: number }>`
    select id as "jobId", bytes from jobs
    where id = any(${jobIds}::uuid[]) and status = 'queued' and uploaded_at is null`.execute(db)
  return rows
}
