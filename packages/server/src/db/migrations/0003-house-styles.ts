// The house styles of accounts. They are small, and a worker reads them once per job that uses them, so they are in the
// database and not in the storage, whose objects expire after an hour.
export const statements = [
  `create table house_styles (
     account_id uuid primary key references accounts (id),
     css text check (octet_length(css) between 1 and 65536),
     reference bytea check (octet_length(reference) between 1 and 1048576),
     changed_at timestamptz not null default now(),
     check (css is not null or reference is not null)
   )`,
]
