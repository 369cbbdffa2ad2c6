import { type AccountLoad, readAccountLoad, readFamilies } from '../db/account-load.ts'
import type { Database } from '../db/connect.ts'
import type { SubmitRefusal } from '../db/submit.ts'
import { startRounds } from '../rounds.ts'

// The load that each account causes, queried once a second instead of at every submit.
//
// - The queue is bounded, because an ever-growing queue helps no account. An account may hold a quarter of it. Beyond
//   that its own submits are refused; other accounts still find room in the queue.
// - A failed conversion is refunded, so failing costs no credits. The CPU time of every attempt without an output is
//   metered instead, whatever the reason. Internal errors are exempt up to two minutes within an hour: most are Kiln's
//   fault, but a crafted file may cause them. Beyond ten minutes within an hour, submits of the account are refused,
//   and its waiting jobs run one at a time in each lane.
// - Both limits apply to an account, and to a parent with all of its accounts together.

const lookEveryMilliseconds = 1000
const shareOfAccount = 0.25
const unpaidSecondsPerHour = 600
const forgivenSecondsPerHour = 120

type Load = Pick<AccountLoad, 'unended' | 'unpaidSeconds' | 'internalSeconds'>

const meteredSeconds = ({ unpaidSeconds, internalSeconds }: Load): number =>
  unpaidSeconds - Math.min(internalSeconds, forgivenSecondsPerHour)

/** Sums by parent account, including the parent's own jobs. */
function sumFamilies(loads: readonly AccountLoad[]): Map<string, Load> {
  const parents = new Set(loads.flatMap(({ parentId }) => parentId ?? []))
  const families = new Map<string, Load>()
  for (const load of loads) {
    const parent = load.parentId ?? load.accountId
    if (!parents.has(parent)) continue
    const sum = families.get(parent) ?? { unended: 0, unpaidSeconds: 0, internalSeconds: 0 }
    families.set(parent, {
      unended: sum.unended + load.unended,
      unpaidSeconds: sum.unpaidSeconds + load.unpaidSeconds,
      internalSeconds: sum.internalSeconds + load.internalSeconds,
    })
  }
  return families
}

export async function watchAccountLoad(database: Database, maxWaiting: number) {
  const maxOfAccount = Math.max(1, Math.floor(maxWaiting * shareOfAccount))
  let isFull = false
  let isIdle = false
  let busy = new Set<string>()
  let failing = new Set<string>()

  const look = async () => {
    const found = await readAccountLoad(database, maxWaiting * 10)
    const families = sumFamilies(found)
    const idsOf = async (isOver: (load: Load) => boolean) => {
      const parents = [...families].filter(([, load]) => isOver(load)).map(([id]) => id)
      const relatives = parents.length > 0 ? await readFamilies(database, parents) : []
      return new Set([...found.filter(isOver).map(({ accountId }) => accountId), ...relatives])
    }
    ;[busy, failing] = await Promise.all([
      idsOf(({ unended }) => unended >= maxOfAccount),
      idsOf((load) => meteredSeconds(load) >= unpaidSecondsPerHour),
    ])
    isIdle = found.every(({ unended }) => unended === 0)
    isFull = found.reduce((sum, { unended }) => sum + Math.min(unended, maxOfAccount), 0) >= maxWaiting
  }
  const tryToLook = () =>
    look().catch(() => {
      // While the database is unavailable, submits are refused for that reason; the last figures are kept.
    })
  await tryToLook()
  const { stop } = startRounds(lookEveryMilliseconds, tryToLook, lookEveryMilliseconds)
  return {
    /** Why a submit of this account is refused at the moment. */
    refusalOf(accountId: string): SubmitRefusal | null {
      if (failing.has(accountId)) return 'account-failing'
      if (busy.has(accountId)) return 'account-busy'
      return isFull ? 'queue-full' : null
    },
    /** Have its conversions without an output used up their CPU time? */
    failsTooLong: (accountId: string) => failing.has(accountId),
    /** Was no job waiting or running at the last query? */
    isIdle: () => isIdle,
    stop,
  }
}

export type AccountLoadWatch = Awaited<ReturnType<typeof watchAccountLoad>>
