import { onDatabase } from '@kiln/test-support/on-database.ts'
import type { Invariant, SystemState } from '../system-state.ts'

// The ledger adds up to the balances; a done job was paid for once, a failed one not at all; and the
// account's own meter counts every job once, however often it was sent.

export const ledgerIsRight: Invariant = {
  name: 'ledger equals balance, no job is charged twice',
  async check(state) {
    return [...(await inTheTables(state)), ...(await fromOutside(state))]
  },
}

const questions: Readonly<Record<string, string>> = {
  'credits differ from the ledger': `
    select a.id::text as id from accounts a left join ledger l on l.account_id = a.id
    group by a.id having a.credits <> coalesce(sum(l.credits), 0)`,
  'free conversions differ from the ledger': `
    select w.account_id::text as id from usage_windows w
    left join ledger l on l.account_id = w.account_id and l.window_start = w.window_start
    group by w.account_id, w.window_start, w.free_used having w.free_used <> -coalesce(sum(l.free), 0)`,
  'charged more or less than once': `
    select j.id::text as id from jobs j left join ledger l on l.job_id = j.id and l.kind = 'charge'
    group by j.id having count(l.*) <> 1`,
  'done, but not paid for': `
    select j.id::text as id from jobs j join ledger l on l.job_id = j.id where j.status = 'done'
    group by j.id having sum(l.credits) >= 0 and sum(l.free) <> -1`,
  'failed, but not given back': `
    select j.id::text as id from jobs j join ledger l on l.job_id = j.id where j.status = 'failed'
    group by j.id having sum(l.credits) <> 0 or sum(l.free) <> 0`,
  'a charge without a job': `
    select l.job_id::text as id from ledger l left join jobs j on j.id = l.job_id
    where l.job_id is not null and j.id is null`,
}

const inTheTables = ({ databaseUrl }: SystemState): Promise<string[]> =>
  onDatabase(databaseUrl, async (client) => {
    const faults: string[] = []
    for (const [fault, question] of Object.entries(questions)) {
      const { rows } = await client.query<{ id: string }>(question)
      faults.push(...rows.map(({ id }) => `${fault}: ${id}`))
    }
    return faults
  })

async function fromOutside(state: SystemState): Promise<string[]> {
  const faults: string[] = []
  for (const account of state.accounts) {
    const client = state.clientOf(account)
    const own = state.acknowledged.filter((record) => record.account === account.id)
    const usage = await client.usage(state.giveUpAt)
    const counted = usage?.currentWindow.account.jobs
    if (counted !== own.length)
      faults.push(`account ${account.id} sent ${own.length} orders, and ${counted} jobs are counted`)
    // The same key later: still the same job.
    for (const { request, jobId } of own.slice(0, 5)) {
      const again = await client.submit(request, state.giveUpAt)
      if (again?.jobId !== jobId)
        faults.push(`${jobId} was submitted again, and the answer named ${again?.jobId}`)
    }
  }
  return faults
}
