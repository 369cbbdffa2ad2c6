import { sql } from 'kysely'
import type { Db } from './connect.ts'
import { changesOneRow, queryRow, queryRows } from './query.ts'

// Passkeys of the web app's users, and the challenges that have been issued.

export interface Passkey {
  credentialId: Buffer
  userId: string
  accountId: string
  publicKey: Buffer
  counter: number
}

export async function insertChallenge(db: Db, challengeHash: Buffer, seconds: number): Promise<void> {
  await sql`delete from web_challenges where ends_at <= now()`.execute(db)
  await sql`
    insert into web_challenges (challenge_hash, ends_at)
    values (${challengeHash}, now() + make_interval(secs => ${seconds}))`.execute(db)
}

/** Consumes a challenge. False when it was used already, has expired or was never issued. */
export async function takeChallenge(db: Db, challengeHash: Buffer): Promise<boolean> {
  const { rows } = await sql`
    delete from web_challenges where challenge_hash = ${challengeHash} and ends_at > now()
    returning 1`.execute(db)
  return rows.length > 0
}

export async function insertPasskey(db: Db, passkey: Omit<Passkey, 'accountId'>): Promise<void> {
  const { credentialId, userId, publicKey, counter } = passkey
  await sql`
    insert into web_passkeys (credential_id, user_id, public_key, counter)
    values (${credentialId}, ${userId}, ${publicKey}, ${counter})`.execute(db)
}

export const findPasskey = (db: Db, credentialId: Buffer) =>
  queryRow<Passkey>(db)`
    select p.credential_id as "credentialId", p.user_id as "userId", u.account_id as "accountId",
           p.public_key as "publicKey", p.counter
    from web_passkeys p join web_users u on u.id = p.user_id
    where p.credential_id = ${credentialId}`

export async function recordPasskeyUse(db: Db, credentialId: Buffer, counter: number): Promise<void> {
  await sql`
    update web_passkeys set counter = ${counter}, used_at = now()
    where credential_id = ${credentialId}`.execute(db)
}

export interface PasskeyRecord {
  id: string
  createdAt: Date
  usedAt: Date | null
}

export const listPasskeys = (db: Db, userId: string) =>
  queryRows<PasskeyRecord>(db)`
    select encode(credential_id, 'hex') as id, created_at as "createdAt", used_at as "usedAt"
    from web_passkeys where user_id = ${userId} order by created_at`

export const deletePasskey = (db: Db, userId: string, id: string) =>
  changesOneRow(db)`
    delete from web_passkeys where user_id = ${userId} and encode(credential_id, 'hex') = ${id}`
