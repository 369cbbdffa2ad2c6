import type { Enclosure } from './policy.ts'
import type { SandboxLevel } from './sandbox.ts'

// A level implements the policy: it turns an enclosure into a command that builds the sandbox and runs the program in it.
// How that command is run is the same at all levels (create-sandbox.ts).

/** Descriptors of the command: where it reports the program's exit status, and where it reads the filter and options. */
export const statusDescriptor = 3
export const filterDescriptor = 4
export const optionsDescriptor = 5

export interface Command {
  command: string
  args: readonly string[]
  /**
   * Does the command read the arguments before `--` from a descriptor (`--args`)? Every local user can list the
   * arguments of a process.
   */
  hidesOptions?: boolean
  environment: Readonly<Record<string, string>>
  workingFolder: string
}

export interface Exit {
  code: number | null
  signal: string | null
}

export type Outcome = { exitCode: number } | { signal: string }

export interface Level {
  readonly name: SandboxLevel
  /** At a level without mounts, the paths of an enclosure are translated into host paths before `command` is called. */
  readonly mounts: boolean
  /** BPF programs. Absent at a level without a filter, which cannot run a long-lived process either. */
  readonly filter?: { runOnce: Buffer; longLived: Buffer }
  command(enclosure: Enclosure): Command
  /** How the program ended, from the report or the command's exit; undefined when the sandbox was never built. */
  outcome(report: string, exit: Exit): Outcome | undefined
  /** The process that the command leaves behind when it ends, from the report. */
  orphan?: (report: string) => number | undefined
  /** Removes files that a sandbox of this level may leave outside its directories. */
  afterRun?(enclosure: Enclosure, startedAt: number): Promise<void>
}
