import type { FormatName, Pair } from '../catalog/pairs.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'

// An engine turns one file into another inside the sandbox. It knows nothing of jobs, accounts
// or storage. It throws ConversionFailed with a failure word when the file or a limit is to blame,
// and anything else when the fault is ours (that is tried again).

export interface EngineRun {
  pair: Pair
  from: FormatName
  to: FormatName
  /** Holds the one input file, `input.<extension>`; shown to the box read-only. */
  inFolder: string
  inputName: string
  /** Empty; the engine may leave anything in it, only the named output counts. */
  outFolder: string
  sandbox: Sandbox
  signal: AbortSignal
  /** From 0 to 1, never backwards. Called only by engines that can tell. */
  onProgress: (fraction: number) => void
}

export interface Engine {
  readonly name: string
  /** Name of the output file inside outFolder. The caller opens it without following links. */
  convert(run: EngineRun): Promise<string>
  /** Starts what makes the first document as fast as the next, if anything does. Fails silently: documents are
   * converted all the same. `scratch` is a folder that engines reach. */
  prepare?(sandbox: Sandbox, scratch: string): Promise<void>
  /** For `doctor` and health: the program's version, or why it cannot run. */
  version(sandbox: Sandbox): Promise<string>
}
