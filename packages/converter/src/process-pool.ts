import { availableParallelism } from 'node:os'
import type { Engine } from './engines/engine.ts'
import type { Log } from './log.ts'
import type { PrewarmedProcess, PrewarmedProgram } from './sandbox/prewarmed-process.ts'
import type { Sandbox } from './sandbox/sandbox.ts'
import type { ConversionFolder, Scratch } from './scratch.ts'
import { usableMemory } from './usable-memory.ts'

// Places for documents that have not come yet: the folders of a conversion, and in them boxes that wait
// (sandbox/prewarmed-process.ts), one for each program that the engine will start.
//
// A conversion takes a place of its engine if one is ready, and an empty one if not. Either way it opens its boxes
// through the place, and gets one that waits or a new one. A place serves one conversion; what is left of its boxes
// ends with it.
//
// New places are made in the time that conversions leave. One is made at a time, while fewer conversions are at work
// than the machine has cores. When that changes, the boxes that are getting ready are stopped where they are, and go on
// when a core is free again: they never take a core from a document. (A lower priority would not do: without rights
// it cannot be raised again when the document comes.)
//
// How many places wait for each engine is a setting. All of them together hold no more than a share of the memory;
// beyond that no further one is made. The kernel ends boxes before anything else when it is short of memory, and a
// place whose box has ended is closed.

type Folders = Pick<ConversionFolder, 'inFolder' | 'outFolder'>

export interface Place {
  readonly folder: ConversionFolder
  /** A box that waits already, or a new one with these limits. One in other folders is always new. */
  open(
    program: PrewarmedProgram,
    limits: PrewarmedProgram['limits'],
    folders?: Folders,
  ): Promise<PrewarmedProcess>
  /** Ends what is open, and removes the folders. */
  close(): Promise<void>
}

export interface PoolState {
  engine: string
  /** Places that are ready, and how many there should be. */
  ready: number
  wanted: number
  /** Conversions that found a place ready, and that did not. */
  taken: number
  missed: number
  /** Memory that the boxes of one place hold. */
  bytes: number
}

export interface ProcessPool {
  take(engine: Engine): Promise<Place>
  /** Makes places for these engines, as far as the machine is idle. Settles when there are enough. */
  prepare(): Promise<void>
  /** Ends the processes that wait for this engine; new ones are started. */
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
  mostBytes?: number
  mostSeconds?: number
  readySeconds?: number
}

const shareOfMemory = 1 / 8
const retryMilliseconds = 60_000

interface ReadyPlace {
  place: Place
  boxes: readonly PrewarmedProcess[]
  since: number
  bytes: number
}

/** What waits for one engine. */
interface Supply {
  engine: Engine
  ready: ReadyPlace[]
  taken: number
  missed: number
  bytes: number
  failedAt?: number
}

export function createProcessPool(options: ProcessPoolOptions): ProcessPool {
  const { scratch, sandbox, log, count, cores = availableParallelism() } = options
  const { mostSeconds = 6 * 3600, readySeconds = 60 } = options
  const { mostBytes = usableMemory() * shareOfMemory } = options
  const supplies = options.engines
    .filter((engine) => engine.waiting && count > 0)
    .map((engine): Supply => ({ engine, ready: [], taken: 0, missed: 0, bytes: 0 }))
  let atWork = 0
  let closed = false
  let making: Promise<void> | undefined
  let gettingReady: readonly PrewarmedProcess[] = []
  let paused = false

  const createPlace = async (): Promise<
    Place & { boxes: PrewarmedProcess[]; expect(program: PrewarmedProgram): Promise<PrewarmedProcess> }
  > => {
    const folder = await scratch.create()
    const boxes: PrewarmedProcess[] = []
    const waiting: { program: PrewarmedProgram; box: PrewarmedProcess }[] = []
    const openNew = async (program: PrewarmedProgram, folders: Folders = folder) => {
      const box = await sandbox.open(program, folders)
      boxes.push(box)
      return box
    }
    return {
      folder,
      boxes,
      async expect(program) {
        const box = await openNew(program)
        waiting.push({ program, box })
        return box
      },
      async open(program, limits, folders) {
        const at = waiting.findIndex((each) => each.program === program && each.box.isWaiting())
        return waiting.splice(at, at < 0 ? 0 : 1)[0]?.box ?? openNew({ ...program, limits }, folders)
      },
      async close() {
        await Promise.all(boxes.map((box) => box.end()))
        await folder.remove()
      },
    }
  }

  const make = async (supply: Supply) => {
    const place = await createPlace()
    try {
      for (const program of (await supply.engine.waiting?.()) ?? []) await place.expect(program)
      gettingReady = place.boxes
      pauseOrGoOn()
      await withinSeconds(readySeconds, Promise.all(place.boxes.map((box) => box.ready)))
      const held = await Promise.all(place.boxes.map((box) => box.memoryBytes()))
      const bytes = held.reduce((sum, each) => sum + each, 0)
      if (closed) throw new Error('closed')
      Object.assign(supply, { bytes })
      supply.ready.push({ place, boxes: place.boxes, since: performance.now(), bytes })
    } catch (error) {
      await place.close()
      throw error
    } finally {
      gettingReady = []
      paused = false
    }
  }

  const isUsable = ({ boxes, since }: ReadyPlace) =>
    boxes.every((box) => box.isWaiting()) && performance.now() - since < mostSeconds * 1000

  const closeUnusable = (supply: Supply) => {
    for (const each of supply.ready.filter((ready) => !isUsable(ready))) void each.place.close()
    supply.ready = supply.ready.filter(isUsable)
  }

  const nextToMake = (): Supply | undefined => {
    const held = supplies.flatMap(({ ready }) => ready).reduce((sum, { bytes }) => sum + bytes, 0)
    return supplies.find((supply) => {
      closeUnusable(supply)
      const failedLately =
        supply.failedAt !== undefined && performance.now() - supply.failedAt < retryMilliseconds
      return supply.ready.length < count && !failedLately && held + supply.bytes <= mostBytes
    })
  }

  const makeMore = (): Promise<void> => {
    if (making || closed || atWork >= cores) return making ?? Promise.resolve()
    const supply = nextToMake()
    if (!supply) return Promise.resolve()
    making = make(supply)
      .catch((error: unknown) => {
        supply.failedAt = performance.now()
        const reason = error instanceof Error ? error.message : String(error)
        if (!closed) log.warn(`No box of ${supply.engine.name} can wait for the next document: ${reason}`)
      })
      .then(() => {
        making = undefined
        return makeMore()
      })
    return making
  }

  const pauseOrGoOn = () => {
    if (paused === atWork >= cores) return
    paused = !paused
    for (const box of gettingReady) box.pause(paused)
  }

  const countAtWork = (change: 1 | -1) => {
    atWork += change
    pauseOrGoOn()
  }

  return {
    async take(engine) {
      countAtWork(1)
      const supply = supplies.find((each) => each.engine === engine)
      if (supply) closeUnusable(supply)
      const ready = supply?.ready.shift()
      if (supply && ready) supply.taken += 1
      else if (supply) supply.missed += 1
      const place =
        ready?.place ??
        (await createPlace().catch((error: unknown) => {
          countAtWork(-1)
          throw error
        }))
      return {
        ...place,
        async close() {
          countAtWork(-1)
          await place.close()
          void makeMore()
        },
      }
    },
    prepare: makeMore,
    async renew(engine) {
      const supply = supplies.find((each) => each.engine === engine)
      if (!supply) return
      const ended = supply.ready.splice(0)
      delete supply.failedAt
      await Promise.all(ended.map(({ place }) => place.close()))
      void makeMore()
    },
    states: () =>
      supplies.map((supply) => ({
        engine: supply.engine.name,
        ready: supply.ready.filter(isUsable).length,
        wanted: count,
        taken: supply.taken,
        missed: supply.missed,
        bytes: supply.bytes,
      })),
    async close() {
      closed = true
      for (const box of gettingReady) await box.end()
      await making
      await Promise.all(supplies.flatMap(({ ready }) => ready.map(({ place }) => place.close())))
    },
  }
}

async function withinSeconds(seconds: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    // It also keeps us alive while boxes get ready, which by themselves do not.
    timer = setTimeout(() => reject(new Error(`not ready within ${seconds} seconds`)), seconds * 1000)
  })
  await Promise.race([work, late]).finally(() => clearTimeout(timer))
}
