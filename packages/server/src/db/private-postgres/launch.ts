import type { StdioOptions } from 'node:child_process'
import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import type { PostgresBinaries } from './binaries.ts'
import type { DatabaseUser } from './database-user.ts'
import { canSearch, type Folders, makePrivate } from './folders.ts'

// Starts one of PostgreSQL's programs as the database's user, in a session of its own: Ctrl-C and a closed
// terminal reach Kiln alone, which drains first and stops the database last.
//
// When that user cannot reach the data folder or the programs (a clone in root's private home), the program
// gets a mount namespace of its own, in which they are bound to a place that it can reach. No permission is
// widened.

export interface Launch {
  readonly user: DatabaseUser | undefined
  readonly folders: Folders
  /** Paths as the database's user sees them. */
  readonly binaries: PostgresBinaries
  readonly mounts: readonly { from: string; to: string }[]
}

/** Nothing of Kiln's environment reaches the database. */
const ENVIRONMENT = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LANG: 'C.UTF-8', TZ: 'UTC' }

/** Arguments: pairs of folders, `--`, the program with its arguments. */
const MOUNT_THEN_RUN =
  'while [ "$1" != -- ]; do mount --bind "$1" "$2" || exit 1; shift 2; done; shift; cd /; exec "$@"'

export async function prepareLaunch(
  user: DatabaseUser | undefined,
  folders: Folders,
  binaries: PostgresBinaries,
): Promise<Launch> {
  const mounts: { from: string; to: string }[] = []
  if (folders.serverDataDir !== folders.dataDir) {
    mounts.push({ from: folders.dataDir, to: folders.serverDataDir })
  }
  if (!user || (await canSearch(binaries.root, user))) return { user, folders, binaries, mounts }

  const root = join(folders.runtimeDir, 'programs')
  await makePrivate(folders.runtimeDir, user)
  await makePrivate(root, user)
  mounts.push({ from: binaries.root, to: root })
  const seen = (path: string) => join(root, path.slice(binaries.root.length))
  return {
    user,
    folders,
    binaries: { ...binaries, root, initdb: seen(binaries.initdb), postgres: seen(binaries.postgres) },
    mounts,
  }
}

export function spawnProgram(
  { user, mounts }: Launch,
  program: string,
  args: readonly string[],
  stdio: StdioOptions,
): ChildProcess {
  const options = { stdio, detached: true, cwd: '/', env: ENVIRONMENT }
  if (!user) return spawn(program, args, options)
  if (mounts.length === 0) return spawn(program, args, { ...options, uid: user.uid, gid: user.gid })
  return spawn(
    'unshare',
    [
      ...['--mount', '--propagation', 'private', '--', 'sh', '-c', MOUNT_THEN_RUN, 'sh'],
      ...mounts.flatMap(({ from, to }) => [from, to]),
      ...['--', 'setpriv', `--reuid=${user.uid}`, `--regid=${user.gid}`, '--clear-groups', '--'],
      ...[program, ...args],
    ],
    options,
  )
}
