import {
  anyAccount,
  findAccount,
  grantCredits,
  insertAccount,
  listAccounts,
  listLedger,
  maxCredits,
  setParent,
} from '../db/accounts.ts'
import type { Database } from '../db/connect.ts'
import { endKey, findKey, insertKey, type KeyRecord, listKeys } from '../db/keys.ts'
import { refused } from '../errors.ts'
import { hashKey, hintOfKey, makeKey } from './api-key.ts'

// The operator's operations on accounts, keys and credits. The clear text of a new key is returned once.

export interface NewKey {
  record: KeyRecord
  key: string
}

/** A new key with its clear text, for the one response that shows it. */
export const shownOnce = ({ record, key }: NewKey) => ({ ...record, key })

export type Accounts = ReturnType<typeof createAccounts>

export function createAccounts(database: Database) {
  const db = database.kysely
  const requireAccount = async (id: string) => {
    const account = await findAccount(db, id)
    if (!account) throw refused('not-found', `There is no account ${id}. See: account list`)
    return account
  }
  const requireKey = async (id: string) => {
    const key = await findKey(db, id)
    if (!key) throw refused('not-found', `There is no key ${id}. See: key list`)
    return key
  }
  const addKey = async (accountId: string): Promise<NewKey> => {
    const key = makeKey()
    return { key, record: await insertKey(db, accountId, hashKey(key), hintOfKey(key)) }
  }

  return {
    isEmpty: async () => !(await anyAccount(db)),
    async create(name: string) {
      const account = await insertAccount(db, name)
      return { account, key: await addKey(account.id) }
    },
    list: () => listAccounts(db),
    /** Shares and limits of the parent apply to the account too. Null for none. */
    async setParent(accountId: string, parentId: string | null) {
      await requireAccount(accountId)
      if (parentId !== null) await requireAccount(parentId)
      if (!(await setParent(db, accountId, parentId)))
        throw refused(
          'bad-request',
          'An account that has a parent or accounts of its own cannot be in that place: there is one level.',
        )
      return requireAccount(accountId)
    },
    async createKey(accountId: string) {
      await requireAccount(accountId)
      return addKey(accountId)
    },
    async listKeys(accountId?: string) {
      if (accountId) await requireAccount(accountId)
      return listKeys(db, accountId)
    },
    /** The old key works until the overlap is over. */
    async rotateKey(keyId: string, overlapSeconds: number) {
      const current = await requireKey(keyId)
      if (current.state === 'ended') {
        throw refused('bad-request', `Key ${keyId} has ended already. Make a new one with: key create`)
      }
      const key = await addKey(current.accountId)
      const old = await endKey(db, keyId, new Date(Date.now() + overlapSeconds * 1000))
      return { old: old ?? current, key }
    },
    async revokeKey(keyId: string) {
      await requireKey(keyId)
      return (await endKey(db, keyId, new Date())) as KeyRecord
    },
    async grant(accountId: string, amount: number, reason: string) {
      const granted = await grantCredits(db, accountId, amount, reason)
      if (granted) return granted
      const { credits } = await requireAccount(accountId)
      throw refused(
        'bad-request',
        amount < 0
          ? `The account has ${credits} credits; ${-amount} cannot be taken from it.`
          : `The account has ${credits} credits, and may hold ${maxCredits} at most.`,
      )
    },
    async ledger(accountId: string) {
      const account = await requireAccount(accountId)
      return { account, entries: (await listLedger(db, accountId)).reverse() }
    },
  }
}
