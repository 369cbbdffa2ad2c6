import { statSync } from 'node:fs'
import { chmod, cp, lstat, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { firstClosedFolder, permits, reachableScratchRoot, read, search } from './engine-access.ts'
import type { EngineUser } from './engine-user.ts'
import type { OwnFiles } from './policy.ts'
import type { SandboxSpec } from './sandbox.ts'

// Kiln's own files (style sheets, filters, profiles) at paths that the engine user can read: the original path if it can
// read that, else a copy that is made once.

export interface ReadableCopies {
  /** The same file or directory at a path that the engine user can read. */
  readablePath(path: string): Promise<string>
  /** The same for all files of a sandbox; omits optional files that do not exist. */
  readableFiles(wanted: SandboxSpec['readOnly']): Promise<OwnFiles>
  remove(): Promise<void>
}

export function createReadableCopies(user: EngineUser): ReadableCopies {
  const copies = new Map<string, Promise<string>>()
  let root: Promise<string> | undefined
  const makeRoot = async () => {
    const made = await mkdtemp(join(await reachableScratchRoot(tmpdir(), user), 'kiln-files-'))
    await chmod(made, 0o755)
    return made
  }
  const copy = async (path: string) => {
    root ??= makeRoot()
    const folder = await mkdtemp(join(await root, 'copy-'))
    await chmod(folder, 0o755)
    const target = join(folder, basename(path))
    await cp(path, target, { recursive: true, dereference: true, preserveTimestamps: true })
    await openToAll(target)
    return target
  }
  const readablePath = async (path: string) => {
    const status = statSync(path)
    const wanted = status.isDirectory() ? read | search : read
    const reachable = firstClosedFolder(path, user) === undefined && permits(status, user, wanted)
    if (!user.drop || reachable) return path
    const key = `${path}\0${status.mtimeMs}`
    const known = copies.get(key) ?? copy(path)
    copies.set(key, known)
    return known
  }
  return {
    readablePath,
    async readableFiles(wanted = []) {
      const files: { from: string; to: string }[] = []
      for (const { from, to, optional } of wanted) {
        try {
          files.push({ from: await readablePath(from), to })
        } catch (error) {
          if (!optional || (error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
        }
      }
      return files
    },
    async remove() {
      if (root) await rm(await root, { recursive: true, force: true })
      copies.clear()
      root = undefined
    },
  }
}

async function openToAll(path: string): Promise<void> {
  const status = await lstat(path)
  if (status.isSymbolicLink()) return
  const isExecutable = (status.mode & 0o100) !== 0
  await chmod(path, status.isDirectory() || isExecutable ? 0o755 : 0o644)
  if (!status.isDirectory()) return
  for (const name of await readdir(path)) await openToAll(join(path, name))
}
