import { longestPassword, verifyPassword } from '../accounts/password.ts'
import { createAttemptLimit, hashToken, newToken, type Session } from '../accounts/sign-in.ts'
import type { Database } from '../db/connect.ts'
import { deleteSession, findSession, insertSession, readPasswordHash } from '../db/operator.ts'
import { refused } from '../errors.ts'
import type { Log } from '../log/log.ts'

// Signing in to the console. A session is a random token in a cookie; the database stores its hash and its expiry.

export function createSignIn(parts: { database: Database; sessionSeconds: number; log: Log }) {
  const { database, sessionSeconds, log } = parts
  const db = database.kysely
  const attempts = createAttemptLimit(db, (network) => network)
  return {
    async signIn(password: string, address: string): Promise<Session> {
      await attempts.limitAttempts(address)
      const stored = await readPasswordHash(db)
      if (stored === null) {
        throw refused(
          'forbidden',
          'No operator password is set yet. Set one with: npm run -s admin -- operator set-password',
        )
      }
      const token = newToken()
      const right = password.length <= longestPassword && (await verifyPassword(password, stored))
      const endsAt = right ? await insertSession(db, hashToken(token), sessionSeconds, stored) : null
      if (endsAt === null) {
        log.warn({ address }, 'a sign-in to the console failed')
        throw refused('unauthenticated', 'This is not the password.')
      }
      await attempts.forgetAttempts(address)
      log.info({ address }, 'the operator signed in to the console')
      return { token, endsAt }
    },
    /** When the session of this token expires; null when there is no such session. */
    session: (token: string) => findSession(database, hashToken(token)),
    signOut: (token: string) => deleteSession(db, hashToken(token)),
  }
}
