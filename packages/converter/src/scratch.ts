import { randomBytes } from 'node:crypto'
import { chmod, mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'

// Scratch space of one conversion: in/ for the input, out/ for what the engine makes. Each process has a folder
// of its own, named by its process id, so that the next start can tell which ones nobody uses any more.

export interface ConversionFolder {
  inFolder: string
  outFolder: string
  remove(): Promise<void>
}

export interface Scratch {
  /** Of this process, for what an engine keeps between conversions. */
  own: string
  create(): Promise<ConversionFolder>
  remove(): Promise<void>
}

// Several converters in one process may share a root.
const inUse = new Set<string>()

export async function openScratch(root: string): Promise<Scratch> {
  await mkdir(root, { recursive: true })
  await chmod(root, 0o711)
  await removeAbandoned(root)
  // Short names: without mounts, engines make sockets below them, and a socket's path has 107 bytes at most.
  const own = join(root, `${process.pid}-${randomBytes(2).toString('hex')}`)
  // Engines run as another user: they may pass through, but not look around.
  await mkdir(own, { mode: 0o711 })
  inUse.add(own)
  await chmod(own, 0o711)

  return {
    own,
    async create() {
      const folder = join(own, randomBytes(5).toString('hex'))
      const inFolder = join(folder, 'in')
      const outFolder = join(folder, 'out')
      await mkdir(inFolder, { recursive: true, mode: 0o755 })
      await mkdir(outFolder, { mode: 0o755 })
      return { inFolder, outFolder, remove: () => rm(folder, { recursive: true, force: true }) }
    },
    async remove() {
      await rm(own, { recursive: true, force: true })
      inUse.delete(own)
    },
  }
}

async function removeAbandoned(root: string): Promise<void> {
  for (const name of await readdir(root)) {
    const pid = Number(name.split('-')[0])
    // In a container the next process gets the number of the one before: what bears ours is not ours yet.
    const isAbandoned = !Number.isInteger(pid) || pid === process.pid || !isAlive(pid)
    if (isAbandoned && !inUse.has(join(root, name)))
      await rm(join(root, name), { recursive: true, force: true })
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
