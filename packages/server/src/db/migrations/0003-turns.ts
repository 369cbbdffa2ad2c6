import { type Kysely, sql } from 'kysely'

// Who had the last turn of work that comes round, so that one process of many does it.
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table turns (name text primary key, taken_at timestamptz not null default now())`.execute(
    db,
  )
}
