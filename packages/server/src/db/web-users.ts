import { sql } from 'kysely'
import type { Database, Db } from './connect.ts'
import { changesOneRow, queryOne, queryRow, queryRows, run } from './query.ts'

// Users of the web app, their invitations and their sessions.

export interface WebUser {
  id: string
  accountId: string
  name: string
  passwordHash: string | null
}

const userColumns = sql`id, account_id as "accountId", name, password_hash as "passwordHash"`

export async function insertInvitation(
  db: Db,
  tokenHash: Buffer,
  accountId: string,
  seconds: number,
): Promise<Date> {
  await run(db)`delete from web_invitations where ends_at <= now()`
  const { endsAt } = await queryOne<{ endsAt: Date }>(db)`
    insert into web_invitations (token_hash, account_id, ends_at)
    values (${tokenHash}, ${accountId}, now() + make_interval(secs => ${seconds}))
    returning ends_at as "endsAt"`
  return endsAt
}

/** The name of the account that a valid invitation is for; null when it was used or has expired. */
export const findInvitation = (db: Db, tokenHash: Buffer) =>
  queryRow<{ accountName: string }>(db)`
    select a.name as "accountName" from web_invitations i join accounts a on a.id = i.account_id
    where i.token_hash = ${tokenHash} and i.ends_at > now()`

export type Acceptance =
  | { outcome: 'created'; user: WebUser }
  | { outcome: 'no-invitation' }
  | { outcome: 'name-taken' }

/** Consumes the invitation and creates its user, in one transaction. */
export const acceptInvitation = (
  db: Db,
  tokenHash: Buffer,
  name: string,
  passwordHash: string | null,
): Promise<Acceptance> =>
  db.transaction().execute(async (trx) => {
    const used = await queryRow<{ accountId: string }>(trx)`
      delete from web_invitations where token_hash = ${tokenHash} and ends_at > now()
      returning account_id as "accountId"`
    if (!used) return { outcome: 'no-invitation' }
    const { accountId } = used
    const user = await insertUser(trx, accountId, name, passwordHash)
    if (user) return { outcome: 'created', user }
    await run(trx)`
      insert into web_invitations (token_hash, account_id, ends_at)
      values (${tokenHash}, ${accountId}, now() + interval '1 hour')`
    return { outcome: 'name-taken' }
  })

/** Null when the name is taken. */
const insertUser = (db: Db, accountId: string, name: string, passwordHash: string | null) =>
  queryRow<WebUser>(db)`
    insert into web_users (account_id, name, password_hash) values (${accountId}, ${name}, ${passwordHash})
    on conflict (lower(name)) do nothing returning ${userColumns}`

/** Creates an account with one user of the same name. Null when the name is taken. */
export const insertUserWithAccount = (db: Db, name: string) =>
  queryRow<WebUser>(db)`
    with account as (
      insert into accounts (name) select ${name}
      where not exists (select from web_users where lower(name) = lower(${name})) returning id)
    insert into web_users (account_id, name) select id, ${name} from account
    on conflict (lower(name)) do nothing returning ${userColumns}`

export const findUserByName = (db: Db, name: string) =>
  queryRow<WebUser>(db)`
    select ${userColumns} from web_users where lower(name) = lower(${name})`

export interface WebUserRecord {
  id: string
  name: string
  accountId: string
  accountName: string
  createdAt: Date
  passkeys: number
}

export const listUsers = (db: Db) =>
  queryRows<WebUserRecord>(db)`
    select u.id, u.name, u.account_id as "accountId", a.name as "accountName", u.created_at as "createdAt",
           (select count(*)::integer from web_passkeys p where p.user_id = u.id) as passkeys
    from web_users u join accounts a on a.id = u.account_id order by u.created_at`

/** Deletes the user with its sessions and passkeys; the account stays. */
export const deleteUser = (db: Db, id: string) => changesOneRow(db)`delete from web_users where id = ${id}`

/** Replaces the password and ends every other session of the user. */
export const replacePassword = (
  db: Db,
  userId: string,
  passwordHash: string,
  keptSession: Buffer,
): Promise<void> =>
  db.transaction().execute(async (trx) => {
    await run(trx)`update web_users set password_hash = ${passwordHash} where id = ${userId}`
    await run(trx)`delete from web_sessions where user_id = ${userId} and token_hash <> ${keptSession}`
  })

export interface WebSession {
  accountId: string
  accountName: string
  /** Null for a guest. */
  userId: string | null
  userName: string | null
  keyHash: Buffer
  endsAt: Date
}

export interface NewSession {
  tokenHash: Buffer
  accountId: string
  userId: string | null
  seconds: number
}

export async function insertWebSession(
  db: Db,
  { tokenHash, accountId, userId, seconds }: NewSession,
): Promise<Date> {
  await run(db)`delete from web_sessions where ends_at <= now()`
  const { endsAt } = await queryOne<{ endsAt: Date }>(db)`
    insert into web_sessions (token_hash, account_id, user_id, ends_at)
    values (${tokenHash}, ${accountId}, ${userId}, now() + make_interval(secs => ${seconds}))
    returning ends_at as "endsAt"`
  return endsAt
}

export async function findWebSession(database: Database, tokenHash: Buffer): Promise<WebSession | null> {
  const rows = await database.prepared<WebSession>(
    'find-web-session',
    `select s.account_id as "accountId", a.name as "accountName", s.user_id as "userId", u.name as "userName",
            k.hash as "keyHash", s.ends_at as "endsAt"
     from web_sessions s join accounts a on a.id = s.account_id
     join api_keys k on k.account_id = s.account_id and k.is_internal
     left join web_users u on u.id = s.user_id
     where s.token_hash = $1 and s.ends_at > now()`,
    [tokenHash],
  )
  return rows[0] ?? null
}

export const deleteWebSession = (db: Db, tokenHash: Buffer) =>
  run(db)`delete from web_sessions where token_hash = ${tokenHash}`

// Passkeys of the web app's users, and the challenges that have been issued.

export interface Passkey {
  credentialId: Buffer
  userId: string
  accountId: string
  publicKey: Buffer
  counter: number
}

export async function insertChallenge(db: Db, challengeHash: Buffer, seconds: number): Promise<void> {
  await run(db)`delete from web_challenges where ends_at <= now()`
  await run(db)`
    insert into web_challenges (challenge_hash, ends_at)
    values (${challengeHash}, now() + make_interval(secs => ${seconds}))`
}

/** Consumes a challenge. False when it was used already, has expired or was never issued. */
export const takeChallenge = (db: Db, challengeHash: Buffer) =>
  changesOneRow(db)`delete from web_challenges where challenge_hash = ${challengeHash} and ends_at > now()`

export const insertPasskey = (db: Db, passkey: Omit<Passkey, 'accountId'>) =>
  run(db)`
    insert into web_passkeys (credential_id, user_id, public_key, counter)
    values (${passkey.credentialId}, ${passkey.userId}, ${passkey.publicKey}, ${passkey.counter})`

export const findPasskey = (db: Db, credentialId: Buffer) =>
  queryRow<Passkey>(db)`
    select p.credential_id as "credentialId", p.user_id as "userId", u.account_id as "accountId",
           p.public_key as "publicKey", p.counter
    from web_passkeys p join web_users u on u.id = p.user_id
    where p.credential_id = ${credentialId}`

export const recordPasskeyUse = (db: Db, credentialId: Buffer, counter: number) =>
  run(db)`
    update web_passkeys set counter = ${counter}, used_at = now()
    where credential_id = ${credentialId}`

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
