import { chownSync, lstatSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

// A run starts the service and its admin command a hundred times, and each start would compile all of its modules. A
// compile cache is shared, as in `npm start`.

const repository = fileURLToPath(new URL('../../..', import.meta.url))

export const compileCache = { NODE_COMPILE_CACHE: join(repository, '.setup/compile-cache') }

/**
 * A service that root starts has its compile cache in its data folder, because it runs as another user. There each new
 * data folder gets a link to one shared cache. A folder with an owner is not changed.
 */
export function shareCompileCache(dataDir: string): void {
  if (process.getuid?.() !== 0) return
  const user = serviceUser()
  mkdirSync(dataDir, { recursive: true, mode: 0o711 })
  if (user === undefined || lstatSync(dataDir).uid !== 0) return
  const shared = join(tmpdir(), 'kiln-compiled-by-tests')
  makeFolderOf(user, shared)
  makeFolderOf(user, join(dataDir, 'cache'))
  try {
    symlinkSync(shared, join(dataDir, 'cache', 'compiled'))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}

function makeFolderOf(user: { uid: number; gid: number }, folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o755 })
  const found = lstatSync(folder)
  if (found.isDirectory() && found.uid === user.uid) return
  if (!found.isDirectory() || found.uid !== 0)
    throw new Error(`${folder} is not a folder of ours. Remove it.`)
  chownSync(folder, user.uid, user.gid)
}

function serviceUser(): { uid: number; gid: number } | undefined {
  const [, uid, gid] = /^kiln:[^:]*:(\d+):(\d+):/m.exec(readFileSync('/etc/passwd', 'utf8')) ?? []
  return uid && gid ? { uid: Number(uid), gid: Number(gid) } : undefined
}
