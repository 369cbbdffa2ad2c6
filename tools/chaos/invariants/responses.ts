import { setTimeout as sleep } from 'node:timers/promises'
import { onDatabase } from '@kiln/test-support/on-database.ts'
import type { Invariant, SystemState } from '../system-state.ts'

// A second look for a submit that was answered with an error follows after 35 seconds (conversions/submit.ts).
const patienceMilliseconds = 45_000

export const responsesMatchCharges: Invariant = {
  name: 'an error response to a submit leaves no charge',
  async check(state) {
    const { acknowledged, refused, lost } = state.withoutKey
    const giveUpAt = Date.now() + patienceMilliseconds
    let unknown = await unknownCharges(state)
    while (unknown.length > lost && Date.now() < giveUpAt) {
      await sleep(500)
      unknown = await unknownCharges(state)
    }
    state.say(
      `submits without a key: ${acknowledged.size} acknowledged, ${refused} refused, ${lost} connections lost, ${unknown.length} charges that no response named`,
    )
    return unknown.length > lost
      ? [
          `${unknown.length} jobs are charged that no response named, and ${lost} connections were lost: ${unknown}`,
        ]
      : []
  },
}

const unknownCharges = ({
  databaseUrl,
  withoutKey: { account, acknowledged },
}: SystemState): Promise<string[]> =>
  onDatabase(databaseUrl, async (client) => {
    const { rows } = await client.query<{ id: string }>(
      `select id::text from jobs where account_id = $1 and status <> 'failed'`,
      [account.id],
    )
    return rows.map(({ id }) => id).filter((id) => !acknowledged.has(id))
  })
