import { randomBytes } from 'node:crypto'
import { chmod, mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'

// Scratch space of one attempt: in/ for the input, out/ for what the engine makes. Each worker
// process has a folder of its own, named by its process id, so that the next start can tell which
// ones belong to the dead.

export interface JobFolder {
  inFolder: string
  outFolder: string
  remove(): Promise<void>
}

export interface JobFolders {
  /** Of this process, for what an engine keeps between jobs. */
  own: string
  create(): Promise<JobFolder>
}

export async function openJobFolders(root: string): Promise<JobFolders> {
  await mkdir(root, { recursive: true })
  await chmod(root, 0o711)
  await removeFoldersOfTheDead(root)
  // Short names: without mounts, engines make sockets below them, and a socket's path has 107 bytes at most.
  const own = join(root, `${process.pid}-${randomBytes(2).toString('hex')}`)
  // Engines run as another user: they may pass through, but not look around.
  await mkdir(own, { mode: 0o711 })
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
  }
}

async function removeFoldersOfTheDead(root: string): Promise<void> {
  for (const name of await readdir(root)) {
    const pid = Number(name.split('-')[0])
    // In a container the next process gets the number of the one before: what bears ours is not ours yet.
    const ofTheDead = !Number.isInteger(pid) || pid === process.pid || !isAlive(pid)
    if (ofTheDead) await rm(join(root, name), { recursive: true, force: true })
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
