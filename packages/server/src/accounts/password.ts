import { randomBytes, randomInt, scrypt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'

// The operator's password is stored as its scrypt hash together with the cost parameters, so that they can be raised
// later: `scrypt:32768:8:3:<salt>:<hash>`. A hash takes 32 MB and about 0.2 s, so hashes are computed one at a time: a
// flood of sign-ins must not use up the memory that uploads need.

const cost = { N: 32_768, r: 8, p: 3 }

/** Longer passwords are refused without hashing them. */
export const longestPassword = 500
const hashBytes = 32

const derive = promisify<string, Buffer, number, object, Buffer>(scrypt)

export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16)
  const hash = await alone(() => derive(password.normalize('NFC'), salt, hashBytes, withMemory(cost)))
  return ['scrypt', cost.N, cost.r, cost.p, salt.toString('base64url'), hash.toString('base64url')].join(':')
}

export async function verifyPassword(password: string, stored: string): Promise<boolean> {
  const [kind, N, r, p, salt, hash] = stored.split(':')
  if (kind !== 'scrypt' || !salt || !hash) return false
  const wanted = Buffer.from(hash, 'base64url')
  const costs = withMemory({ N: Number(N), r: Number(r), p: Number(p) })
  const found = await alone(() =>
    derive(password.normalize('NFC'), Buffer.from(salt, 'base64url'), wanted.length, costs),
  )
  return timingSafeEqual(found, wanted)
}

const withMemory = (costs: typeof cost) => ({ ...costs, maxmem: 256 * costs.N * costs.r })

let last: Promise<unknown> = Promise.resolve()
function alone<T>(work: () => Promise<T>): Promise<T> {
  const mine = last.then(work, work)
  // The caller gets the error; the next call in the chain must not.
  last = mine.catch(() => {})
  return mine
}

// Without characters that are easily confused. 20 characters have 98 bits of entropy.
const alphabet = 'abcdefghijkmnpqrstuvwxyz23456789'

/** A generated password in four groups. */
export function makePassword(): string {
  const group = () => Array.from({ length: 5 }, () => alphabet[randomInt(alphabet.length)]).join('')
  return Array.from({ length: 4 }, group).join('-')
}
