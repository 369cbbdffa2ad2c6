import { hash, randomBytes } from 'node:crypto'
import type { Db } from '../db/connect.ts'
import { countAttempt, forgetFailures } from '../db/operator.ts'
import { refused } from '../errors.ts'

// What signing in to the console and to the web app have in common. Attempts are counted in the database, per network,
// so that the limit holds over all API processes and across restarts. An attempt is counted before its password is
// checked: of a hundred concurrent attempts, at most the limit are checked.

const maxFailures = 10
const windowSeconds = 300

export interface Session {
  token: string
  endsAt: Date
}

/** For sessions, invitations and passkey challenges: 256 random bits. The database stores their hash alone. */
export const newToken = (): string => randomBytes(32).toString('base64url')

export const hashToken = (token: string): Buffer => hash('sha256', token, 'buffer')

/** `key` is the name under which the attempts of a network are counted. */
export const createAttemptLimit = (db: Db, key: (network: string) => string) => ({
  async limitAttempts(network: string): Promise<void> {
    const { attempts, seconds } = await countAttempt(db, key(network), windowSeconds)
    if (attempts <= maxFailures) return
    throw refused('rate-limited', 'Too many attempts to sign in. Wait a few minutes.', {
      'retry-after': String(Math.max(1, seconds)),
    })
  },
  forgetAttempts: (network: string) => forgetFailures(db, key(network)),
})
