import type { Readable, Writable } from 'node:stream'

// A long-lived process in a sandbox: a server that never opens a user's file itself, and forks a process for each file
// that restricts itself further. Requests and answers go through its stdin and stdout.

export interface LongLivedSpec {
  /** Path inside the sandbox: /usr/…, or a target of `readOnly`. */
  program: string
  /** Paths here and in the environment are those inside. */
  args: readonly string[]
  /**
   * Host directory that appears writable as /jobs. The program starts in /jobs/server. /in, /out and $TMPDIR are
   * relative to the working directory of each process (its in, out and tmp), so a process that changes its working
   * directory gets its own.
   */
  workFolder: string
  readOnly?: readonly { from: string; to: string; optional?: boolean }[]
  environment?: Readonly<Record<string, string>>
  limits: {
    /** Address space of one process. */
    memoryBytes: number
    /** Processes and threads together. */
    processes: number
    fileBytes: number
    logBytes: number
  }
}

export interface LongLivedProcess {
  readonly requests: Writable
  readonly answers: Readable
  /** Translates host paths into those that the program sees. Returns the same text at a level with mounts. */
  inside(text: string): string
  /** Makes the engine user the owner of a directory below `workFolder` and of its subdirectories. Already done for /jobs/server. */
  give(folder: string): Promise<void>
  /**
   * Calls `onOver` once when the directories, and the removed files that one process still has open, exceed the limit.
   * `process` returns its id inside the sandbox. Returns a function that stops the watch.
   */
  watchDisk(
    folders: readonly string[],
    limitBytes: number,
    process: () => number | undefined,
    onOver: () => void,
  ): () => void
  /** Kills all processes of the sandbox at once. */
  kill(): void
  /** Resolves when all processes have ended. Never rejects. */
  readonly ended: Promise<{ untrustedStderr: string }>
}
