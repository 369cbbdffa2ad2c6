import { type Kysely, sql } from 'kysely'

// Accounts and keys, the ledger, the jobs.
//
// Four choices carry the weight:
// - `accounts.credits` and `usage_windows` are running sums of the ledger. They exist so that a
//   submit reads one row instead of a history; a test recomputes them from the ledger.
// - The idempotency key is a column of the job, unique per account. It lives as long as the record.
// - The hot tables carry no foreign keys: rows get there only through submit_conversion, which has
//   just read the account, and a second look at every insert would cost more than it could find.
// - Jobs that wait for a worker are found by small partial indexes, so that a million ended jobs
//   cost nothing.
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table accounts (
      id uuid primary key default gen_random_uuid(),
      name text not null,
      credits integer not null default 0 check (credits >= 0),
      created_at timestamptz not null default now()
    )`.execute(db)

  await sql`
    create table api_keys (
      id uuid primary key default gen_random_uuid(),
      account_id uuid not null references accounts (id),
      hash bytea not null unique,
      hint text not null,
      created_at timestamptz not null default now(),
      ends_at timestamptz
    )`.execute(db)
  await sql`create index api_keys_account on api_keys (account_id)`.execute(db)

  await sql`
    create table usage_windows (
      account_id uuid not null,
      window_start date not null,
      jobs integer not null default 0,
      bytes bigint not null default 0,
      free_used integer not null default 0 check (free_used >= 0),
      last_was_free boolean not null default false,
      primary key (account_id, window_start)
    ) with (fillfactor = 50)`.execute(db)

  await sql`
    create table ledger (
      id bigint generated always as identity,
      account_id uuid not null,
      job_id uuid,
      kind text not null check (kind in ('grant', 'charge', 'refund')),
      credits integer not null,
      free integer not null default 0,
      window_start date,
      reason text not null,
      created_at timestamptz not null default now(),
      primary key (account_id, id)
    )`.execute(db)
  await sql`create unique index ledger_once_per_job on ledger (job_id, kind) where job_id is not null`.execute(
    db,
  )

  await sql`
    create table jobs (
      id uuid primary key default gen_random_uuid(),
      account_id uuid not null,
      pair text not null,
      lane text not null,
      bytes bigint not null,
      status text not null default 'queued' check (status in ('queued', 'processing', 'done', 'failed')),
      idempotency_key text,
      created_at timestamptz not null default now(),
      upload_expires_at timestamptz not null,
      uploaded_at timestamptz,
      turn integer,
      attempt integer not null default 0,
      started_at timestamptz,
      progress real,
      outcome text check (outcome in ('done', 'failed')),
      error text,
      output_object text,
      output_bytes bigint,
      finished_at timestamptz,
      expires_at timestamptz
    ) with (fillfactor = 80)`.execute(db)
  await sql`
    create unique index jobs_idempotency on jobs (account_id, idempotency_key)
    where idempotency_key is not null`.execute(db)
  await sql`
    create index jobs_waiting_turn on jobs (lane, turn)
    where status = 'queued' and uploaded_at is not null`.execute(db)
  await sql`
    create index jobs_waiting_account on jobs (lane, account_id, turn)
    where status = 'queued' and uploaded_at is not null`.execute(db)
  await sql`
    create index jobs_awaiting_upload on jobs (upload_expires_at)
    where status = 'queued' and uploaded_at is null`.execute(db)
  await sql`create index jobs_with_output on jobs (expires_at) where output_object is not null`.execute(db)
  await sql`create index jobs_processing on jobs (started_at) where status = 'processing'`.execute(db)
  // Rows are written in the order of their time, so a block-range index finds the old ones.
  await sql`create index jobs_created on jobs using brin (created_at)`.execute(db)
}
