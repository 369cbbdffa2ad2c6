import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { onDatabase } from '@kiln/test-support/on-database.ts'
import { hashKey, hintOfKey, makeKey } from '../../packages/server/src/accounts/api-key.ts'
import { monotonicMs } from './statistics.ts'

// Accounts and jobs: rows of the database, and requests of a client.

export interface BenchAccount {
  id: string
  key: string
}

/** Accounts without free conversions and with unlimited credits: the most expensive kind of submit. */
export function createAccounts(connectionString: string, count: number): Promise<BenchAccount[]> {
  return onDatabase(connectionString, async (client) => {
    const { rows } = await client.query<{ id: string }>(
      `insert into accounts (name, credits) select 'bench ' || n, 1000000000 from generate_series(1, $1) n returning id`,
      [count],
    )
    await client.query(
      `insert into ledger (account_id, kind, credits, reason) select id, 'grant', credits, 'bench' from accounts`,
    )
    await client.query(
      `insert into usage_windows (account_id, window_start, free_used)
       select id, date_trunc('month', now() at time zone 'utc')::date, 1000000 from accounts`,
    )
    const accounts = rows.map(({ id }) => ({ id, key: makeKey() }))
    await client.query(
      `insert into api_keys (account_id, hash, hint) select * from unnest($1::uuid[], $2::bytea[], $3::text[])`,
      [
        accounts.map(({ id }) => id),
        accounts.map(({ key }) => hashKey(key)),
        accounts.map(({ key }) => hintOfKey(key)),
      ],
    )
    return accounts
  })
}

/** Half of them are queued, half are done. */
export function insertJobs(
  databaseUrl: string,
  accounts: readonly BenchAccount[],
  count: number,
): Promise<{ id: string; key: string }[]> {
  return onDatabase(databaseUrl, async (client) => {
    const { rows } = await client.query<{ id: string; account: number }>(
      `with made as (
         insert into jobs (account_id, pair, lane, bytes, upload_expires_at, status, outcome, output_object,
                           output_bytes, finished_at, expires_at)
         select ($1::uuid[])[1 + n % $2::int], 'md-to-html', 'document', 1000, now() + interval '1 hour',
                case when n % 2 = 0 then 'queued' else 'done' end,
                case when n % 2 = 1 then 'done' end,
                case when n % 2 = 1 then 'out/' || gen_random_uuid() || '.1' end,
                case when n % 2 = 1 then 2000 end,
                case when n % 2 = 1 then now() end,
                case when n % 2 = 1 then now() + interval '1 hour' end
         from generate_series(1, $3::int) n
         returning id, account_id
       )
       select id, array_position($1::uuid[], account_id) - 1 as account from made`,
      [accounts.map(({ id }) => id), accounts.length, count],
    )
    await client.query('analyze')
    return rows.map(({ id, account }) => ({ id, key: (accounts[account] as BenchAccount).key }))
  })
}

export interface SubmittedJob {
  jobId: string
  uploadUrl: string
}

export async function submitJob(
  base: string,
  key: string,
  bytes: number,
  pair = 'md-to-html',
): Promise<SubmittedJob> {
  const answer = await fetch(`${base}/v1/conversions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    body: JSON.stringify({ pair, bytes }),
  })
  if (answer.status !== 201) throw new Error(`submit answered ${answer.status}: ${await answer.text()}`)
  return (await answer.json()) as SubmittedJob
}

/** One conversion from a client's point of view: submit, upload, and wait until it is done. */
export async function convertJob(base: string, key: string, pair: string, body: Buffer): Promise<void> {
  const { jobId, uploadUrl } = await submitJob(base, key, body.length, pair)
  const put = await fetch(uploadUrl, { method: 'PUT', body: new Uint8Array(body) })
  if (put.status !== 200) throw new Error(`${pair}: the upload was answered ${put.status}.`)
  for (;;) {
    const answer = await fetch(`${base}/v1/conversions/${jobId}`, {
      headers: { authorization: `Bearer ${key}`, prefer: 'wait=25' },
    })
    const job = (await answer.json()) as { status: string; error: string | null }
    if (job.status === 'done') return
    if (job.status === 'failed') throw new Error(`${pair} failed: ${job.error}`)
  }
}

/** PUTs a body, delays its last byte for a moment, and returns when that byte was sent. */
export async function putLastByte(url: string, body: Buffer): Promise<number> {
  const { hostname, port, pathname, search } = new URL(url)
  const socket = connect(Number(port), hostname).setNoDelay(true)
  await once(socket, 'connect')
  const head = `PUT ${pathname}${search} HTTP/1.1\r\nHost: ${hostname}\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n`
  socket.write(Buffer.concat([Buffer.from(head), body.subarray(0, -1)]))
  await delay(25)
  const sentAt = monotonicMs()
  socket.write(body.subarray(-1))
  const answer = await socket.toArray()
  const text = Buffer.concat(answer).toString()
  if (!text.startsWith('HTTP/1.1 200 ')) throw new Error(`PUT answered ${text.split('\r\n')[0]}`)
  return sentAt
}
