import { availableParallelism } from 'node:os'
import type { Engine } from './engines/engine.ts'
import type { Log } from './log.ts'
import type { PrewarmedProcess, PrewarmedProgram } from './sandbox/prewarmed-process.ts'
import type { Sandbox } from './sandbox/sandbox.ts'
import type { ConversionFolder, Scratch } from './scratch.ts'
import { usableMemory } from './usable-memory.ts'

// The process pool: for each engine a number of slots that are prepared before their documents come. A slot has the
// directories of one conversion and one pre-warmed process (sandbox/prewarmed-process.ts) for each program that the
// engine will start.
//
// A conversion takes a ready slot of its engine, or an empty one if none is ready. Either way it opens its processes
// through the slot, and gets a pre-warmed or a new one. A slot serves one conversion; its remaining processes end with it.
//
// Slots are filled one at a time, while fewer conversions run than the machine has cores. When that changes, the processes
// that are starting up are paused, and resume when a core is free again: they never take a core from a document. (A
// lower priority would not do: an unprivileged process cannot raise it again when the document comes.)
//
// The number of slots per engine is a setting. All of them together use no more than a fixed share of the memory; beyond
// that none is added. The kernel kills sandboxes first when it is out of memory, and a slot whose process has ended is
// closed.

type Folders = Pick<ConversionFolder, 'inFolder' | 'outFolder'>

export interface PoolSlot {
  readonly folder: ConversionFolder
  /** A pre-warmed process, or a new one with these limits. A process in other directories is always new. */
  open(
    program: PrewarmedProgram,
    limits: PrewarmedProgram['limits'],
    folders?: Folders,
  ): Promise<PrewarmedProcess>
  /** Ends its processes and removes the directories. */
  close(): Promise<void>
}

export interface PoolState {
  engine: string
  /** Slots that are ready, and how many there should be. */
  ready: number
  wanted: number
  /** Conversions that found a ready slot, and those that did not. */
  taken: number
  missed: number
  /** Memory that the processes of one slot use. */
  bytes: number
}

export interface ProcessPool {
  take(engine: Engine): Promise<PoolSlot>
  /** Fills the slots of all engines while the machine is idle. Settles when there are enough. */
  prepare(): Promise<void>
  /** Ends the pre-warmed processes of this engine and starts new ones. */
  renew(engine: Engine): Promise<void>
  states(): PoolState[]
  close(): Promise<void>
}

export interface ProcessPoolOptions {
  engines: readonly Engine[]
  scratch: Scratch
  sandbox: Sandbox
  log: Log
  /** For each engine. */
  count: number
  cores?: number
  maxBytes?: number
  /** After this age a slot is replaced. */
  maxAgeSeconds?: number
  readySeconds?: number
}

const memoryShare = 1 / 8
const retryMilliseconds = 60_000

interface ReadySlot {
  slot: PoolSlot
  processes: readonly PrewarmedProcess[]
  since: number
  bytes: number
}

/** The slots of one engine. */
interface EnginePool {
  engine: Engine
  ready: ReadySlot[]
  taken: number
  missed: number
  bytes: number
  failedAt?: number
}

export function createProcessPool(options: ProcessPoolOptions): ProcessPool {
  const { scratch, sandbox, log, count, cores = availableParallelism() } = options
  const { maxAgeSeconds = 6 * 3600, readySeconds = 60 } = options
  const { maxBytes = usableMemory() * memoryShare } = options
  const pools = options.engines
    .filter((engine) => engine.prewarmedPrograms && count > 0)
    .map((engine): EnginePool => ({ engine, ready: [], taken: 0, missed: 0, bytes: 0 }))
  let running = 0
  let closed = false
  let filling: Promise<void> | undefined
  let starting: readonly PrewarmedProcess[] = []
  let paused = false

  const fill = async (pool: EnginePool) => {
    const slot = await createSlot(scratch, sandbox)
    try {
      for (const program of (await pool.engine.prewarmedPrograms?.()) ?? []) await slot.prewarm(program)
      starting = slot.processes
      pauseOrResume()
      await withinSeconds(readySeconds, Promise.all(slot.processes.map((process) => process.ready)))
      const used = await Promise.all(slot.processes.map((process) => process.memoryBytes()))
      const bytes = used.reduce((sum, each) => sum + each, 0)
      if (closed) throw new Error('closed')
      Object.assign(pool, { bytes })
      pool.ready.push({ slot, processes: slot.processes, since: performance.now(), bytes })
    } catch (error) {
      await slot.close()
      throw error
    } finally {
      starting = []
      paused = false
    }
  }

  const isUsable = ({ processes, since }: ReadySlot) =>
    processes.every((process) => process.isWaiting()) && performance.now() - since < maxAgeSeconds * 1000

  const closeUnusable = (pool: EnginePool) => {
    for (const each of pool.ready.filter((ready) => !isUsable(ready))) void each.slot.close()
    pool.ready = pool.ready.filter(isUsable)
  }

  const nextToFill = (): EnginePool | undefined => {
    const used = pools.flatMap(({ ready }) => ready).reduce((sum, { bytes }) => sum + bytes, 0)
    return pools.find((pool) => {
      closeUnusable(pool)
      const failedRecently =
        pool.failedAt !== undefined && performance.now() - pool.failedAt < retryMilliseconds
      return pool.ready.length < count && !failedRecently && used + pool.bytes <= maxBytes
    })
  }

  const fillSlots = (): Promise<void> => {
    if (filling || closed || running >= cores) return filling ?? Promise.resolve()
    const pool = nextToFill()
    if (!pool) return Promise.resolve()
    filling = fill(pool)
      .catch((error: unknown) => {
        pool.failedAt = performance.now()
        const reason = error instanceof Error ? error.message : String(error)
        if (!closed) log.warn(`No process of ${pool.engine.name} can wait for the next document: ${reason}`)
      })
      .then(() => {
        filling = undefined
        return fillSlots()
      })
    return filling
  }

  const pauseOrResume = () => {
    if (paused === running >= cores) return
    paused = !paused
    for (const process of starting) process.pause(paused)
  }

  const countConversion = (change: 1 | -1) => {
    running += change
    pauseOrResume()
  }

  return {
    async take(engine) {
      countConversion(1)
      const pool = pools.find((each) => each.engine === engine)
      if (pool) closeUnusable(pool)
      const ready = pool?.ready.shift()
      if (pool && ready) pool.taken += 1
      else if (pool) pool.missed += 1
      const slot =
        ready?.slot ??
        (await createSlot(scratch, sandbox).catch((error: unknown) => {
          countConversion(-1)
          throw error
        }))
      return {
        ...slot,
        async close() {
          countConversion(-1)
          await slot.close()
          void fillSlots()
        },
      }
    },
    prepare: fillSlots,
    async renew(engine) {
      const pool = pools.find((each) => each.engine === engine)
      if (!pool) return
      const ended = pool.ready.splice(0)
      delete pool.failedAt
      await Promise.all(ended.map(({ slot }) => slot.close()))
      void fillSlots()
    },
    states: () =>
      pools.map((pool) => ({
        engine: pool.engine.name,
        ready: pool.ready.filter(isUsable).length,
        wanted: count,
        taken: pool.taken,
        missed: pool.missed,
        bytes: pool.bytes,
      })),
    async close() {
      closed = true
      for (const process of starting) await process.end()
      await filling
      await Promise.all(pools.flatMap(({ ready }) => ready.map(({ slot }) => slot.close())))
    },
  }
}

/** A slot whose processes are started by the pool. */
interface FillableSlot extends PoolSlot {
  readonly processes: readonly PrewarmedProcess[]
  prewarm(program: PrewarmedProgram): Promise<void>
}

async function createSlot(scratch: Scratch, sandbox: Sandbox): Promise<FillableSlot> {
  const folder = await scratch.create()
  const processes: PrewarmedProcess[] = []
  const prewarmed: { program: PrewarmedProgram; process: PrewarmedProcess }[] = []
  const start = async (program: PrewarmedProgram, folders: Folders = folder) => {
    const process = await sandbox.open(program, folders)
    processes.push(process)
    return process
  }
  return {
    folder,
    processes,
    async prewarm(program) {
      prewarmed.push({ program, process: await start(program) })
    },
    async open(program, limits, folders) {
      const index = prewarmed.findIndex((each) => each.program === program && each.process.isWaiting())
      return prewarmed.splice(index, index < 0 ? 0 : 1)[0]?.process ?? start({ ...program, limits }, folders)
    },
    async close() {
      await Promise.all(processes.map((process) => process.end()))
      await folder.remove()
    },
  }
}

async function withinSeconds(seconds: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    // The timer also keeps the event loop alive while processes start, which they do not by themselves.
    timer = setTimeout(() => reject(new Error(`not ready within ${seconds} seconds`)), seconds * 1000)
  })
  await Promise.race([work, late]).finally(() => clearTimeout(timer))
}
