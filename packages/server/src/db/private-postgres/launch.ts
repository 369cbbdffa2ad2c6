import type { StdioOptions } from 'node:child_process'
import { type ChildProcess, spawn } from 'node:child_process'
import type { SystemUser } from '../../system-user/passwd.ts'
import { commandAs } from '../../system-user/run-as.ts'
import type { PostgresBinaries } from './binaries.ts'
import type { Folders } from './folders.ts'

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
