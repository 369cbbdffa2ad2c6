import type { Limits, SandboxResult, SandboxSpec } from './sandbox.ts'

// A pre-warmed process: started in its sandbox before its document is known.
//
// Starting a program costs more than most documents do: the sandbox is built, libraries are linked, a browser opens a
// page, an engine compiles. None of that depends on the document. A pre-warmed process runs in an ordinary sandbox with
// the same user, mounts, filter and limits (policy.ts), contains no user's data, converts one document and ends. Nothing
// of one document can reach another, because no process, directory or temporary file serves two.
//
// Protocol. The program starts up as far as it can without a document, writes the line `ready` to stdout, and reads stdin
// to the end. There it finds what would otherwise be on its command line: variables as NAME=value, then an empty field,
// then arguments; each field ends with a NUL. From there on it behaves as any program does. Kiln's own programs implement
// this; others are stopped just before their main function by a preloaded library (native/pause-start).
//
// Files. The sandbox is created together with the directories of a conversion, which are still empty, and sees them as
// /in and /out. A conversion of that engine takes over the directories and the processes: the input is written straight
// into /in, and the output is found in /out. Nothing is mounted later, and nothing is copied.
//
// Limits. Those on memory, processes and file size apply from the start. The wall clock and the checks of disk and memory
// start with the document. CPU time has two limits: the kernel's, set at the start, is the maximum that the engine allows
// for any document. The document's own, which depends on its size, is checked from outside and counts what each
// process has used since the document came.
//
// The process pool (process-pool.ts) decides how many are started. A conversion can also start a new process in this
// way: it takes its document as soon as it is ready.

/** The properties of a process that are known before its document. */
export interface PrewarmedProgram
  extends Pick<SandboxSpec, 'program' | 'readOnly' | 'proc' | 'environment' | 'limits'> {
  /** The first of its arguments; the others come with the document. */
  args: readonly string[]
}

export interface DocumentArguments {
  /** Paths here and in the variables are those inside the sandbox, as in `SandboxSpec`. */
  args: readonly string[]
  environment?: Readonly<Record<string, string>>
  limits?: Partial<Pick<Limits, 'wallSeconds' | 'cpuSeconds'>>
  signal?: AbortSignal
  onStdoutLine?: (untrustedLine: string) => void
}

export interface PrewarmedProcess {
  /** Rejects when the program ended before it was ready. */
  readonly ready: Promise<void>
  /** Passes the document, once, and waits for the end of the program. */
  give(document: DocumentArguments): Promise<SandboxResult>
  /** Can it still be given a document? */
  isWaiting(): boolean
  /** Memory that its processes use, without shared memory. */
  memoryBytes(): Promise<number>
  /** Stops or resumes a process that is starting up, so that it takes no CPU time from others. */
  pause(paused: boolean): void
  /** Ends it in any state, and waits until all of its processes have ended. */
  end(): Promise<void>
}
