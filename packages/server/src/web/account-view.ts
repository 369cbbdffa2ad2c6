import { type Accounts, shownOnce } from '../accounts/accounts.ts'
import { listAccountUsage, listLedger } from '../db/accounts.ts'
import type { Database } from '../db/connect.ts'
import { listAccountJobs } from '../db/web-jobs.ts'
import { refused } from '../errors.ts'
import type { Webhooks } from '../webhooks/webhooks.ts'

// One account as its users and the operator see it: usage, ledger, jobs, keys and webhook. Keys and deliveries are
// addressed within their account, so that one account cannot name those of another.

const entriesPerPage = 50
const deliveriesPerPage = 50

export interface AccountViewParts {
  database: Database
  accounts: Accounts
  webhooks: Webhooks
  freeJobsPerMonth: number
}

export function createAccountView({ database, accounts, webhooks, freeJobsPerMonth }: AccountViewParts) {
  const db = database.kysely
  const keysOf = async (accountId: string) => (await accounts.listKeys(accountId)).reverse()
  const requireKey = async (accountId: string, keyId: string) => {
    if (!(await keysOf(accountId)).some(({ id }) => id === keyId))
      throw refused('not-found', 'This account has no such key.')
  }
  const page = <Item>(items: Item[], size: number, cursor: (item: Item) => number | string) => {
    const last = items.at(-1)
    return items.length === size && last !== undefined ? cursor(last) : null
  }

  return {
    async show(accountId: string) {
      const [account] = await listAccountUsage(db, { search: '', id: accountId, limit: 1, offset: 0 })
      if (!account) throw refused('not-found', 'There is no account with this id.')
      return { freeJobsPerMonth, account, keys: await keysOf(accountId) }
    },
    async ledger(accountId: string, before: number | null) {
      const entries = await listLedger(db, accountId, before, entriesPerPage)
      return { entries, next: page(entries, entriesPerPage, ({ id }) => id) as number | null }
    },
    async jobs(accountId: string, before: number | null) {
      const jobs = await listAccountJobs(db, accountId, before, entriesPerPage)
      return { jobs, next: page(jobs, entriesPerPage, ({ entry }) => entry) as number | null }
    },

    createKey: async (accountId: string) => shownOnce(await accounts.createKey(accountId)),
    async rotateKey(accountId: string, keyId: string, overlapSeconds: number) {
      await requireKey(accountId, keyId)
      const { old, key } = await accounts.rotateKey(keyId, overlapSeconds)
      return { old, key: shownOnce(key) }
    },
    async revokeKey(accountId: string, keyId: string) {
      await requireKey(accountId, keyId)
      return accounts.revokeKey(keyId)
    },

    async webhook(accountId: string, before: string | null) {
      const deliveries = await webhooks.deliveries(accountId, before, deliveriesPerPage)
      return {
        webhook: await webhooks.find(accountId),
        deliveries,
        next: page(deliveries, deliveriesPerPage, ({ id }) => id) as string | null,
      }
    },
    setWebhook: webhooks.set,
    rotateWebhook: webhooks.rotate,
    removeWebhook: webhooks.remove,
    sendAgain: (accountId: string, deliveryId: string) => webhooks.sendAgain(deliveryId, accountId),
  }
}

export type AccountView = ReturnType<typeof createAccountView>
