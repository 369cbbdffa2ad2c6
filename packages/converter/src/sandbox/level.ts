import type { Enclosure } from './policy.ts'
import type { SandboxLevel } from './sandbox.ts'

// A level is a way to carry out the policy: it turns an enclosure into a command that builds the box and runs
// the program in it. What happens with that command is the same at all levels (create-sandbox.ts).

/** Descriptors of the command: where it reports the program's end, and where it reads the filter. */
export const statusDescriptor = 3
export const filterDescriptor = 4

export interface Command {
  command: string
  args: readonly string[]
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
  /** Without mounts, the paths of an enclosure are the host's own before it comes here. */
  readonly mounts: boolean
  /** As the kernel takes them. Absent where there is none; such a level keeps no box either. */
  readonly filter?: { runOnce: Buffer; longLived: Buffer }
  command(enclosure: Enclosure): Command
  /** How the program ended, from the report or the command's own end; undefined when the box was never built. */
  outcome(report: string, exit: Exit): Outcome | undefined
  /** Removes what a box of this level may leave outside its folders. */
  afterRun?(enclosure: Enclosure, startedAt: number): Promise<void>
}
