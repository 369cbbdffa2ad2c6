import { hashToken, type Session } from '../accounts/sign-in.ts'
import { findAccount } from '../db/accounts.ts'
import type { Database } from '../db/connect.ts'
import { internalKeyOf } from '../db/keys.ts'
import { findOrCreateGuestAccount } from '../db/web-jobs.ts'
import { findUserByName, insertUserWithAccount } from '../db/web-users.ts'
import type { WebSignIn } from './sign-in.ts'

// Identifies the visitor of a request of the web app: a user with a session, a user whom a trusted proxy names, or a guest.

export interface Visitor {
  accountId: string
  accountName: string
  /** Null for a guest. */
  user: { id: string; name: string } | null
  /** Names the account in submits and polls. */
  keyHash: Buffer
  /** Null for a visitor whom the proxy names. */
  sessionHash: Buffer | null
  endsAt: Date | null
}

export function createVisitors({ database, signIn }: { database: Database; signIn: WebSignIn }) {
  const db = database.kysely
  const guestAccount = () => findOrCreateGuestAccount(db, 'Guests')

  return {
    async ofSession(token: string): Promise<Visitor | null> {
      const session = await signIn.session(token)
      if (!session) return null
      const { accountId, accountName, userId, userName, keyHash, endsAt } = session
      const user = userId === null ? null : { id: userId, name: userName ?? '' }
      return { accountId, accountName, user, keyHash, endsAt, sessionHash: hashToken(token) }
    },

    /** The user whom the proxy names. A new one gets an account with the same name. */
    async ofProxy(name: string): Promise<Visitor> {
      const user = (await findUserByName(db, name)) ?? (await createUser(name))
      const account = await findAccount(db, user.accountId)
      return {
        accountId: user.accountId,
        accountName: account?.name ?? name,
        user: { id: user.id, name: user.name },
        keyHash: await internalKeyOf(db, user.accountId),
        sessionHash: null,
        endsAt: null,
      }
    },

    openGuestSession: async (): Promise<Session> => signIn.openSession(await guestAccount(), null),
  }

  async function createUser(name: string) {
    const user = (await insertUserWithAccount(db, name)) ?? (await findUserByName(db, name))
    if (!user) throw new Error('The user was deleted while it was created.')
    return user
  }
}
