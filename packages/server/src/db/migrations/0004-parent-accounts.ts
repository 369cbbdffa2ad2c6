// An account may have a parent, such as the tenant that it belongs to. Shares and limits apply to the account and to
// the parent with all of its accounts together, so that a tenant does not get a larger share by creating many accounts.
// There is one level: a parent has no parent.
export const statements = [
  'alter table accounts add column parent_id uuid references accounts (id)',
  'create index accounts_parent on accounts (parent_id) where parent_id is not null',
]
