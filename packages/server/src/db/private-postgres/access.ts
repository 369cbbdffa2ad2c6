import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { chown, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Launch, spawnProgram } from './launch.ts'
import { DATABASE, MAINTENANCE_DATABASE, ROLE } from './names.ts'
import { scramVerifier } from './password.ts'

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

export interface Access {
  readonly password: string
  /** The role may also create databases and request checkpoints: for tests and measurements. */
  readonly mayManageDatabases: boolean
}

export async function hasAccess(postgresDir: string, access: Access): Promise<boolean> {
  // The file is missing until access was set up.
  const text = await readFile(markerPath(postgresDir), 'utf8').catch(() => '')
  return text === marker(access)
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
  const child = await spawnProgram(launch, launch.binaries.postgres, args, ['pipe', 'ignore', 'pipe'])
  let complaints = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    complaints = (complaints + text).slice(-4000)
  })
  // A process that exits at once reads no input; its stderr has the reason.
  child.stdin?.on('error', () => {})
  child.stdin?.end(statements.map((text) => `${text.trim().replaceAll(/\s*\n\s*/g, ' ')};\n`).join(''))
  const [code] = (await once(child, 'close')) as [number | null]
  const faults = complaints
    .split('\n')
    .filter((line) => /\b(?:ERROR|FATAL|PANIC):/.test(line) && !/already exists/.test(line))
  if (code !== 0 || faults.length > 0)
    throw new Error(`The access to the database could not be set up:\n${complaints || `exit code ${code}`}`)
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
