import type { Readable, Writable } from 'node:stream'

// A box that stays: for a program that never opens a user's file itself, and starts a process for each that
// locks itself in further. It speaks with us on its stdin and stdout.

export interface LongLivedBox {
  /** As seen inside: /usr/…, or a place of `readOnly`. */
  program: string
  /** Paths here and in the environment are those inside. */
  args: readonly string[]
  /**
   * Host folder that appears writable as /jobs. The program starts in /jobs/server. /in, /out and $TMPDIR mean
   * the folders in, out and tmp in the working folder of whoever asks, so another for every process that
   * changes to a folder of its own.
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

export interface RunningBox {
  readonly requests: Writable
  readonly answers: Readable
  /** Paths as the program knows them. The same text at a level with mounts. */
  inside(text: string): string
  /** Makes a folder below the work folder, and the folders in it, the program's own. Done for /jobs/server. */
  give(folder: string): Promise<void>
  /**
   * Calls once when the folders, and the removed files that one process holds open, take more than the limit.
   * The process has its number in the box. Returns how to stop looking.
   */
  watchDisk(
    folders: readonly string[],
    limitBytes: number,
    process: () => number | undefined,
    onOver: () => void,
  ): () => void
  /** All processes of the box, at once. */
  kill(): void
  /** When all are gone. Never rejects. */
  readonly ended: Promise<{ untrustedStderr: string }>
}
