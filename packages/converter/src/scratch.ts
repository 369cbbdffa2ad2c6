import { randomBytes } from 'node:crypto'
import { chmod, mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Log } from './log.ts'
import { removeTree } from './remove-tree.ts'

// The scratch directory of one conversion: in/ for the input, out/ for the engine's output. Each process has a directory
// of its own, named by its process id, so that others can see which ones are no longer used: each process, at its start
// and from time to time, kills what still runs in those and removes them.

export interface ConversionFolder {
  inFolder: string
  outFolder: string
  remove(): Promise<void>
}

export interface Scratch {
  /** The directory of this process, for files that an engine keeps between conversions. */
  own: string
  create(): Promise<ConversionFolder>
  remove(): Promise<void>
}

export interface ScratchOptions {
  root: string
  /** Closes a directory to other local users; engines may pass through it. */
  closeToOthers: (folder: string) => Promise<void>
  /** Kills engines that still run in directories of killed processes. Returns how many there were. */
  endLeftovers: (folders: readonly string[]) => Promise<number>
  log: Log
  clearEveryMilliseconds?: number
}

// Several converters in one process may share a root.
const inUse = new Set<string>()
// Directories that could not be removed. Their names are never used again, so they do no harm.
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
  // Without mounts, every local user can list its path among the arguments of programs; its content must not be
  // readable to them.
  await options.closeToOthers(own)
  let isClearing = false
  const clear = async () => {
    // The previous run may take longer than the interval; a second one would kill and report the same processes.
    if (isClearing) return
    isClearing = true
    await removeAbandoned(options).catch((error) =>
      log.warn(`Files of killed processes in ${root} cannot be removed yet: ${(error as Error).message}`),
    )
    isClearing = false
  }
  const clearing = setInterval(clear, clearEveryMilliseconds).unref()

  return {
    own,
    async create() {
      const folder = join(own, randomBytes(5).toString('hex'))
      const inFolder = join(folder, 'in')
      const outFolder = join(folder, 'out')
      await mkdir(inFolder, { recursive: true, mode: 0o755 })
      await mkdir(outFolder, { mode: 0o755 })
      return { inFolder, outFolder, remove: () => removeOrWarn(folder, log) }
    },
    async remove() {
      clearInterval(clearing)
      await removeOrWarn(own, log)
      inUse.delete(own)
    },
  }
}

async function removeAbandoned({ root, endLeftovers, log }: ScratchOptions): Promise<void> {
  const folders = (await readdir(root)).filter(isAbandoned).map((name) => join(root, name))
  const unused = folders.filter((folder) => !inUse.has(folder) && !setAside.has(folder))
  const ended = await endLeftovers(unused)
  if (ended > 0) log.warn(`Killed ${ended} processes of engines whose service was killed.`)
  for (const folder of unused) await removeOrWarn(folder, log)
}

async function removeOrWarn(folder: string, log: Log): Promise<void> {
  await removeTree(folder).catch((error: unknown) => {
    setAside.add(folder)
    const why = error instanceof Error ? error.message : String(error)
    log.warn(`${folder} cannot be removed and takes up space. Remove it by hand: ${why}`)
  })
}

/** Only names that this module gives: a root that was configured by mistake may contain anything. */
function isAbandoned(name: string): boolean {
  const pid = Number(/^(\d{1,9})-[0-9a-f]{4}$/.exec(name)?.[1])
  // In a container the next process gets the id of the previous one; this process has not created its own yet.
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
