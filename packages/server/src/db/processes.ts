import type { Database, Db } from './connect.ts'
import { run } from './query.ts'

// Every process of the service records every few seconds that it runs, with the state of its machine: sandbox, engines,
// disk. A process without a record within the last half minute counts as ended.

export interface ProcessRecord<Facts> {
  id: string
  kind: 'all' | 'api' | 'worker'
  host: string
  pid: number
  startedAt: Date
  seenAt: Date
  facts: Facts
}

export async function recordProcess(
  database: Database,
  process: Pick<ProcessRecord<object>, 'id' | 'kind' | 'host' | 'pid' | 'facts'>,
): Promise<void> {
  await database.prepared(
    'record-process',
    `insert into processes (id, kind, host, pid, facts) values ($1, $2, $3, $4, $5)
     on conflict (id) do update set seen_at = now(), facts = excluded.facts`,
    [process.id, process.kind, process.host, process.pid, JSON.stringify(process.facts)],
  )
}

export async function deleteProcess(database: Database, id: string): Promise<void> {
  await database.prepared('delete-process', 'delete from processes where id = $1', [id])
}

export const listProcesses = <Facts>(database: Database): Promise<ProcessRecord<Facts>[]> =>
  database.prepared<ProcessRecord<Facts>>(
    'list-processes',
    `select id, kind, host, pid, started_at as "startedAt", seen_at as "seenAt", facts
     from processes where seen_at > now() - interval '30 seconds' order by kind, started_at`,
    [],
  )

export const deleteStaleProcesses = (db: Db) =>
  run(db)`delete from processes where seen_at < now() - interval '1 hour'`
