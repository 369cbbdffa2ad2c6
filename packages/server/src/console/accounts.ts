import { type Accounts, shownOnce } from '../accounts/accounts.ts'
import { pageLedger } from '../db/accounts.ts'
import type { Database } from '../db/connect.ts'
import { listAccountUsage } from '../db/reports/account-usage.ts'
import { refused } from '../errors.ts'

// Accounts as the console shows and handles them. A new key is in one answer, once.

const accountsPerPage = 100
const entriesPerPage = 50

export interface ConsoleAccountsParts {
  database: Database
  accounts: Accounts
  freeJobsPerMonth: number
}

export function createConsoleAccounts({ database, accounts, freeJobsPerMonth }: ConsoleAccountsParts) {
  const db = database.kysely
  return {
    async list(search: string, offset: number) {
      const found = await listAccountUsage(db, { search, id: null, limit: accountsPerPage + 1, offset })
      return {
        freeJobsPerMonth,
        accounts: found.slice(0, accountsPerPage),
        next: found.length > accountsPerPage ? offset + accountsPerPage : null,
      }
    },
    async show(id: string) {
      const [account] = await listAccountUsage(db, { search: '', id, limit: 1, offset: 0 })
      if (!account) throw refused('not-found', 'There is no account with this id.')
      return { freeJobsPerMonth, account, keys: (await accounts.listKeys(id)).reverse() }
    },
    async ledger(id: string, before: number | null) {
      const entries = await pageLedger(db, id, before, entriesPerPage)
      return { entries, next: entries.length === entriesPerPage ? (entries.at(-1)?.id ?? null) : null }
    },
    async create(name: string) {
      const made = await accounts.create(name)
      return { account: made.account, key: shownOnce(made.key) }
    },
    grant: (id: string, amount: number, reason: string) => accounts.grant(id, amount, reason),
    createKey: async (id: string) => shownOnce(await accounts.createKey(id)),
    async rotateKey(keyId: string, overlapSeconds: number) {
      const { old, key } = await accounts.rotateKey(keyId, overlapSeconds)
      return { old, key: shownOnce(key) }
    },
    revokeKey: (keyId: string) => accounts.revokeKey(keyId),
  }
}
