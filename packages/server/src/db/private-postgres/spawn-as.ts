import type { StdioOptions } from 'node:child_process'
import { type ChildProcess, spawn } from 'node:child_process'
import type { DatabaseUser } from './database-user.ts'
import type { Folders } from './folders.ts'

// Starts one of PostgreSQL's programs as the database's user, in a session of its own: Ctrl-C and a closed
// terminal reach Kiln alone, which drains first and stops the database last.
//
// When that user cannot reach the data folder (a clone in root's private home), the program gets a mount
// namespace of its own in which the folder is bound to a place that it can reach. No permission is widened.

export interface ServerProgram {
  readonly program: string
  readonly args: readonly string[]
}

/** Nothing of Kiln's environment reaches the database. */
const ENVIRONMENT = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LANG: 'C.UTF-8', TZ: 'UTC' }

const BIND_THEN_RUN = 'mount --bind "$1" "$2" && shift 2 && cd / && exec "$@"'

export function spawnAs(
  user: DatabaseUser | undefined,
  folders: Folders,
  { program, args }: ServerProgram,
  stdio: StdioOptions,
): ChildProcess {
  const options = { stdio, detached: true, cwd: '/', env: ENVIRONMENT }
  if (!user) return spawn(program, args, options)
  if (folders.serverDataDir === folders.dataDir) {
    return spawn(program, args, { ...options, uid: user.uid, gid: user.gid })
  }
  return spawn(
    'unshare',
    [
      ...['--mount', '--propagation', 'private', '--'],
      ...['sh', '-c', BIND_THEN_RUN, 'sh', folders.dataDir, folders.serverDataDir],
      ...['setpriv', `--reuid=${user.uid}`, `--regid=${user.gid}`, '--clear-groups', '--'],
      ...[program, ...args],
    ],
    options,
  )
}
