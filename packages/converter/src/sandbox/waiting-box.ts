import type { Box, BoxResult, Limits } from './sandbox.ts'

// A box that waits for its document.
//
// Starting a program costs more than most documents do: the box is built, libraries are bound, a browser opens a
// page, an engine compiles. None of that depends on the document. So a box can be started before there is one. It
// is an ordinary box, with the same user, places, filter and limits (policy.ts), with nothing of any user's in it,
// and it takes one document and ends. Nothing of a document can reach another, because no process, no folder and no
// temporary file serves two.
//
// Three things have to be settled for that.
//
// What does the program do while it waits? It gets as far as it can without a document, writes the line `ready` to
// its stdout, and reads its stdin to the end. There it finds what it would have had on its command line: first
// variables as NAME=value, then an empty field, then arguments; each field ends with a zero byte. From there on it
// behaves as any program does. Ours do so by themselves. Others are held just before their main function by a
// library that is loaded with them (native/held-start); they need no change.
//
// How does the document get in? The box is made together with the folders of a conversion, both still empty, and
// sees them as /in and /out. When a document comes for that engine, its conversion takes the folders and the boxes
// that wait in them: the input is brought straight into /in, as into any conversion's folder, and the output is
// found in /out. Nothing is mounted later, and nothing is copied on account of the wait.
//
// From when do limits count? Those of memory, processes and files hold from the start. The wall clock starts when
// the document is given, and the watch on disk and memory starts with it. Processor time has two limits: the
// kernel's, set at the start, is the most that the engine allows for any document. The document's own, which follows its
// size, is watched from outside, and counts for each process what it used since the document was given.
//
// Whether any box waits is up to waiting-places.ts. To whoever converts it makes no difference but for the time: a
// box that is opened only now takes its document as soon as it is ready.

/** What is known of a box before its document. */
export interface WaitingProgram
  extends Pick<Box, 'program' | 'readOnly' | 'proc' | 'environment' | 'limits'> {
  /** The first of its arguments; the others come with the document. */
  args: readonly string[]
}

export interface Given {
  /** Paths here and in the variables are those inside, as in a box that is run at once. */
  args: readonly string[]
  environment?: Readonly<Record<string, string>>
  limits?: Partial<Pick<Limits, 'wallSeconds' | 'cpuSeconds'>>
  signal?: AbortSignal
  onStdoutLine?: (untrustedLine: string) => void
}

export interface OpenBox {
  /** Rejects when the program ended without getting ready. */
  readonly ready: Promise<void>
  /** The one document. */
  give(document: Given): Promise<BoxResult>
  /** Can it still be given one? */
  isWaiting(): boolean
  /** Memory that its processes hold, without what they share with others. */
  heldBytes(): Promise<number>
  /** Lets a box that is getting ready go on, or keeps it from taking processor time from others. */
  pause(paused: boolean): void
  /** Ends it, whatever it does, and waits until nothing is left of it. */
  end(): Promise<void>
}
