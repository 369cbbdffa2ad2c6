import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { ConversionReport } from '@kiln/contract'
import { openWithBudget, secondsFor, withBudget } from './budget.ts'
import { formats, readAs } from './catalog/formats.ts'
import type { HouseStyle } from './catalog/house-style.ts'
import type { inspectInput } from './catalog/inspect-input.ts'
import { checkOptions, requestedOmissions, selectsPart } from './catalog/options/index.ts'
import { officeOptions } from './catalog/options/office.ts'
import { argumentsOf, type Options } from './catalog/options/option.ts'
import type { Pair } from './catalog/pairs.ts'
import { checkOutput, openOutput, openReader, readSource } from './checks/index.ts'
import { decryptInput } from './decrypt-input.ts'
import type { Engine } from './engines/engine.ts'
import { ConversionFailed } from './failure.ts'
import { finishOutput, madeFormat } from './finish/finish-output.ts'
import { type Charge, meterSandbox, meterSlot } from './meter.ts'
import type { PoolSlot, ProcessPool } from './process-pool.ts'
import { createFindings, type Findings, type FindingsCollector } from './report/findings.ts'
import { makeReport } from './report/make-report.ts'
import type { Sandbox } from './sandbox/sandbox.ts'
import type { WorkerPool } from './threads/worker-pool.ts'
import { deliverOutput, fetchInput, fetchStyle } from './transfer-files.ts'

// Converts one file, in these steps:
//
//   bring    the input is copied into the directory of a pool slot, whose processes may be pre-warmed (process-pool.ts)
//   inspect  detects whether it is what the pair expects; locked, damaged and oversized files are rejected
//   decrypt  a document with a password is replaced by one without, and inspected again
//   convert  the pair's engine runs in its sandbox, within a budget that depends on the file's size; meanwhile a worker
//            thread reads the contents of the source, and a sandbox is built for the check
//   check    the output is opened and compared with what the pair promises
//   finish   pages are rendered as pictures, Markdown is divided into chunks, several files become an archive
//   deliver  the output is passed to the caller, and the directory is removed

const inspectModule = import.meta.resolve('./catalog/inspect-input.ts')

export interface ConvertRequest {
  pair: Pair
  /** Options of the pair (catalog/options). An unknown option or a wrong value is an error of the caller. */
  options?: Readonly<Record<string, unknown>>
  /**
   * For the appearance of the output, in formats that have a style sheet or reference document. house-style.ts checked
   * it when it was set. A function is called while the file is copied and its type is detected.
   */
  style?: HouseStyle | (() => Promise<HouseStyle>)
  /** A path, or a function that puts the file at the path that it gets. */
  input: string | ((path: string) => Promise<unknown>)
  /** A path, or a function that takes the file from the path that it gets. */
  output: string | ((path: string, bytes: number) => Promise<unknown>)
  /** The owner of the file: owners share the worker pool fairly. */
  owner?: string
  signal?: AbortSignal
  /** Called with CPU seconds as they are used, also for a conversion that fails. */
  onCpuSeconds?: (seconds: number) => void
  /** From 0 to 1, never backwards; only for engines that report progress. */
  onProgress?: (fraction: number) => void
  /** Runs a step, and may measure it. */
  onStep?: <T>(name: 'convert' | 'check', work: () => Promise<T>) => Promise<T>
}

export interface Converted {
  bytes: number
  engine: string
  report: ConversionReport
}

export interface ConversionParts {
  engines: ReadonlyMap<string, Engine>
  pool: ProcessPool
  threads: WorkerPool
  sandbox: Sandbox
}

/** The shared state of the steps of one conversion. */
interface Conversion extends Omit<ConversionParts, 'engines' | 'pool'> {
  /** The one of all conversions; `sandbox` is that one with a meter. */
  sharedSandbox: Sandbox
  request: ConvertRequest
  options: Options
  engine: Engine
  slot: PoolSlot
  owner: string
  charge: Charge
  signal: AbortSignal
  findings: FindingsCollector
  style: Promise<HouseStyle | undefined>
  /** Filled in by the steps. */
  progress: {
    startedAt: number
    inputBytes: number | null
    reader: ReturnType<typeof openReader>
  }
}

export async function convertFile(parts: ConversionParts, request: ConvertRequest): Promise<Converted> {
  const { pair, signal = new AbortController().signal, owner = '' } = request
  const charge: Charge = request.onCpuSeconds ?? (() => {})
  const sandbox = meterSandbox(parts.sandbox, charge)
  const engine = parts.engines.get(pair.engine)
  const options = requireOptions(pair, request.options)
  if (!engine) throw new Error(`${pair.slug} is not among the pairs that this converter was opened with.`)
  const style = typeof request.style === 'function' ? request.style() : Promise.resolve(request.style)
  // Awaited when the engine starts; until then a rejection must not count as unhandled.
  style.catch(() => {})
  const slot = meterSlot(await parts.pool.take(engine), charge)
  const findings = createFindings()
  const progress: Conversion['progress'] = {
    startedAt: performance.now(),
    inputBytes: null,
    reader: undefined,
  }
  const reportOf = (outputBytes: number | null) =>
    makeReport(findings.all, {
      engine: engine.name,
      inputBytes: progress.inputBytes,
      outputBytes,
      milliseconds: performance.now() - progress.startedAt,
      unwanted: requestedOmissions(pair, options),
    })
  try {
    const output = await convertAndCheck({
      request,
      options,
      engine,
      sandbox,
      sharedSandbox: parts.sandbox,
      threads: parts.threads,
      charge,
      slot,
      owner,
      signal,
      findings,
      style,
      progress,
    })
    signal.throwIfAborted()
    const report = reportOf(output.size)
    await deliverOutput(output.path, output.size, request.output)
    return { bytes: output.size, engine: engine.name, report }
  } catch (error) {
    if (error instanceof ConversionFailed) error.report = reportOf(null)
    throw error
  } finally {
    // The slot can end the reader's process only once it is started. A failure to start it was reported by the check.
    await progress.reader?.catch(() => {})
    await slot.close()
  }
}

/** All steps between `bring` and `check`. Returns the output file in the slot's directory. */
async function convertAndCheck(conversion: Conversion): Promise<{ path: string; size: number }> {
  const { request, options, engine, slot, sandbox, threads, owner, charge, signal, findings, progress } =
    conversion
  const { pair, onProgress = () => {} } = request
  const { inFolder, outFolder } = slot.folder
  const { note } = findings
  const step = request.onStep ?? ((_, work) => work())
  const from = readAs(pair.from)
  const made = madeFormat(pair)
  const inputName = `input.${formats[from].extension}`
  const inputPath = join(inFolder, inputName)
  await fetchInput(request.input, inputPath)
  progress.startedAt = performance.now()
  const { size: bytes } = await stat(inputPath)
  progress.inputBytes = bytes
  const inThread = threads.forFile({ bytes, owner, signal, charge })
  const inspect = (given: Options) =>
    inThread<typeof inspectInput>(inspectModule, 'inspectInput', inputPath, pair, given)
  const seen = await inspect(options)
  const cpuSeconds = secondsFor(engine.budget, bytes)
  const limited = withBudget(sandbox, cpuSeconds)
  if (seen.isEncrypted) {
    const encrypted = { sandbox: limited, inFolder, outFolder, inputName, signal }
    await decryptInput(encrypted, String(options.password))
  }
  // The decrypted document is inspected like any other upload, without a password.
  note(seen.isEncrypted ? await inspect(noOptions) : seen)
  signal.throwIfAborted()
  progress.reader = openReader(pair, {
    folder: outFolder,
    sandbox,
    sharedSandbox: conversion.sharedSandbox,
    signal,
    open: (program, folders) => slot.open(program, program.limits, folders),
  })
  const style = await fetchStyle(await conversion.style, pair, inFolder)
  const run = {
    pair,
    from,
    to: made,
    options,
    inFolder,
    inputName,
    outFolder,
    style,
    inThread,
    cpuSeconds,
    signal,
    onProgress,
    note,
    wasEncrypted: seen.isEncrypted === true,
    sandbox: limited,
    open: openWithBudget(slot, cpuSeconds, signal),
  }
  const converting = step('convert', () => engine.convert(run))
  // After the engine's own call: where there is one thread, the engine comes first.
  const source = readSource(inputPath, pair, inThread)
  const outputName = await converting
  const output = await openOutput(outFolder, outputName)
  await output.handle.close()
  note(
    await step('check', () =>
      checkOutput(
        output.path,
        { ...pair, to: made },
        {
          sandbox,
          source,
          sourcePath: inputPath,
          reader: progress.reader,
          signal,
          isPart: made !== pair.to || selectsPart(pair, options) || leftOutParts(findings.all),
          declared: argumentsOf(officeOptions, pair, options).declares ?? {},
          inThread: threads.forFile({ bytes: output.size, owner, signal, charge }),
        },
      ),
    ),
  )
  const finishing = { pair, options, sandbox, signal }
  return step('convert', () =>
    finishOutput(output, {
      ...finishing,
      inThread: threads.forFile({ bytes: output.size, owner, signal, charge }),
    }),
  )
}

/** If sheets or slides were omitted, all sampled words of the source may have been in them. */
const leftOutParts = ({ leftOut }: Findings): boolean => Boolean(leftOut?.sheets || leftOut?.slides)

const noOptions: Options = {}

function requireOptions(pair: Pair, given: ConvertRequest['options']): Options {
  if (given === undefined) return noOptions
  const checked = checkOptions(pair, given, { withInternal: true })
  if ('fault' in checked) throw new Error(checked.fault)
  return checked.options
}
