import { hashPassword, longestPassword, makePassword, verifyPassword } from '../accounts/password.ts'
import type { Database } from '../db/connect.ts'
import { readPasswordHash, writeFirstPasswordHash, writePasswordHash } from '../db/operator.ts'
import { refused } from '../errors.ts'

// Where the operator's password comes from: made at the first start of `npm start` and shown once, set on the
// command line, or given to every process in KILN_OPERATOR_PASSWORD. It lives in the database, so that all API
// processes know the same one.

const shortest = 10

export async function setOperatorPassword(database: Database, password: string): Promise<void> {
  if (password.length < shortest || password.length > longestPassword) {
    throw refused('bad-request', `The password must have ${shortest} to ${longestPassword} characters.`)
  }
  await writePasswordHash(database.kysely, await hashPassword(password))
}

/** Makes a password if there is none yet; null when there is. */
export async function makeFirstPassword(database: Database): Promise<string | null> {
  if ((await readPasswordHash(database.kysely)) !== null) return null
  const password = makePassword()
  const isFirst = await writeFirstPasswordHash(database.kysely, await hashPassword(password))
  return isFirst ? password : null
}

/** The password of the settings replaces another one, and with it the sessions that the other opened. */
export async function adoptPassword(database: Database, password: string): Promise<void> {
  const stored = await readPasswordHash(database.kysely)
  if (stored !== null && (await verifyPassword(password, stored))) return
  await setOperatorPassword(database, password)
}
