import type { HouseStyle } from '../catalog/house-style.ts'
import type { Options } from '../catalog/options/option.ts'
import type { FormatName, Pair } from '../catalog/pairs.ts'
import type { Log } from '../log.ts'
import type { Note } from '../report/findings.ts'
import type { PrewarmedProcess, PrewarmedProgram } from '../sandbox/prewarmed-process.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import type { InThread } from '../threads/in-thread.ts'
import type { Fonts } from './fonts.ts'

// An engine turns one file into another inside the sandbox. It knows nothing of jobs, accounts
// or storage. It throws ConversionFailed with a failure word when the file or a limit is to blame,
// and anything else when the fault is ours (that is tried again).

export interface EngineRun {
  pair: Pair
  from: FormatName
  to: FormatName
  /** Each fits the pair; what becomes of it is told by the table of options. */
  options: Options
  /** What the pair uses of it; the reference document lies in inFolder, as `referenceName`. */
  style: Pick<HouseStyle, 'css'> & { referenceName?: string }
  /** Holds the one input file, `input.<extension>`; shown to the box read-only. */
  inFolder: string
  inputName: string
  /** Empty; the engine may leave anything in it, only the named output counts. */
  outFolder: string
  sandbox: Sandbox
  /** A box of this program in these folders: one of `waiting` that waits already, or a new one. It ends with the run. */
  open(program: PrewarmedProgram): Promise<PrewarmedProcess>
  /** Did the upload have a password, which the input has no more? */
  wasEncrypted?: boolean
  /** Whatever looks into the file outside the box is called through this. */
  inThread: InThread
  /** Processor time that a file of this size may take in one box. */
  cpuSeconds: number
  signal: AbortSignal
  /** From 0 to 1, never backwards. Called only by engines that can tell. */
  onProgress: (fraction: number) => void
  /** For the report: what the engine saw and did. */
  note: Note
}

export interface EngineParts {
  sandbox: Sandbox
  log: Log
  /** A folder that engines reach, of this process and gone with it. */
  scratch: string
  /** A folder for what is made once and serves every later process too. */
  cache: string
  /** May the engine keep a process ready for the next file? */
  warm: boolean
  /** Those of now. The same object until they change. */
  fonts: () => Fonts
}

export type EngineMaker = (parts: EngineParts) => Engine

/** Seconds of processor time, for any file and for each megabyte of it. The engine's own limits hold besides. */
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
  /** The programs that one document takes, and that can wait for it. None where they cannot. */
  waiting?(): Promise<readonly PrewarmedProgram[]>
  /** Starts what makes the first file as fast as the next. When it fails, files are converted all the same. */
  prepare?(): Promise<void>
  /** Ends the processes that serve later files, and starts new ones. */
  restart?(): Promise<void>
  /** The program's version, or an error that says why it cannot run. */
  version(): Promise<string>
  /** Ends what the engine has running. */
  close?(): Promise<void>
}
