import { randomBytes } from 'node:crypto'
import { chmod, mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Log } from './log.ts'
import { removeTree } from './remove-tree.ts'

// Scratch space of one conversion: in/ for the input, out/ for what the engine makes. Each process has a folder
// of its own, named by its process id, so that others can tell which ones nobody uses any more: each start, and
// each living process from time to time, ends what still works in those and removes them.

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

export interface ScratchOptions {
  root: string
  /** Closes a directory to other local users; engines may pass through it. */
  closeToOthers: (folder: string) => Promise<void>
  /** Ends engines that are left in folders of processes that were killed. Gives how many there were. */
  endLeftovers: (folders: readonly string[]) => Promise<number>
  log: Log
  clearEveryMilliseconds?: number
}

// Several converters in one process may share a root.
const inUse = new Set<string>()
// Folders that could not be removed. Their names are never given again, so they are in nobody's way.
const setAside = new Set<string>()

export async function openScratch(options: ScratchOptions): Promise<Scratch> {
  const { root, log, clearEveryMilliseconds = 30_000 } = options
  await mkdir(root, { recursive: true })
  await chmod(root, 0o711)
  await removeAbandoned(options)
  // Short names: without mounts, engines make sockets below them, and a socket's path has 107 bytes at most.
  const own = join(root, `${process.pid}-${randomBytes(2).toString('hex')}`)
  await mkdir(own, { mode: 0o700 })
  inUse.add(own)
  // Its path is in the arguments of programs, which every local user can list; what it holds nobody else may read.
  await options.closeToOthers(own)
  const clear = () =>
    removeAbandoned(options).catch((error) =>
      log.warn(`What killed processes left in ${root} cannot be removed yet: ${(error as Error).message}`),
    )
  const clearing = setInterval(clear, clearEveryMilliseconds).unref()

  return {
    own,
    async create() {
      const folder = join(own, randomBytes(5).toString('hex'))
      const inFolder = join(folder, 'in')
      const outFolder = join(folder, 'out')
      await mkdir(inFolder, { recursive: true, mode: 0o755 })
      await mkdir(outFolder, { mode: 0o755 })
      return { inFolder, outFolder, remove: () => removeOrTell(folder, log) }
    },
    async remove() {
      clearInterval(clearing)
      await removeOrTell(own, log)
      inUse.delete(own)
    },
  }
}

async function removeAbandoned({ root, endLeftovers, log }: ScratchOptions): Promise<void> {
  const folders = (await readdir(root)).filter(isAbandoned).map((name) => join(root, name))
  const unused = folders.filter((folder) => !inUse.has(folder) && !setAside.has(folder))
  const ended = await endLeftovers(unused)
  if (ended > 0) log.warn(`${ended} processes of engines whose service was killed were left, and are ended.`)
  for (const folder of unused) await removeOrTell(folder, log)
}

async function removeOrTell(folder: string, log: Log): Promise<void> {
  await removeTree(folder).catch((error: unknown) => {
    setAside.add(folder)
    const why = error instanceof Error ? error.message : String(error)
    log.warn(`${folder} cannot be removed, and takes up space until somebody removes it by hand: ${why}`)
  })
}

/** What has another name than we give is nobody's to remove: a folder that was named by mistake may hold anything. */
function isAbandoned(name: string): boolean {
  const pid = Number(/^(\d{1,9})-[0-9a-f]{4}$/.exec(name)?.[1])
  // In a container the next process gets the number of the one before: what bears ours is not ours yet.
  return pid === process.pid || (pid > 0 && !isAlive(pid))
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
