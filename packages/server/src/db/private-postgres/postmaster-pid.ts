import { readFile, readlink, rm, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'

// `postmaster.pid` in the data directory names the server that runs on it. After a crash of the machine the file
// remains, and its process id may belong to another process, so the id alone proves nothing: the process must be a
// `postgres` whose working directory is this directory.

export interface RunningServer {
  readonly pid: number
  readonly socketDir: string
  readonly status: 'starting' | 'ready' | 'stopping' | string
}

/** The server that runs on the directory; undefined for a missing or stale file or another process. */
export async function findRunningServer(postgresDir: string): Promise<RunningServer | undefined> {
  const text = await readFile(join(postgresDir, 'postmaster.pid'), 'utf8').catch(() => '')
  const parsed = parsePostmasterPid(text)
  if (!parsed || !(await isServerOf(parsed.pid, postgresDir))) return undefined
  return parsed
}

/**
 * PostgreSQL itself overwrites a file whose process is dead. It refuses to start when the process id belongs to any
 * running process of its user; so such a file is removed.
 */
export async function removeStalePidFile(postgresDir: string): Promise<void> {
  const path = join(postgresDir, 'postmaster.pid')
  // A missing file has nothing to remove.
  const parsed = parsePostmasterPid(await readFile(path, 'utf8').catch(() => ''))
  if (parsed && isAlive(parsed.pid) && !(await isServerOf(parsed.pid, postgresDir)))
    await rm(path, { force: true })
}

/**
 * Lines: pid, directory, start time, port, socket directory, address, shared memory key, status. Written in two steps.
 * A process in single-user mode writes a negative pid and no status: it counts as a server that is starting.
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
    // The process may have ended, or belong to another user.
    readlink(`/proc/${pid}/exe`).catch(() => ''),
    // Compared by device and inode: the server may see the directory under another path.
    stat(`/proc/${pid}/cwd`).catch(() => undefined),
    stat(postgresDir).catch(() => undefined),
  ])
  // After a package upgrade the running program is shown as `postgres (deleted)`.
  const isPostgres = basename(program.replace(/ \(deleted\)$/, '')) === 'postgres'
  return isPostgres && !!folder && workingDir?.ino === folder.ino && workingDir.dev === folder.dev
}

/** Also true for a zombie process; false while a process still releases its memory. */
export async function hasEnded(pid: number): Promise<boolean> {
  if (process.platform !== 'linux') return !isAlive(pid)
  // The file disappears with the process.
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
