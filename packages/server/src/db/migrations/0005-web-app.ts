// People who use the web app, and how they sign in.
//
// - A user belongs to an account; the jobs, credits and keys are the account's.
// - Submits and polls name an account by the hash of a key. The web app does the same with an internal key: one
//   random hash per account, for which no key exists, so that no API key ever reaches a browser.
// - Invitations, sessions and passkey challenges are random tokens. The database stores their SHA-256 alone.
// - guest_jobs records which session submitted a job of the guest account, so that guests cannot read each
//   other's jobs; guest_counts records how many conversions a network has started on a day.
export const statements = [
  'alter table api_keys add column is_internal boolean not null default false',
  'create unique index api_keys_internal on api_keys (account_id) where is_internal',
  `create table web_users (
     id uuid primary key default gen_random_uuid(),
     account_id uuid not null references accounts (id),
     name text not null,
     password_hash text,
     created_at timestamptz not null default now()
   )`,
  'create unique index web_users_name on web_users (lower(name))',
  'create index web_users_account on web_users (account_id)',
  `create table web_invitations (
     token_hash bytea primary key,
     account_id uuid not null references accounts (id),
     created_at timestamptz not null default now(),
     ends_at timestamptz not null
   )`,
  // A session without a user is a guest's.
  `create table web_sessions (
     token_hash bytea primary key,
     account_id uuid not null references accounts (id),
     user_id uuid references web_users (id) on delete cascade,
     created_at timestamptz not null default now(),
     ends_at timestamptz not null
   )`,
  'create index web_sessions_user on web_sessions (user_id)',
  `create table web_passkeys (
     credential_id bytea primary key,
     user_id uuid not null references web_users (id) on delete cascade,
     public_key bytea not null,
     counter bigint not null,
     created_at timestamptz not null default now(),
     used_at timestamptz
   )`,
  'create index web_passkeys_user on web_passkeys (user_id)',
  `create table web_challenges (
     challenge_hash bytea primary key,
     ends_at timestamptz not null
   )`,
  `create table guest_account (
     one boolean primary key default true check (one),
     account_id uuid not null references accounts (id)
   )`,
  `create table guest_jobs (
     job_id uuid primary key references jobs (id) on delete cascade,
     session_hash bytea not null
   )`,
  `create table guest_counts (
     network text not null,
     day date not null,
     conversions integer not null default 1,
     primary key (network, day)
   )`,
]
