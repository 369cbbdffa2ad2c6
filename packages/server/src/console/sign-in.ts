import { hash, randomBytes } from 'node:crypto'
import { longestPassword, verifyPassword } from '../accounts/password.ts'
import type { Database } from '../db/connect.ts'
import {
  countAttempt,
  deleteSession,
  findSession,
  forgetFailures,
  insertSession,
  readPasswordHash,
} from '../db/operator.ts'
import { refused } from '../errors.ts'
import type { Log } from '../log/log.ts'

// Signing in. Failed attempts are counted in the database, per address, so that the limit holds over all API processes
// and across restarts. An attempt is counted before its password is checked: of a hundred concurrent attempts, at most
// the limit are checked. A session is a random token in a cookie; the database stores its hash and its expiry.

const maxFailures = 10
const windowSeconds = 300

export interface Session {
  token: string
  endsAt: Date
}

export interface SignIn {
  signIn(password: string, address: string): Promise<Session>
  /** When the session of this token expires; null when there is no such session. */
  session(token: string): Promise<Date | null>
  signOut(token: string): Promise<void>
}

export function createSignIn(parts: { database: Database; sessionSeconds: number; log: Log }): SignIn {
  const { database, sessionSeconds, log } = parts
  const db = database.kysely
  return {
    async signIn(password, address) {
      const { attempts, seconds } = await countAttempt(db, address, windowSeconds)
      if (attempts > maxFailures) {
        throw refused('rate-limited', 'Too many attempts to sign in. Wait a few minutes.', {
          'retry-after': String(Math.max(1, seconds)),
        })
      }
      const stored = await readPasswordHash(db)
      if (stored === null) {
        throw refused(
          'forbidden',
          'No operator password is set yet. Set one with: npm run -s admin -- operator set-password',
        )
      }
      const token = randomBytes(32).toString('base64url')
      const right = password.length <= longestPassword && (await verifyPassword(password, stored))
      const endsAt = right ? await insertSession(db, hashOf(token), sessionSeconds, stored) : null
      if (endsAt === null) {
        log.warn({ address }, 'a sign-in to the console failed')
        throw refused('unauthenticated', 'This is not the password.')
      }
      await forgetFailures(db, address)
      log.info({ address }, 'the operator signed in to the console')
      return { token, endsAt }
    },
    session: (token) => findSession(database, hashOf(token)),
    signOut: (token) => deleteSession(db, hashOf(token)),
  }
}

const hashOf = (token: string): Buffer => hash('sha256', token, 'buffer')
