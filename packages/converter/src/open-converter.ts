import { pairs as allPairs, checkCatalogue, type Pair } from './catalog/pairs.ts'
import { type ConversionParts, type Converted, type ConvertRequest, convertFile } from './convert-file.ts'
import type { Engine, EngineMaker } from './engines/engine.ts'
import { ownFonts } from './engines/fonts.ts'
import { engineMakers } from './engines/index.ts'
import { type FontsState, openOperatorFonts } from './engines/operator-fonts.ts'
import { healthCheckOf } from './health-check.ts'
import type { Log } from './log.ts'
import { createProcessPool, type PoolState } from './process-pool.ts'
import { openSandbox, type SandboxReport } from './sandbox/open-sandbox.ts'
import { openScratch } from './scratch.ts'
import { createWorkerPool } from './threads/worker-pool.ts'

// Opens the sandbox, the engines, the worker pool and the process pool. convert-file.ts converts a file with them.

const readAheadModule = import.meta.resolve('./read-ahead.ts')

export interface ConverterOptions {
  log: Log
  /** A directory for the files of running conversions. If engines cannot reach it, another one is used instead. */
  scratch: string
  /** A directory for files that are created once and reused by later processes. */
  cache: string
  /** Start without a sandbox where none works. For a machine on which every file is the operator's own. */
  allowUnsandboxed?: boolean
  /** Pre-warmed slots per engine, 1 by default. With 0 a program starts when its document comes. */
  waiting?: number
  /** Worker threads; by default as many as the machine has room for. One is enough for a single file. */
  threads?: number
  /** A folder of the operator's own fonts. */
  fonts?: string | undefined
  /** The pairs to offer; by default all of the catalogue. */
  pairs?: readonly Pair[]
  /** By default those of engines/index.ts. */
  engines?: readonly EngineMaker[]
  /** Sandbox levels to try, best first. */
  levels?: readonly ('bubblewrap' | 'landlock')[]
}

export interface EngineState {
  name: string
  ok: boolean
  /** Its version, or why it does not work. */
  detail: string
}

export interface Converter {
  /** Rejects with ConversionFailed, which has a report too, if the file or a limit is the cause; with another error if the service is. */
  convertFile(request: ConvertRequest): Promise<Converted>
  readonly sandbox: SandboxReport
  /** Warms up the engines, so that the first file is as fast as the next. Failures are logged. */
  prepare(): Promise<void>
  /** Queries every engine in turn; takes seconds. */
  describe(): Promise<{ sandbox: SandboxReport; engines: EngineState[]; waiting: PoolState[] }>
  /** Converts a small document of Kiln's own. Rejects when the engine does not work; false when it has no document. */
  checkEngine(name: string): Promise<boolean>
  /** Ends the engine's pre-warmed and long-lived processes, and starts new ones. */
  restartEngine(name: string): Promise<void>
  /** The state of the process pool, by engine. */
  waiting(): PoolState[]
  /** The operator's own; null without any. */
  fonts(): FontsState | null
  close(): Promise<void>
}

export async function openConverter(options: ConverterOptions): Promise<Converter> {
  const { log, cache, pairs = allPairs, allowUnsandboxed = false } = options
  const { levels, waiting = 1 } = options
  // Closed in reverse order, also if a later part cannot be opened.
  await using opening = new AsyncDisposableStack()
  const threads = createWorkerPool(undefined, options.threads)
  opening.defer(threads.close)
  // Concurrently with the self-test of the sandbox, which takes as long. Two threads: one prepares a file for its engine
  // while the other reads the contents of the source.
  for (let count = 0; count < Math.min(2, options.threads ?? 2); count++) threads.prepare(readAheadModule)
  const opened = await openSandbox({ allowUnsandboxed, log, ...(levels ? { levels } : {}) })
  opening.defer(opened.close)
  const { sandbox, report } = opened
  const scratch = await openScratch({
    root: await opened.scratchRoot(options.scratch),
    endLeftovers: opened.endLeftovers,
    closeToOthers: opened.closeToOthers,
    log,
  })
  opening.defer(scratch.remove)
  const engineParts = { sandbox, log, scratch: scratch.own, cache }
  const operatorFonts =
    options.fonts === undefined ? undefined : await openOperatorFonts(options.fonts, engineParts)
  opening.defer(() => operatorFonts?.close())
  const fonts = () => operatorFonts?.current() ?? ownFonts
  const made = (options.engines ?? engineMakers).map((make) =>
    make({ ...engineParts, warm: waiting > 0, fonts }),
  )
  opening.defer(async () => void (await Promise.all(made.map((engine) => engine.close?.()))))
  checkCatalogue(
    pairs,
    made.map(({ name }) => name),
  )
  const engines = new Map(
    made.filter(({ name }) => pairs.some(({ engine }) => engine === name)).map((each) => [each.name, each]),
  )
  const pool = createProcessPool({
    engines: [...engines.values()],
    scratch,
    sandbox,
    log,
    count: waiting,
  })
  opening.defer(pool.close)

  const parts: ConversionParts = { engines, pool, threads, sandbox }
  const open = opening.move()
  return {
    convertFile: (request) => convertFile(parts, request),
    sandbox: report,
    async prepare() {
      await Promise.all(
        [...engines.values()].map((engine) =>
          engine.prepare?.().catch((error: unknown) => {
            log.warn(`${engine.name} could not be started ahead of the first file: ${messageOf(error)}`)
          }),
        ),
      )
      await pool.prepare()
    },
    async checkEngine(name) {
      const request = engines.has(name) ? healthCheckOf(name) : undefined
      if (!request) return false
      await convertFile(parts, request)
      return true
    },
    async restartEngine(name) {
      const engine = engines.get(name)
      if (!engine) return
      await engine.restart?.()
      await pool.renew(engine)
    },
    waiting: () => pool.states(),
    fonts: () => operatorFonts?.state() ?? null,
    async describe() {
      const states: EngineState[] = []
      // One after the other: each starts a program.
      for (const engine of engines.values()) states.push(await stateOf(engine))
      return { sandbox: report, engines: states, waiting: pool.states() }
    },
    close: () => open.disposeAsync(),
  }
}

async function stateOf(engine: Engine): Promise<EngineState> {
  try {
    return { name: engine.name, ok: true, detail: await engine.version() }
  } catch (error) {
    return { name: engine.name, ok: false, detail: messageOf(error) }
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
