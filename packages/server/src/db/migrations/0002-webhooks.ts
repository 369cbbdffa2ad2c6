// Where an account wants to be notified of the ends of its jobs, and the events to deliver.
//
// - A delivery is written in the transaction that ends its job (db/jobs.ts), so there is exactly one for every end. It
//   is deleted with the record of its job, or with the webhook.
// - A delivery is due while next_attempt_at is set. The index contains only due deliveries, ordered by account, so that
//   the backlog of one account does not slow down the lookups of others.
// - Secrets are encrypted (sealed-text.ts): a copy of the database cannot sign anything.
export const statements = [
  `create table webhooks (
     account_id uuid primary key references accounts (id),
     url text not null,
     secret text not null,
     old_secret text,
     old_secret_ends_at timestamptz,
     created_at timestamptz not null default now(),
     check ((old_secret is null) = (old_secret_ends_at is null))
   )`,
  `create table webhook_deliveries (
     id uuid primary key default gen_random_uuid(),
     account_id uuid not null references webhooks (account_id) on delete cascade,
     job_id uuid not null references jobs (id) on delete cascade,
     created_at timestamptz not null default now(),
     attempts integer not null default 0,
     next_attempt_at timestamptz default now(),
     delivered_at timestamptz,
     answered_at timestamptz,
     answer_status integer,
     answer_text text,
     answer_ms integer
   )`,
  'create unique index webhook_deliveries_job on webhook_deliveries (job_id)',
  `create index webhook_deliveries_due on webhook_deliveries (account_id, next_attempt_at)
   where next_attempt_at is not null`,
  'create index webhook_deliveries_listed on webhook_deliveries (account_id, created_at desc, id desc)',
]
