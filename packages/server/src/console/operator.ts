import { hashPassword, longestPassword, makePassword, verifyPassword } from '../accounts/password.ts'
import type { Database } from '../db/connect.ts'
import { readPasswordHash, writeFirstPasswordHash, writePasswordHash } from '../db/operator.ts'
import { refused } from '../errors.ts'

// Where the operator's password comes from: generated at the first `npm start` and shown once, set on the command line,
// or given to every process in KILN_OPERATOR_PASSWORD. It is stored in the database, so that all API processes share
// it.

const shortest = 10

export async function setOperatorPassword(database: Database, password: string): Promise<void> {
  if (password.length < shortest || password.length > longestPassword) {
    throw refused('bad-request', `The password must have ${shortest} to ${longestPassword} characters.`)
  }
  await writePasswordHash(database.kysely, await hashPassword(password))
}

/** Generates a password if there is none yet; null if there is one. */
export async function makeFirstPassword(database: Database): Promise<string | null> {
  if ((await readPasswordHash(database.kysely)) !== null) return null
  const password = makePassword()
  const isFirst = await writeFirstPasswordHash(database.kysely, await hashPassword(password))
  return isFirst ? password : null
}

/** The password of the settings replaces the stored one and ends the sessions that were opened with that. */
export async function adoptPassword(database: Database, password: string): Promise<void> {
  const stored = await readPasswordHash(database.kysely)
  if (stored !== null && (await verifyPassword(password, stored))) return
  await setOperatorPassword(database, password)
}
