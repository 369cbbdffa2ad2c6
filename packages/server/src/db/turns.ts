import type { Database } from './connect.ts'

/** True for one caller in each interval, over all processes. */
export async function claimTurn(database: Database, name: string, everySeconds: number): Promise<boolean> {
  // Timers are not exact: a caller that is slightly early gets its turn.
  const rows = await database.prepared<{ name: string }>(
    'claim-turn',
    `insert into turns (name) values ($1)
     on conflict (name) do update set taken_at = now()
     where turns.taken_at <= now() - make_interval(secs => $2::double precision * 0.9)
     returning name`,
    [name, everySeconds],
  )
  return rows.length > 0
}
