import { type Kysely, sql } from 'kysely'

// CPU time of all attempts of a job. It takes the place of run_seconds, which is wall time and is dropped, with
// attempt_began_at, once no version uses it any more.

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table jobs add column cpu_seconds real not null default 0`.execute(db)
}
