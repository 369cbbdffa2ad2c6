import { type Accounts, shownOnce } from '../accounts/accounts.ts'
import type { Database } from '../db/connect.ts'
import { listAccountUsage } from '../db/reports/account-usage.ts'
import { createInvitation, invitationSeconds } from '../web/invitations.ts'

// All accounts, for the operator. web/account-view.ts reads a single account. A new key is shown once.

const accountsPerPage = 100

export interface ConsoleAccountsParts {
  database: Database
  accounts: Accounts
  freeJobsPerMonth: number
  publicUrl: string
}

export function createConsoleAccounts({
  database,
  accounts,
  freeJobsPerMonth,
  publicUrl,
}: ConsoleAccountsParts) {
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
    async create(name: string) {
      const made = await accounts.create(name)
      return { account: made.account, key: shownOnce(made.key) }
    },
    invite: (accountId: string) =>
      createInvitation(database, { publicUrl, accountId, seconds: invitationSeconds }),
    grant: (id: string, amount: number, reason: string) => accounts.grant(id, amount, reason),
  }
}
