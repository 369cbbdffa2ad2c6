import type { LongLivedBox, RunningBox } from './long-lived-box.ts'
import type { OpenBox, WaitingProgram } from './waiting-box.ts'

// The only way to start a program that sees a user's file. Whoever wants to run one describes a box; the
// sandbox builds it, runs the program inside, and makes sure that nothing of it is left. What every box
// keeps out is told in policy.ts. Each level passes one contract suite (test/sandbox/sandbox.contract.ts).

export type SandboxLevel = 'bubblewrap' | 'landlock' | 'none'

export interface Limits {
  wallSeconds: number
  cpuSeconds: number
  /** Address space of one process. All processes together may hold as much memory, and no box half the machine's. */
  memoryBytes: number
  processes: number
  /** Largest single file. */
  fileBytes: number
  /** All files that the program leaves in its folders together. */
  diskBytes: number
  /** How much of stdout and of stderr is kept; the rest is read and thrown away. */
  logBytes: number
}

export interface Box {
  /** A full path, or a name in /usr/bin. */
  program: string
  /**
   * Paths here and in the environment are those inside: /in/…, /out/…, /tmp and the places of `readOnly`.
   * A level without mounts puts the host's paths in their stead. The program starts in /out.
   */
  args: readonly string[]
  /** Host folder that appears read-only as /in. */
  inFolder: string
  /** Host folder that appears writable as /out; the program starts there. */
  outFolder: string
  /** Further host files or folders, read-only, at the given place inside. */
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

export interface BoxResult {
  ending: Ending
  exitCode: number | null
  signal: string | null
  untrustedStdout: string
  untrustedStderr: string
  milliseconds: number
}

export interface Sandbox {
  readonly level: SandboxLevel
  run(box: Box): Promise<BoxResult>
  /** Starts a program that waits for its document, in these folders. */
  open(program: WaitingProgram, folders: Pick<Box, 'inFolder' | 'outFolder'>): Promise<OpenBox>
  /** Absent at a level that cannot keep a box. */
  start?(box: LongLivedBox): Promise<RunningBox>
}
