// CPU time of all attempts of a job. It takes the place of run_seconds, which is wall time and is dropped, with
// attempt_began_at, once no version uses it any more.

export const statements = ['alter table jobs add column cpu_seconds real not null default 0']
