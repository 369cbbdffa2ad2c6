import { readFile, readlink, rm, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'

// `postmaster.pid` in the data folder names the server that runs on it. After a crash of the machine the
// file stays and its number may belong to any other process, so the number alone proves nothing:
// the process must be a `postgres` whose working folder is this very folder.

export interface RunningServer {
  readonly pid: number
  readonly socketDir: string
  readonly status: 'starting' | 'ready' | 'stopping' | string
}

/** The server that really runs on the folder; undefined for no file, a stale file or a foreign process. */
export async function findRunningServer(postgresDir: string): Promise<RunningServer | undefined> {
  const text = await readFile(join(postgresDir, 'postmaster.pid'), 'utf8').catch(() => '')
  const parsed = parsePostmasterPid(text)
  if (!parsed || !(await isServerOf(parsed.pid, postgresDir))) return undefined
  return parsed
}

/**
 * PostgreSQL itself overwrites a file whose process is dead. It refuses to start when the number belongs to a
 * living process of its user, whatever that is; so such a file is removed.
 */
export async function removeStalePidFile(postgresDir: string): Promise<void> {
  const path = join(postgresDir, 'postmaster.pid')
  const parsed = parsePostmasterPid(await readFile(path, 'utf8').catch(() => ''))
  if (parsed && isAlive(parsed.pid) && !(await isServerOf(parsed.pid, postgresDir)))
    await rm(path, { force: true })
}

/**
 * Lines: pid, folder, start time, port, socket folder, address, memory key, status. Written in two steps. A process
 * in single-user mode writes its number with a minus sign and no status: it counts as a server that starts.
 */
export function parsePostmasterPid(text: string): RunningServer | undefined {
  const lines = text.split('\n').map((line) => line.trim())
  const pid = Math.abs(Number(lines[0]))
  if (!Number.isInteger(pid) || pid <= 1) return undefined
  return { pid, socketDir: lines[4] ?? '', status: lines[7] || 'starting' }
}

export async function isServerOf(pid: number, postgresDir: string): Promise<boolean> {
  if (process.platform !== 'linux') return isAlive(pid)
  const [program, workingDir, folder] = await Promise.all([
    readlink(`/proc/${pid}/exe`).catch(() => ''),
    // Compared by device and inode: the server may see the folder under another name.
    stat(`/proc/${pid}/cwd`).catch(() => undefined),
    stat(postgresDir).catch(() => undefined),
  ])
  // An upgraded package leaves the old program running as `postgres (deleted)`.
  const isPostgres = basename(program.replace(/ \(deleted\)$/, '')) === 'postgres'
  return isPostgres && !!folder && workingDir?.ino === folder.ino && workingDir.dev === folder.dev
}

/** True, too, for a process that only waits for its parent to collect it; false while one still lets go of its memory. */
export async function hasEnded(pid: number): Promise<boolean> {
  if (process.platform !== 'linux') return !isAlive(pid)
  const state = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  return state === '' || /\) [ZX] /.test(state)
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
