import { refundJob, submitConversions } from '../foundation-functions.ts'

// Accounts and keys, the ledger, the jobs, the operator, the counts behind the charts.
//
// Six design decisions:
// - `accounts.credits` and `usage_windows` are running sums of the ledger, so that a submit reads one row instead of a
//   history; a test recomputes them from the ledger.
// - The idempotency key is a column of the job, unique per account. It is kept as long as the record.
// - The hot tables have no foreign keys: rows are inserted only by submit_conversions, which has just read the account,
//   and checking every insert again would find nothing.
// - Jobs that wait for a worker are found by small partial indexes, so that a million ended jobs cost nothing.
// - Counts are computed from the job rows by a periodic task (db/reports/roll-up.ts), not by the transaction that ends
//   a job: a counter that every worker increments would make them wait for each other. That task reads the index on
//   finished_at; a job has no entry there until its end, so a submit does not pay for it.
// - Only key_state decides when a key has ended; all lookups of keys use live_keys.
const accountTables = [
  `create table accounts (
     id uuid primary key default gen_random_uuid(),
     name text not null,
     credits integer not null default 0 check (credits >= 0),
     created_at timestamptz not null default now()
   )`,
  `create table api_keys (
     id uuid primary key default gen_random_uuid(),
     account_id uuid not null references accounts (id),
     hash bytea not null unique,
     hint text not null,
     created_at timestamptz not null default now(),
     ends_at timestamptz
   )`,
  'create index api_keys_account on api_keys (account_id)',
  `create function key_state(ends_at timestamptz) returns text language sql stable as $$
     select case when ends_at is null then 'active' when ends_at > now() then 'ending' else 'ended' end $$`,
  `create view live_keys as select * from api_keys where key_state(ends_at) <> 'ended'`,
  // The count is negative in a month in which free conversions of an earlier month were refunded.
  `create table usage_windows (
     account_id uuid not null,
     window_start date not null,
     jobs integer not null default 0,
     bytes bigint not null default 0,
     free_used integer not null default 0,
     primary key (account_id, window_start)
   ) with (fillfactor = 50)`,
  `create table ledger (
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
   )`,
  'create unique index ledger_once_per_job on ledger (job_id, kind) where job_id is not null',
]

const jobTables = [
  `create table jobs (
     id uuid primary key default gen_random_uuid(),
     account_id uuid not null,
     pair text not null,
     lane text not null,
     bytes bigint not null,
     status text not null default 'queued' check (status in ('queued', 'processing', 'done', 'failed')),
     idempotency_key text,
     options jsonb,
     secrets text,
     created_at timestamptz not null default now(),
     upload_expires_at timestamptz not null,
     uploaded_at timestamptz,
     turn integer,
     attempt integer not null default 0,
     hand_backs integer not null default 0,
     started_at timestamptz,
     attempt_began_at timestamptz,
     run_seconds real not null default 0,
     progress real,
     outcome text check (outcome in ('done', 'failed')),
     failure_word text,
     failure_sentence text,
     output_object text,
     output_bytes bigint,
     report jsonb,
     finished_at timestamptz,
     expires_at timestamptz,
     retry_of uuid,
     trace_parent text,
     check ((failure_word is null) = (failure_sentence is null))
   ) with (fillfactor = 80)`,
  `create unique index jobs_idempotency on jobs (account_id, idempotency_key)
   where idempotency_key is not null`,
  `create index jobs_waiting_turn on jobs (lane, turn)
   where status = 'queued' and uploaded_at is not null`,
  `create index jobs_waiting_account on jobs (lane, account_id, turn)
   where status = 'queued' and uploaded_at is not null`,
  `create index jobs_awaiting_upload on jobs (upload_expires_at)
   where status = 'queued' and uploaded_at is null`,
  'create index jobs_with_output on jobs (expires_at) where output_object is not null',
  `create index jobs_processing on jobs (started_at) where status = 'processing'`,
  'create index jobs_finished on jobs (finished_at) where finished_at is not null',
  // Failures are few and are often queried separately.
  `create index jobs_failed on jobs (finished_at) where status = 'failed'`,
  // Rows are written in the order of their time, so a block-range index finds the old ones.
  'create index jobs_created on jobs using brin (created_at)',
  // Only attempts without an outcome are recorded; most jobs have none.
  `create table failed_attempts (
     job_id uuid not null references jobs (id) on delete cascade,
     attempt integer not null,
     ended_at timestamptz not null default now(),
     reason text not null,
     primary key (job_id, attempt)
   )`,
  // When a periodic task was last claimed, so that one process of many runs it.
  'create table turns (name text primary key, taken_at timestamptz not null default now())',
]

const operatorTables = [
  `create table operator (
     one boolean primary key default true check (one),
     password_hash text not null,
     changed_at timestamptz not null default now(),
     account_id uuid references accounts (id),
     key_hash bytea
   )`,
  `create table operator_sessions (
     token_hash bytea primary key,
     created_at timestamptz not null default now(),
     ends_at timestamptz not null
   )`,
  `create table operator_failures (
     address text not null,
     window_start timestamptz not null,
     failures integer not null default 1,
     primary key (address, window_start)
   )`,
  `create table processes (
     id uuid primary key,
     kind text not null,
     host text not null,
     pid integer not null,
     started_at timestamptz not null default now(),
     seen_at timestamptz not null default now(),
     facts jsonb not null
   )`,
]

const countTables = [
  // One row: the number of jobs of this pair that ended with this result in this time span, at about this speed.
  `create table job_counts (
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
   ) with (fillfactor = 70)`,
  `create table job_counts_progress (
     one boolean primary key default true check (one),
     until timestamptz not null
   )`,
]

export const statements = [
  ...accountTables,
  ...jobTables,
  ...operatorTables,
  ...countTables,
  submitConversions,
  refundJob,
]
