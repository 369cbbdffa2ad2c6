import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { ConversionReport } from '@kiln/contract'
import { bring, bringStyle, deliver } from './bring-and-deliver.ts'
import { openWithBudget, secondsFor, withBudget } from './budget.ts'
import { formats, readAs } from './catalog/formats.ts'
import type { HouseStyle } from './catalog/house-style.ts'
import { checkOptions, requestedOmissions, selectsPart } from './catalog/options/index.ts'
import { officeOptions } from './catalog/options/office.ts'
import { argumentsOf, type Options } from './catalog/options/option.ts'
import { pairs as allPairs, checkCatalogue, type Pair } from './catalog/pairs.ts'
import type { sniffInput } from './catalog/sniff-input.ts'
import { checkOutput, openOutput, openReader, readSource } from './checks/index.ts'
import { decryptInput } from './decrypt-input.ts'
import type { Engine, EngineMaker } from './engines/engine.ts'
import { ownFonts } from './engines/fonts.ts'
import { engineMakers } from './engines/index.ts'
import { type FontsState, openOperatorFonts } from './engines/operator-fonts.ts'
import { ConversionFailed } from './failure.ts'
import { healthCheckOf } from './health-check.ts'
import type { Log } from './log.ts'
import { createProcessPool, type PoolState } from './process-pool.ts'
import { createFindings, type Findings } from './report/findings.ts'
import { makeReport } from './report/make-report.ts'
import { openSandbox, type SandboxReport } from './sandbox/open-sandbox.ts'
import { openScratch } from './scratch.ts'
import { createWorkerPool } from './threads/worker-pool.ts'

// One file in, one file out. The way of a file:
//
//   bring    the input comes into a folder of its own, in which boxes may wait for it already (process-pool.ts)
//   sniff    is it what the pair says? Locked, damaged and oversized files end here
//   decrypt  a document with a password becomes one without, and is sniffed again
//   convert  the pair's engine works on it, in its box, within a budget that follows the file's size; beside it a
//            thread reads what the file shows, and a box is built for the check
//   check    what came out is opened and held against what the pair promises
//   deliver  the output goes to the caller, and the folder goes away

const readAheadModule = import.meta.resolve('./read-ahead.ts')
const sniffModule = import.meta.resolve('./catalog/sniff-input.ts')

export interface ConverterOptions {
  log: Log
  /** For files at work. When engines cannot reach it, a folder that they can reach takes its place. */
  scratch: string
  /** For what is made once and serves later processes too. */
  cache: string
  /** Start without a sandbox where none works. For a machine on which every file is the operator's own. */
  allowUnsandboxed?: boolean
  /** For how many documents each engine waits, started ahead; 1 unless given. With 0 a program starts when its document comes. */
  waiting?: number
  /** A folder of the operator's own fonts. */
  fonts?: string | undefined
  /** The pairs to offer; all of the catalogue unless given. */
  pairs?: readonly Pair[]
  /** Those of engines/index.ts unless given. */
  engines?: readonly EngineMaker[]
  /** Sandbox levels to try, best first. */
  levels?: readonly ('bubblewrap' | 'landlock')[]
}

export interface ConvertRequest {
  pair: Pair
  /** Options of the pair (catalog/options). One that is not, or a wrong value, is an error of the caller. */
  options?: Readonly<Record<string, unknown>>
  /**
   * For the looks of the output, where they are ours to give. Checked by house-style.ts when it was set. A function is
   * asked while the file is brought and looked at.
   */
  style?: HouseStyle | (() => Promise<HouseStyle>)
  /** A path, or a function that puts the file at the path that it gets. */
  input: string | ((path: string) => Promise<unknown>)
  /** A path, or a function that takes the file from the path that it gets. */
  output: string | ((path: string, bytes: number) => Promise<unknown>)
  /** Whose file it is: owners share the worker pool fairly. */
  owner?: string
  signal?: AbortSignal
  /** From 0 to 1, never backwards; only where the engine can tell. */
  onProgress?: (fraction: number) => void
  /** Runs a step, and may measure it. */
  onStep?: <T>(name: 'convert' | 'check', work: () => Promise<T>) => Promise<T>
}

export interface Converted {
  bytes: number
  engine: string
  report: ConversionReport
}

export interface EngineState {
  name: string
  ok: boolean
  /** Its version, or why it does not work. */
  detail: string
}

export interface Converter {
  /** Rejects with ConversionFailed, which has a report too, when the file or a limit is to blame; with anything else when we are. */
  convertFile(request: ConvertRequest): Promise<Converted>
  readonly sandbox: SandboxReport
  /** Starts what makes the first file as fast as the next. What fails is told to the log. */
  prepare(): Promise<void>
  /** Asks every engine in turn; takes seconds. */
  describe(): Promise<{ sandbox: SandboxReport; engines: EngineState[]; waiting: PoolState[] }>
  /** Converts a small document of Kiln's own. Rejects when the engine does not work; false when it has no document. */
  checkEngine(name: string): Promise<boolean>
  /** Ends the processes that serve later files, and starts new ones. */
  restartEngine(name: string): Promise<void>
  /** Boxes that wait for their document, by engine. */
  waiting(): PoolState[]
  /** The operator's own; null without any. */
  fonts(): FontsState | null
  close(): Promise<void>
}

export async function openConverter(options: ConverterOptions): Promise<Converter> {
  const { log, cache, pairs = allPairs, allowUnsandboxed = false } = options
  const { levels, waiting = 1 } = options
  // What is opened first is closed last; all of it, where a later part cannot be opened.
  await using opening = new AsyncDisposableStack()
  const threads = createWorkerPool()
  opening.defer(threads.close)
  // Beside the test of the sandbox, which takes as long. Two: a file is prepared for its engine in one while another
  // reads what it shows.
  for (let count = 0; count < 2; count++) threads.prepare(readAheadModule)
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
  const parts = { sandbox, log, scratch: scratch.own, cache }
  const operatorFonts =
    options.fonts === undefined ? undefined : await openOperatorFonts(options.fonts, parts)
  opening.defer(() => operatorFonts?.close())
  const fonts = () => operatorFonts?.current() ?? ownFonts
  const made = (options.engines ?? engineMakers).map((make) => make({ ...parts, warm: waiting > 0, fonts }))
  opening.defer(async () => void (await Promise.all(made.map((engine) => engine.close?.()))))
  checkCatalogue(
    pairs,
    made.map(({ name }) => name),
  )
  const engines = new Map(
    made.filter(({ name }) => pairs.some(({ engine }) => engine === name)).map((each) => [each.name, each]),
  )
  const places = createProcessPool({
    ...{ engines: [...engines.values()], scratch, sandbox, log },
    count: waiting,
  })
  opening.defer(places.close)

  const convertFile: Converter['convertFile'] = async (request) => {
    const { pair, signal = new AbortController().signal, onProgress = () => {}, owner = '' } = request
    const step = request.onStep ?? ((_, work) => work())
    const engine = engines.get(pair.engine)
    const options = requireOptions(pair, request.options)
    if (!engine) throw new Error(`${pair.slug} is not among the pairs that this converter was opened with.`)
    const asked = typeof request.style === 'function' ? request.style() : Promise.resolve(request.style)
    // Told where it is needed.
    asked.catch(() => {})
    const place = await places.take(engine)
    const { inFolder, outFolder } = place.folder
    const { note, all: findings } = createFindings()
    let began = performance.now()
    let inputBytes: number | null = null
    let reader: ReturnType<typeof openReader>
    const reportOf = (outputBytes: number | null) =>
      makeReport(findings, {
        ...{ engine: engine.name, inputBytes, outputBytes, milliseconds: performance.now() - began },
        unwanted: requestedOmissions(pair, options),
      })
    try {
      const { to } = pair
      const from = readAs(pair.from)
      const inputName = `input.${formats[from].extension}`
      const inputPath = join(inFolder, inputName)
      await bring(request.input, inputPath)
      began = performance.now()
      const { size: bytes } = await stat(inputPath)
      inputBytes = bytes
      const inThread = threads.forFile({ bytes, owner, signal })
      const sniff = (given: Options) =>
        inThread<typeof sniffInput>(sniffModule, 'sniffInput', inputPath, pair, given)
      const seen = await sniff(options)
      const cpuSeconds = secondsFor(engine.budget, bytes)
      const limited = withBudget(sandbox, cpuSeconds)
      if (seen.isEncrypted) {
        const encrypted = { sandbox: limited, inFolder, outFolder, inputName, signal }
        await decryptInput(encrypted, String(options.password))
      }
      // What was encrypted is sniffed like any other upload, without a password.
      note(seen.isEncrypted ? await sniff(noOptions) : seen)
      signal.throwIfAborted()
      const source = readSource(inputPath, pair, inThread)
      reader = openReader(pair, {
        ...{ folder: outFolder, sandbox, signal },
        open: (program, folders) => place.open(program, program.limits, folders),
      })
      const style = await bringStyle(await asked, pair, inFolder)
      const run = {
        ...{ pair, from, to, options, inFolder, inputName, outFolder, style },
        ...{ inThread, cpuSeconds, signal, onProgress, note },
        wasEncrypted: seen.isEncrypted === true,
        sandbox: limited,
        open: openWithBudget(place, cpuSeconds, signal),
      }
      const outputName = await step('convert', () => engine.convert(run))
      const output = await openOutput(outFolder, outputName)
      await output.handle.close()
      note(
        await step('check', () =>
          checkOutput(output.path, pair, {
            ...{ sandbox, source, reader, signal },
            isPart: selectsPart(pair, options) || leftOutParts(findings),
            declared: argumentsOf(officeOptions, pair, options).declares ?? {},
            inThread: threads.forFile({ bytes: output.size, owner, signal }),
          }),
        ),
      )
      signal.throwIfAborted()
      const report = reportOf(output.size)
      await deliver(output.path, output.size, request.output)
      return { bytes: output.size, engine: engine.name, report }
    } catch (error) {
      if (error instanceof ConversionFailed) error.report = reportOf(null)
      throw error
    } finally {
      // A box that is being built has to be there to be ended.
      await reader?.catch(() => {})
      await place.close()
    }
  }

  const open = opening.move()
  return {
    convertFile,
    sandbox: report,
    async prepare() {
      await Promise.all(
        [...engines.values()].map((engine) =>
          engine.prepare?.().catch((error: unknown) => {
            log.warn(`${engine.name} could not be started ahead of the first file: ${messageOf(error)}`)
          }),
        ),
      )
      await places.prepare()
    },
    async checkEngine(name) {
      const request = engines.has(name) ? healthCheckOf(name) : undefined
      if (!request) return false
      await convertFile(request)
      return true
    },
    async restartEngine(name) {
      const engine = engines.get(name)
      if (!engine) return
      await engine.restart?.()
      await places.renew(engine)
    },
    waiting: () => places.states(),
    fonts: () => operatorFonts?.state() ?? null,
    async describe() {
      const states: EngineState[] = []
      // One after the other: each starts a program.
      for (const engine of engines.values()) states.push(await stateOf(engine))
      return { sandbox: report, engines: states, waiting: places.states() }
    },
    close: () => open.disposeAsync(),
  }
}

/** Words of the source may all stand in what was left out. */
const leftOutParts = ({ leftOut }: Findings): boolean => Boolean(leftOut?.sheets || leftOut?.slides)

const noOptions: Options = {}

function requireOptions(pair: Pair, given: ConvertRequest['options']): Options {
  if (given === undefined) return noOptions
  const checked = checkOptions(pair, given, { withInternal: true })
  if ('fault' in checked) throw new Error(checked.fault)
  return checked.options
}

async function stateOf(engine: Engine): Promise<EngineState> {
  try {
    return { name: engine.name, ok: true, detail: await engine.version() }
  } catch (error) {
    return { name: engine.name, ok: false, detail: messageOf(error) }
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
