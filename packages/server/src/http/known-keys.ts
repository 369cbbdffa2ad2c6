// The accounts of the keys that were seen. The account of a key never changes, so it is asked for once. Whether the
// key still works is decided in the database together with the work itself. Where there will be no such work,
// because the request is refused, it is asked for here, at most once a second for a key: a flood of requests that
// are refused anyway must not become a flood of questions to the database.

export type FindAccount = (keyHash: Buffer) => Promise<string | null>

export interface KnownKeys {
  /** Whose key it is or was; null for a key that nobody owned when it was first seen. */
  accountOf: FindAccount
  /** Null for a key that is unknown or has ended; what was heard is believed for a second. */
  workingAccountOf: FindAccount
}

interface Known {
  accountId: string
  /** When it was last asked for, by `performance.now()`. */
  askedAt: number
}

const rememberedKeys = 20_000
const believedMilliseconds = 1000

/** `lookUp` gives the account of a key that works now. */
export function rememberKeys(lookUp: FindAccount): KnownKeys {
  const known = new Map<string, Known>()
  const asking = new Map<string, Promise<string | null>>()

  const look = async (name: string, keyHash: Buffer) => {
    const askedAt = performance.now()
    const accountId = await lookUp(keyHash)
    known.delete(name)
    if (accountId === null) return null
    if (known.size >= rememberedKeys) known.delete(known.keys().next().value as string)
    known.set(name, { accountId, askedAt })
    return accountId
  }
  // Whoever asks while the question is under way gets the same answer.
  const ask = (name: string, keyHash: Buffer) => {
    const underWay = asking.get(name) ?? look(name, keyHash).finally(() => asking.delete(name))
    asking.set(name, underWay)
    return underWay
  }
  return {
    async accountOf(keyHash) {
      const name = keyHash.toString('base64')
      return known.get(name)?.accountId ?? ask(name, keyHash)
    },
    async workingAccountOf(keyHash) {
      const name = keyHash.toString('base64')
      const found = known.get(name)
      const isFresh = found && performance.now() - found.askedAt < believedMilliseconds
      return isFresh ? found.accountId : ask(name, keyHash)
    },
  }
}
