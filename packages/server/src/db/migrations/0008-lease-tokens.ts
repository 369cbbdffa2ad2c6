// The hash of the token with which the worker that runs a job proves this to the API. Other workers can read the row,
// but the API does not accept the hash.
//
// A worker cannot change a job that has ended (db/worker-role.ts), but its CPU time still counts.
export const statements = [
  'alter table jobs add column lease_hash bytea',
  `create function add_cpu_seconds(p_job_id uuid, p_seconds real) returns void
   language sql security definer set search_path from current
   as $$ update jobs set cpu_seconds = cpu_seconds + greatest(p_seconds, 0) where id = p_job_id $$`,
  'revoke execute on function add_cpu_seconds from public',
]
