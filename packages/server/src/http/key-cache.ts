// A cache of the accounts of API keys. The account of a key never changes, and its parent rarely does, so both are
// queried once a minute. Whether the key is still valid is checked by the database together with the operation itself.
// For a request that is refused before that, it is checked here, at most once a second per key: a flood of refused
// requests must not become a flood of queries.

export interface KeyAccount {
  accountId: string
  /** Its parent account, or the account itself; limits of families are counted by it. */
  familyId: string
}

export type FindAccount = (keyHash: Buffer) => Promise<KeyAccount | null>

interface Entry {
  account: KeyAccount
  /** A `performance.now()` time. */
  queriedAt: number
}

const maxEntries = 20_000
const ttlMilliseconds = { account: 60_000, working: 1000 }

/** `findAccount` queries the account of a valid key. */
export function createKeyCache(findAccount: FindAccount) {
  const entries = new Map<string, Entry>()
  const pending = new Map<string, ReturnType<FindAccount>>()

  const query = async (name: string, keyHash: Buffer) => {
    const queriedAt = performance.now()
    const account = await findAccount(keyHash)
    entries.delete(name)
    if (account === null) return null
    if (entries.size >= maxEntries) entries.delete(entries.keys().next().value as string)
    entries.set(name, { account, queriedAt })
    return account
  }
  // Concurrent callers share one query.
  const load = (name: string, keyHash: Buffer) => {
    const running = pending.get(name) ?? query(name, keyHash).finally(() => pending.delete(name))
    pending.set(name, running)
    return running
  }
  const findWithin =
    (milliseconds: number): FindAccount =>
    async (keyHash) => {
      const name = keyHash.toString('base64')
      const found = entries.get(name)
      const isFresh = found && performance.now() - found.queriedAt < milliseconds
      return isFresh ? found.account : load(name, keyHash)
    }
  return {
    /** The account that owns the key or did a minute ago; null for an unknown key. */
    accountOf: findWithin(ttlMilliseconds.account),
    /** Null for a key that is unknown or revoked; cached for a second. */
    workingAccountOf: findWithin(ttlMilliseconds.working),
  }
}

export type KeyCache = ReturnType<typeof createKeyCache>
