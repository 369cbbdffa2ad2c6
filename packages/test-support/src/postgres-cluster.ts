import { execFile } from 'node:child_process'
import { chown, mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { chooseDatabaseUser } from '../../server/src/db/private-postgres/folders.ts'
import { findBinaries } from '../../server/src/db/private-postgres/programs.ts'

// A PostgreSQL cluster with a superuser, for tests that need roles, a standby or a separate network namespace.

export interface Cluster {
  /** The data directory. */
  folder: string
  /** Connection string of this role, through the socket. */
  url(role: string, database?: string): string
  /** Runs a program of PostgreSQL as the owner of the cluster. */
  run(program: string, ...args: readonly string[]): Promise<string>
  /** Writes settings and access again. */
  configure(settings: readonly string[], access: readonly string[]): Promise<void>
  start(): Promise<void>
  /** `immediate` is like a crash: the next start recovers from the log. */
  stop(mode?: 'fast' | 'immediate'): Promise<void>
}

export interface ClusterOptions {
  /** Where its data and its socket are. */
  root: string
  /** A command before each program, such as `ip netns exec NAME`. */
  within?: readonly string[]
  /** Lines of postgresql.conf. */
  settings?: readonly string[]
  /** Lines of pg_hba.conf beside the trusted socket. */
  access?: readonly string[]
  /** Copies this running server with pg_basebackup instead of making a new cluster. */
  copyOf?: string
}

const superuser = 'postgres'

export async function createCluster(options: ClusterOptions): Promise<Cluster> {
  const { root, within = [] } = options
  const folder = join(root, 'data')
  await mkdir(root, { recursive: true, mode: 0o755 })
  const user = await chooseDatabaseUser(folder)
  if (user) await chown(root, user.uid, user.gid)
  const bin = dirname((await findBinaries(undefined)).postgres)
  const asOwner = user
    ? ['setpriv', `--reuid=${user.uid}`, `--regid=${user.gid}`, '--clear-groups', '--']
    : []
  const run: Cluster['run'] = async (program, ...args) => {
    const [command = '', ...rest] = [...within, ...asOwner, join(bin, program), ...args]
    const { stdout } = await promisify(execFile)(command, rest, { cwd: root, env: { LC_ALL: 'C.UTF-8' } })
    return stdout
  }
  if (options.copyOf === undefined) {
    await run('initdb', '-D', folder, '-U', superuser, '--auth=trust', '--encoding=UTF8', '--no-sync')
  } else {
    await run('pg_basebackup', '-D', folder, '-d', options.copyOf, '-R', '-X', 'stream', '-c', 'fast')
  }
  const configure: Cluster['configure'] = async (settings, access) => {
    const always = [`unix_socket_directories = '${root}'`, "listen_addresses = ''"]
    await writeFile(join(folder, 'postgresql.conf'), [...always, ...settings, ''].join('\n'))
    await writeFile(join(folder, 'pg_hba.conf'), ['local all all trust', ...access, ''].join('\n'))
  }
  await configure(options.settings ?? [], options.access ?? [])
  return {
    configure,
    folder,
    url: (role, database = 'kiln') => `postgresql://${role}@${encodeURIComponent(root)}:5432/${database}`,
    run,
    start: async () =>
      void (await run('pg_ctl', '-D', folder, '-l', join(root, 'log'), '-w', '-t', '60', 'start')),
    stop: async (mode = 'fast') => void (await run('pg_ctl', '-D', folder, '-m', mode, '-w', 'stop')),
  }
}
