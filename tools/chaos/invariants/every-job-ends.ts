import { setTimeout as sleep } from 'node:timers/promises'
import { onDatabase } from '@kiln/test-support/on-database.ts'
import type { Account } from '../accounts.ts'
import type { Acknowledged, Job } from '../client.ts'
import type { Invariant, SystemState } from '../system-state.ts'

// No acknowledged job is lost, stuck, or failed without a reason that the plan gave it.

export const everyJobEnds: Invariant = {
  name: 'no acknowledged job is lost or stuck',
  async check(state) {
    const faults = await followAll(state)
    for (const { jobId, uploaded, deleted } of state.acknowledged) {
      const job = state.ended.get(jobId)
      if (job?.status === 'failed') faults.push(...judgeFailure(job, { uploaded, deleted }, state))
    }
    faults.push(...(await leftInTables(state)))
    return faults
  },
}

async function followAll(state: SystemState): Promise<string[]> {
  const faults: string[] = []
  let waiting = state.acknowledged.slice()
  while (waiting.length > 0) {
    const next: typeof waiting = []
    for (const record of waiting) {
      const account = state.accounts.find(({ id }) => id === record.account) as Account
      const job = await state.clientOf(account).poll(record.jobId, state.giveUpAt)
      if (job?.status === 'done' || job?.status === 'failed') state.ended.set(record.jobId, job)
      else next.push(record)
    }
    waiting = next
    if (waiting.length === 0 || Date.now() > state.giveUpAt) break
    await sleep(500)
  }
  for (const { jobId, request } of waiting) faults.push(`${jobId} (${request.pair}) has not ended`)
  return faults
}

function judgeFailure(
  { jobId, error }: Job,
  { uploaded, deleted }: Pick<Acknowledged, 'uploaded' | 'deleted'>,
  state: SystemState,
): string[] {
  if (deleted && error?.startsWith('cancelled: ')) return []
  if (!uploaded) return error?.startsWith('timeout: upload not received') ? [] : [`${jobId}: ${error}`]
  return [`${jobId} failed, though only its worker was killed, ${state.watch.killsOf(jobId)} times: ${error}`]
}

/** The client without a key uploads nothing: its jobs wait for their upload. */
const leftInTables = ({ databaseUrl, withoutKey }: SystemState): Promise<string[]> =>
  onDatabase(databaseUrl, async (client) => {
    const jobs = await client.query<{ id: string; status: string }>(
      `select id, status from jobs where status not in ('done', 'failed') and account_id <> $1`,
      [withoutKey.account.id],
    )
    const queue = await client.query<{ id: string; state: string }>(
      `select id, state::text from pgboss.job where state in ('created', 'retry', 'active')`,
    )
    return [
      ...jobs.rows.map(({ id, status }) => `the table says that ${id} is ${status}`),
      ...queue.rows.map(({ id, state }) => `the queue still holds ${id} (${state})`),
    ]
  })
