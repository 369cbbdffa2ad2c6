import type { LongLivedProcess, LongLivedSpec } from './long-lived-process.ts'
import type { PrewarmedProcess, PrewarmedProgram } from './prewarmed-process.ts'

// The only way to start a program that sees a user's file. The caller describes the program, its files and its limits;
// the sandbox runs it isolated and makes sure that no process and no file of it is left. policy.ts lists what every
// sandbox prevents. Each level passes one contract suite (test/sandbox/sandbox.contract.ts).

export type SandboxLevel = 'bubblewrap' | 'landlock' | 'none'

export interface Limits {
  wallSeconds: number
  cpuSeconds: number
  /** Address space of one process. All processes together may use as much memory, and no more than half the machine's. */
  memoryBytes: number
  processes: number
  /** Largest single file. */
  fileBytes: number
  /** All files that the program leaves in its folders together. */
  diskBytes: number
  /** How much of stdout and of stderr is kept; the rest is read and discarded. */
  logBytes: number
}

export interface SandboxSpec {
  /** A full path, or a name in /usr/bin. */
  program: string
  /**
   * Paths here and in the environment are those inside: /in/…, /out/…, /tmp and the targets of `readOnly`.
   * A level without mounts replaces them with the host's paths. The program starts in /out.
   */
  args: readonly string[]
  /** Host folder that appears read-only as /in. */
  inFolder: string
  /** Host folder that appears writable as /out; the program starts there. */
  outFolder: string
  /** Further host files or folders, read-only, at the given path inside. */
  readOnly?: readonly { from: string; to: string; optional?: boolean }[]
  /** Does the program need /proc? Without it, it cannot read its own mounts or environment. */
  proc?: boolean
  environment?: Readonly<Record<string, string>>
  limits: Limits
  signal?: AbortSignal
  /** Called for every line of stdout as it comes (progress reports). */
  onStdoutLine?: (untrustedLine: string) => void
}

export type Ending =
  | 'exited'
  | 'wall-limit'
  | 'cpu-limit'
  | 'disk-limit'
  | 'memory-limit'
  | 'cancelled'
  | 'killed'

export interface SandboxResult {
  ending: Ending
  exitCode: number | null
  signal: string | null
  untrustedStdout: string
  untrustedStderr: string
  milliseconds: number
  /** CPU time of all its processes, without that of a pre-warmed process before its document came. */
  cpuSeconds: number
}

export interface Sandbox {
  readonly level: SandboxLevel
  run(spec: SandboxSpec): Promise<SandboxResult>
  /** Starts a process that waits for its document in these directories. */
  open(
    program: PrewarmedProgram,
    folders: Pick<SandboxSpec, 'inFolder' | 'outFolder'>,
  ): Promise<PrewarmedProcess>
  /** Starts a long-lived process. Absent at a level that cannot isolate one. */
  start?(spec: LongLivedSpec): Promise<LongLivedProcess>
  /** Meters CPU time that a long-lived process used for the conversion of this sandbox (meter.ts). */
  charge?(cpuSeconds: number): void
}
