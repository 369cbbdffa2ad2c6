import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto'
import { chown, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createOnce } from '../../create-once.ts'
import { readIfThere } from './folders.ts'
import { type Launch, runProgram } from './programs.ts'

// Authentication of the private database: who may connect, and as which role.
//
// An engine may run as the same user as PostgreSQL (in a container without user namespaces); then the permissions of
// the socket's directory do not keep it out. A compromised engine must find nothing behind the socket:
// - `pg_hba.conf` admits one role, with its password, and no other, in particular not the superuser;
// - that role is not a superuser. It owns the service's database, and can neither start a program (COPY … TO PROGRAM)
//   nor access a file of the server.
//
// The superuser is used only in single-user mode: `postgres --single`, which does not listen, before the server starts.
// That happens once per data directory. A file in the directory records that it was done, and for which password.

/** The role that Kiln connects as. It owns its database and is not a superuser. */
export const ROLE = 'kiln_service'

/** The role that created the directory, a superuser. It cannot log in over a connection. */
export const SUPERUSER = 'kiln'

export const DATABASE = 'kiln'
export const MAINTENANCE_DATABASE = 'postgres'

export interface Access {
  readonly password: string
  /** The role may also create databases and request checkpoints: for tests and measurements. */
  readonly mayManageDatabases: boolean
}

export async function hasAccess(postgresDir: string, access: Access): Promise<boolean> {
  // The file is missing until access was set up.
  return (await readFile(markerPath(postgresDir), 'utf8').catch(() => '')) === marker(access)
}

/**
 * Throws when the directory is in use, or the role could not be created. Call it while no server runs on the directory.
 */
export async function setUpAccess(launch: Launch, access: Access): Promise<void> {
  const verifier = scramVerifier(access.password)
  const attributes = `login nosuperuser ${access.mayManageDatabases ? 'createdb' : 'nocreatedb'} nocreaterole noreplication nobypassrls`
  await runAlone(launch, [
    `do $$ begin if not exists (select from pg_roles where rolname = '${ROLE}') then create role ${ROLE}; end if; end $$`,
    `alter role ${ROLE} ${attributes} password '${verifier}'`,
    ...(access.mayManageDatabases && launch.binaries.major >= 15 ? [`grant pg_checkpoint to ${ROLE}`] : []),
    `create database ${DATABASE} owner ${ROLE}`,
    `alter database ${DATABASE} owner to ${ROLE}`,
  ])
  await writeOwned(launch, join(launch.folders.postgresDir, 'pg_hba.conf'), rules)
  await writeOwned(launch, markerPath(launch.folders.postgresDir), marker(access))
}

const rules = `# Written by Kiln. One role may connect, through the socket alone, with its password.
# TYPE  DATABASE  USER  METHOD
local   all       ${ROLE}  scram-sha-256
`

/** In single-user mode a line is a statement, and a failed statement does not stop the following ones. */
async function runAlone(launch: Launch, statements: readonly string[]): Promise<void> {
  const { postgresDir } = launch.folders
  const args = ['--single', '-D', postgresDir, '-c', 'log_min_messages=error', MAINTENANCE_DATABASE]
  const input = statements.map((text) => `${text};\n`).join('')
  const { code, complaints } = await runProgram(launch, launch.binaries.postgres, args, input)
  const faults = complaints
    .split('\n')
    .filter((line) => /\b(?:ERROR|FATAL|PANIC):/.test(line) && !/already exists/.test(line))
  if (code !== 0 || faults.length > 0)
    throw new Error(`The access to the database could not be set up:\n${complaints}`)
}

const markerPath = (postgresDir: string): string => join(postgresDir, 'kiln-access')

const marker = ({ password, mayManageDatabases }: Access): string =>
  createHash('sha256').update(`1 ${ROLE} ${mayManageDatabases} ${password}`).digest('hex')

async function writeOwned({ user }: Launch, path: string, text: string): Promise<void> {
  const draft = `${path}.new-${process.pid}`
  await writeFile(draft, text, { mode: 0o600 })
  if (user) await chown(draft, user.uid, user.gid)
  await rename(draft, path)
}

// The password of the service's role is stored in the data directory, in a file that only this process's user can read,
// in the format of psql and pg_dump (PGPASSFILE). PostgreSQL stores only a verifier.

export const passwordFile = (dataDir: string): string => join(dataDir, 'postgres-password')

export async function readOrMakePassword(dataDir: string): Promise<string> {
  const path = passwordFile(dataDir)
  const found = await readPassword(path)
  if (found !== undefined) return found
  await createOnce(path, `*:*:*:${ROLE}:${randomBytes(32).toString('base64url')}\n`)
  const made = await readPassword(path)
  if (made === undefined) throw new Error(`${path} holds no password of ${ROLE}. Remove it, and start again.`)
  return made
}

async function readPassword(path: string): Promise<string | undefined> {
  const line = new RegExp(`^\\*:\\*:\\*:${ROLE}:([A-Za-z0-9_-]{43})$`, 'm')
  return line.exec(await readIfThere(path))?.[1]
}

const iterations = 4096

/** The SCRAM verifier that PostgreSQL stores (RFC 5803): enough to check the password, not enough to recover it. */
function scramVerifier(password: string, salt: Buffer = randomBytes(16)): string {
  const salted = pbkdf2Sync(password, salt, iterations, 32, 'sha256')
  const keyed = (text: string) => createHmac('sha256', salted).update(text).digest()
  const stored = createHash('sha256').update(keyed('Client Key')).digest('base64')
  const server = keyed('Server Key').toString('base64')
  return `SCRAM-SHA-256$${iterations}:${salt.toString('base64')}$${stored}:${server}`
}
