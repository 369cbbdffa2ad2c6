import { hashPassword, longestPassword, verifyPassword } from '../accounts/password.ts'
import { createAttemptLimit, hashToken, newToken, type Session } from '../accounts/sign-in.ts'
import type { Database } from '../db/connect.ts'
import { internalKeyOf } from '../db/keys.ts'
import {
  acceptInvitation,
  deleteWebSession,
  findInvitation,
  findUserByName,
  findWebSession,
  insertWebSession,
  replacePassword,
  type WebSession,
} from '../db/web-users.ts'
import { refused } from '../errors.ts'
import type { Log } from '../log/log.ts'

// Signing in to the web app: with an invitation the first time, with a password or a passkey (passkeys.ts) after
// that.

const shortestPassword = 10

/** A user as passwords and passkeys refer to it. */
export interface Owner {
  userId: string
  userName: string
}

export interface SignInParts {
  database: Database
  webSessionSeconds: number
  log: Log
}

export function createWebSignIn({ database, webSessionSeconds, log }: SignInParts) {
  const db = database.kysely

  const openSession = async (accountId: string, userId: string | null): Promise<Session> => {
    const token = newToken()
    await internalKeyOf(db, accountId)
    const tokenHash = hashToken(token)
    const endsAt = await insertWebSession(db, { tokenHash, accountId, userId, seconds: webSessionSeconds })
    return { token, endsAt }
  }

  const { limitAttempts, forgetAttempts } = createAttemptLimit(db, (network) => `web ${network}`)

  return {
    openSession,
    limitAttempts,
    forgetAttempts,

    /** The account that an invitation is for. */
    async invitation(token: string, network: string) {
      await limitAttempts(network)
      const found = await findInvitation(db, hashToken(token))
      if (!found) throw noInvitation()
      await forgetAttempts(network)
      return found
    },

    /** Creates the user. Without a password the page registers a passkey next. */
    async accept(token: string, name: string, password: string | null, network: string): Promise<Session> {
      await limitAttempts(network)
      const accepted = await acceptInvitation(
        db,
        hashToken(token),
        name,
        password === null ? null : await hashPassword(checkedPassword(password)),
      )
      if (accepted.outcome === 'no-invitation') throw noInvitation()
      if (accepted.outcome === 'name-taken')
        throw refused('bad-request', 'This user name is taken. Choose another one.')
      await forgetAttempts(network)
      const { user } = accepted
      log.info({ user: user.id, account: user.accountId }, 'a user accepted an invitation')
      return openSession(user.accountId, user.id)
    },

    async signIn(name: string, password: string, network: string): Promise<Session> {
      await limitAttempts(network)
      const user = await findUserByName(db, name)
      // An unknown name takes as long as a wrong password.
      const stored = user?.passwordHash ?? (await unusableHash())
      const isRight = password.length <= longestPassword && (await verifyPassword(password, stored))
      if (!user?.passwordHash || !isRight) {
        log.warn({ network }, 'a sign-in to the web app failed')
        throw refused('unauthenticated', 'The user name or the password is wrong.')
      }
      await forgetAttempts(network)
      return openSession(user.accountId, user.id)
    },

    async session(token: string): Promise<WebSession | null> {
      return findWebSession(database, hashToken(token))
    },

    signOut: (token: string) => deleteWebSession(db, hashToken(token)),

    /** Other sessions of the user end. */
    async changePassword(owner: Owner, token: string, current: string, next: string, network: string) {
      await limitAttempts(network)
      const user = await findUserByName(db, owner.userName)
      if (user?.passwordHash && !(await verifyPassword(current, user.passwordHash)))
        throw refused('bad-request', 'The current password is wrong.')
      await forgetAttempts(network)
      const passwordHash = await hashPassword(checkedPassword(next))
      await replacePassword(db, owner.userId, passwordHash, hashToken(token))
    },
  }
}

export type WebSignIn = ReturnType<typeof createWebSignIn>

const noInvitation = () =>
  refused(
    'not-found',
    'This invitation was used already or has expired. Ask the operator of this service for a new one.',
  )

function checkedPassword(password: string): string {
  if (password.length >= shortestPassword && password.length <= longestPassword) return password
  throw refused('bad-request', `The password must have ${shortestPassword} to ${longestPassword} characters.`)
}

let unusable: Promise<string> | undefined
const unusableHash = () => {
  unusable ??= hashPassword(newToken())
  return unusable
}
