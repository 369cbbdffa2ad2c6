import { type Kysely, sql } from 'kysely'

// What the operator console needs: its password and sessions, the processes that run, the counts behind the
// charts, and a few words on a job. Everything is an addition, so processes of the version before go on.
//
// The counts are made from the job rows by a round of work (db/reports/roll-up.ts tells how), not by the
// transaction that ends a job: a counter that every worker raises would make them wait for each other. The
// index on finished_at is what that round reads; it has no entry for a job until its end, so a submit does
// not pay for it.
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table operator (
      one boolean primary key default true check (one),
      password_hash text not null,
      changed_at timestamptz not null default now(),
      account_id uuid references accounts (id),
      key_hash bytea
    )`.execute(db)
  await sql`
    create table operator_sessions (
      token_hash bytea primary key,
      created_at timestamptz not null default now(),
      ends_at timestamptz not null
    )`.execute(db)
  await sql`
    create table operator_failures (
      address text not null,
      window_start timestamptz not null,
      failures integer not null default 1,
      primary key (address, window_start)
    )`.execute(db)

  await sql`
    create table processes (
      id uuid primary key,
      kind text not null,
      host text not null,
      pid integer not null,
      started_at timestamptz not null default now(),
      seen_at timestamptz not null default now(),
      facts jsonb not null
    )`.execute(db)

  // A row: so many jobs of this pair ended so in this span of time, at about this speed.
  await sql`
    create table job_counts (
      span integer not null,
      start timestamptz not null,
      pair text not null,
      result text not null,
      speed smallint not null,
      jobs integer not null,
      bytes bigint not null,
      output_bytes bigint not null,
      run_ms bigint not null,
      wait_ms bigint not null,
      longest_wait_ms bigint not null,
      retries integer not null,
      primary key (span, start, pair, result, speed)
    ) with (fillfactor = 70)`.execute(db)
  await sql`
    create table job_counts_progress (
      one boolean primary key default true check (one),
      until timestamptz not null
    )`.execute(db)

  // This before the indexes: whoever took the lighter lock of an index first and then asked for this one would
  // stand across from submits that have read the table and want to write to it. On a million jobs all of it
  // takes two seconds, in which calls wait or are told to try again.
  await sql`
    alter table jobs
      add column cancelled_at timestamptz,
      add column retry_of uuid,
      add column trace_parent text`.execute(db)
  await sql`create index jobs_finished on jobs (finished_at) where finished_at is not null`.execute(db)
  // Failures are few and looked for by themselves.
  await sql`create index jobs_failed on jobs (finished_at) where status = 'failed'`.execute(db)
  // Only attempts that came to nothing are written down; most jobs have none.
  await sql`
    create table failed_attempts (
      job_id uuid not null references jobs (id) on delete cascade,
      attempt integer not null,
      ended_at timestamptz not null default now(),
      reason text not null,
      primary key (job_id, attempt)
    )`.execute(db)
}
