import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { chown, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Launch, spawnProgram } from './launch.ts'
import { DATABASE, MAINTENANCE_DATABASE, ROLE, SUPERUSER } from './names.ts'
import { scramVerifier } from './password.ts'

// Who may connect, and as which role.
//
// An engine may run as the same user as PostgreSQL (in a container without user namespaces); then the permissions of
// the socket's directory do not keep it out. A compromised engine must find nothing behind the socket:
// - `pg_hba.conf` admits one role, with its password, and no other, in particular not the superuser;
// - that role is not a superuser. It owns the service's database, and can neither start a program (COPY … TO PROGRAM)
//   nor access a file of the server.
//
// The superuser is used only in single-user mode: `postgres --single`, which does not listen, before the server starts.
// That happens once per data directory. The directory of an earlier version, whose only role was the superuser, is
// migrated in the same way at its next start. A file in the directory records that it was done, and for which password.

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
export async function setUpAccess(launch: Launch, access: Access, isNew: boolean): Promise<void> {
  const verifier = scramVerifier(access.password)
  const attributes = `login nosuperuser ${access.mayManageDatabases ? 'createdb' : 'nocreatedb'} nocreaterole noreplication nobypassrls`
  await runAlone(launch, MAINTENANCE_DATABASE, [
    `do $$ begin if not exists (select from pg_roles where rolname = '${ROLE}') then create role ${ROLE}; end if; end $$`,
    `alter role ${ROLE} ${attributes} password '${verifier}'`,
    ...(access.mayManageDatabases && launch.binaries.major >= 15 ? [`grant pg_checkpoint to ${ROLE}`] : []),
    `create database ${DATABASE} owner ${ROLE}`,
    `alter database ${DATABASE} owner to ${ROLE}`,
  ])
  if (!isNew) await runAlone(launch, DATABASE, [handOver])
  await writeOwned(launch, join(launch.folders.postgresDir, 'pg_hba.conf'), rules)
  await writeOwned(launch, markerPath(launch.folders.postgresDir), marker(access))
}

const rules = `# Written by Kiln. One role may connect, through the socket alone, with its password.
# TYPE  DATABASE  USER  METHOD
local   all       ${ROLE}  scram-sha-256
`

/** Reassigns everything that the superuser owns in the schemas of the service to the service's role. */
const handOver = `
do $$
declare found record;
begin
  for found in select nspname from pg_namespace n join pg_roles o on o.oid = nspowner
               where o.rolname = '${SUPERUSER}' and nspname !~ '^pg_' and nspname not in ('information_schema', 'public')
  loop execute format('alter schema %I owner to ${ROLE}', found.nspname); end loop;
  for found in select c.oid::regclass as name, c.relkind as kind
               from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_roles o on o.oid = c.relowner
               where o.rolname = '${SUPERUSER}' and n.nspname !~ '^pg_' and n.nspname <> 'information_schema'
                 and c.relkind in ('r', 'p', 'v', 'm', 'S')
                 and not exists (select from pg_depend d where d.objid = c.oid and d.deptype in ('a', 'i') and c.relkind = 'S')
  loop
    execute format('alter %s %s owner to ${ROLE}',
      case found.kind when 'S' then 'sequence' when 'v' then 'view' when 'm' then 'materialized view' else 'table' end,
      found.name);
  end loop;
  for found in select p.oid::regprocedure as name
               from pg_proc p join pg_namespace n on n.oid = p.pronamespace join pg_roles o on o.oid = p.proowner
               where o.rolname = '${SUPERUSER}' and n.nspname !~ '^pg_' and n.nspname <> 'information_schema'
  loop execute format('alter routine %s owner to ${ROLE}', found.name); end loop;
  for found in select t.oid::regtype as name
               from pg_type t join pg_namespace n on n.oid = t.typnamespace join pg_roles o on o.oid = t.typowner
               left join pg_class c on c.oid = t.typrelid
               where o.rolname = '${SUPERUSER}' and n.nspname !~ '^pg_' and n.nspname <> 'information_schema'
                 and (t.typtype in ('e', 'd', 'r') or (t.typtype = 'c' and c.relkind = 'c'))
  loop execute format('alter type %s owner to ${ROLE}', found.name); end loop;
end $$`

/** In single-user mode a line is a statement, and a failed statement does not stop the following ones. */
async function runAlone(launch: Launch, database: string, statements: readonly string[]): Promise<void> {
  const { postgresDir } = launch.folders
  const args = ['--single', '-D', postgresDir, '-c', 'log_min_messages=error', database]
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
