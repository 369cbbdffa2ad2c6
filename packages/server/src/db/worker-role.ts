import { sql } from 'kysely'
import type { Db, Trx } from './connect.ts'
import { queryOne, queryRow, run } from './query.ts'

// A worker runs engines on untrusted files, so its database role has access only to the queue, the jobs and the data
// that ending a job needs: no API key, no password or session, no secret of a webhook. It cannot grant credits, move a
// job to another account, change an ended job or alter the tables. SECURITY.md lists what it can do.
//
// The API, whose role owns the tables, grants these rights at every start, so that an upgrade needs no manual step.

interface Rights {
  select?: readonly string[] | 'all'
  insert?: true
  update?: readonly string[] | 'all'
  delete?: true
}

const everything: Rights = { select: 'all', insert: true, update: 'all', delete: true }

/** By table; with columns when only some of them are granted. */
const rights: Readonly<Record<string, Rights>> = {
  jobs: {
    select: 'all',
    update: [
      'status',
      'attempt',
      'lease_hash',
      'started_at',
      'finished_at',
      'progress',
      'outcome',
      'hand_backs',
      'failure_word',
      'failure_sentence',
      'output_object',
      'output_bytes',
      'expires_at',
      'report',
      'secrets',
      'cpu_seconds',
    ],
  },
  failed_attempts: { select: 'all', insert: true },
  accounts: { select: ['id', 'parent_id'] },
  ledger: { select: ['job_id', 'kind', 'credits', 'free'] },
  house_styles: { select: 'all' },
  webhooks: { select: ['account_id'] },
  processes: everything,
  kysely_migration: { select: 'all' },
}

/** Creates the role of this address if it is missing, and grants it what a worker needs. */
export async function grantToWorkers(db: Db, workerUrl: string): Promise<void> {
  const { username, password } = new URL(workerUrl)
  const [name, secret] = [decodeURIComponent(username), decodeURIComponent(password)]
  await db.transaction().execute(async (trx) => {
    // Several API processes may start at the same time; changing the same grants concurrently is an error.
    await run(trx)`select pg_advisory_xact_lock(hashtext('kiln'), hashtext('worker-role'))`
    await requireRole(trx, name, secret)
    const role = sql.id(name)
    const current = await queryOne<{ schema: string | null }>(trx)`select current_schema() as schema`
    for (const schema of [current.schema ?? 'public', 'pgboss']) {
      await run(trx)`grant usage on schema ${sql.id(schema)} to ${role}`
      // An earlier version granted more. Other sessions see only the new rights, once this transaction is committed.
      await run(trx)`revoke all on all tables in schema ${sql.id(schema)} from ${role}`
    }
    for (const [table, granted] of Object.entries(rights))
      for (const right of rightsOf(granted))
        await run(trx)`grant ${sql.raw(right)} on ${sql.id(table)} to ${role}`
    await run(trx)`grant select, insert, update, delete on all tables in schema pgboss to ${role}`
    await run(trx)`grant execute on function refund_ended_job, write_delivery, add_cpu_seconds to ${role}`
    await protectEndedJobs(trx, name)
  })
}

/**
 * A worker cannot change an ended job, nor assign a job the output of another one: otherwise it could make the API
 * serve any output. Only this role is restricted; without the first policy, row security would hide all rows from other
 * roles.
 */
async function protectEndedJobs(trx: Trx, role: string): Promise<void> {
  const policy = `ended_jobs_are_final_for_${role}`.slice(0, 63)
  // Only once: it locks the table.
  if (await queryRow(trx)`select from pg_policies where policyname = ${policy}`) return
  await run(trx)`alter table jobs enable row level security`
  await run(trx)`drop policy if exists all_rows on jobs`
  await run(trx)`create policy all_rows on jobs using (true)`
  await run(trx)`create policy ${sql.id(policy)} on jobs as restrictive for update to ${sql.id(role)}
    using (status in ('queued', 'processing'))
    with check (output_object is null or output_object like 'out/' || id || '.%')`
}

async function requireRole(db: Db, name: string, password: string): Promise<void> {
  const found = await queryOne<{ exists: boolean; isSelf: boolean; mayCreate: boolean }>(db)`
    select exists (select from pg_roles where rolname = ${name}) as exists, current_user = ${name} as "isSelf",
      rolsuper or rolcreaterole as "mayCreate" from pg_roles where rolname = current_user`
  if (found.isSelf)
    throw new Error(`KILN_WORKER_DATABASE_URL and DATABASE_URL have the same role, ${name}. Use two.`)
  if (found.exists) return
  if (!found.mayCreate)
    throw new Error(
      `The role ${name} of KILN_WORKER_DATABASE_URL does not exist, and this one may not create it. ` +
        `As an administrator of the database: create role ${name} login password '…'`,
    )
  await run(db)`create role ${sql.id(name)} login password ${sql.lit(password)}`
}

function rightsOf({ select, insert, update, delete: mayDelete }: Rights): string[] {
  const columns = (right: string, of: readonly string[] | 'all') =>
    of === 'all' ? right : `${right} (${of.join(', ')})`
  return [
    ...(select ? [columns('select', select)] : []),
    ...(insert ? ['insert'] : []),
    ...(update ? [columns('update', update)] : []),
    ...(mayDelete ? ['delete'] : []),
  ]
}
