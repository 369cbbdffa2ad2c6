import type { HouseStyle } from '../catalog/house-style.ts'
import type { Options } from '../catalog/options/option.ts'
import type { FormatName, Pair } from '../catalog/pairs.ts'
import type { Log } from '../log.ts'
import type { Note } from '../report/findings.ts'
import type { PrewarmedProcess, PrewarmedProgram } from '../sandbox/prewarmed-process.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import type { InThread } from '../threads/in-thread.ts'
import type { Fonts } from './fonts.ts'

// An engine converts one file inside the sandbox. It knows nothing of jobs, accounts or storage. It throws
// ConversionFailed with a failure word if the file or a limit is the cause, and another error if the service is (such a
// job is retried).

export interface EngineRun {
  pair: Pair
  from: FormatName
  to: FormatName
  /** Validated for the pair; the option table (catalog/options) defines their effect. */
  options: Options
  /** The parts of the house style that the pair uses; the reference document is in inFolder, as `referenceName`. */
  style: Pick<HouseStyle, 'css'> & { referenceName?: string }
  /** Holds the one input file, `input.<extension>`; read-only in the sandbox. */
  inFolder: string
  inputName: string
  /** Empty; the engine may leave anything in it, only the named output counts. */
  outFolder: string
  sandbox: Sandbox
  /** A process of this program in these directories: a pre-warmed one of `prewarmedPrograms`, or a new one. It ends with the run. */
  open(program: PrewarmedProgram): Promise<PrewarmedProcess>
  /** Was the upload encrypted? The input is its decrypted copy. */
  wasEncrypted?: boolean
  /** Runs a function that reads the file outside the sandbox, in the worker pool. */
  inThread: InThread
  /** CPU time limit of one sandbox for a file of this size. */
  cpuSeconds: number
  signal: AbortSignal
  /** From 0 to 1, never backwards. Called only by engines that report progress. */
  onProgress: (fraction: number) => void
  /** Adds findings of the engine to the report. */
  note: Note
}

export interface EngineParts {
  sandbox: Sandbox
  log: Log
  /** A directory of this process that engines can reach; removed when the process ends. */
  scratch: string
  /** A directory for files that are created once and reused by later processes. */
  cache: string
  /** May the engine keep pre-warmed processes? */
  warm: boolean
  /** The current fonts. The same object until they change. */
  fonts: () => Fonts
}

export type EngineMaker = (parts: EngineParts) => Engine

/** CPU seconds for any file, and for each megabyte of it. The engine's own limits apply as well. */
export interface Budget {
  seconds: number
  secondsPerMegabyte: number
}

export interface Engine {
  readonly name: string
  /** Set well above what real files take, and low enough that a small file cannot hold a core for minutes. */
  readonly budget: Budget
  /** Name of the output file inside outFolder. The caller opens it without following links. */
  convert(run: EngineRun): Promise<string>
  /** The programs that one document needs and that can be pre-warmed; empty if they cannot. */
  prewarmedPrograms?(): Promise<readonly PrewarmedProgram[]>
  /** Warms up the engine, so that the first file is as fast as the next. Files are converted even if it fails. */
  prepare?(): Promise<void>
  /** Ends long-lived processes and starts new ones. */
  restart?(): Promise<void>
  /** The program's version; throws an error that explains why it cannot run. */
  version(): Promise<string>
  /** Ends the engine's processes. */
  close?(): Promise<void>
}
