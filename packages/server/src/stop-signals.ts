// When to stop. The first signal drains, a second one forces. A closed terminal (SIGHUP) is a
// signal like the others. npm passes on the Ctrl-C that the terminal has already sent us, so what
// follows within a second of the first is the same wish, not a second one.
// Started by npm, we also watch our parent: if npm is killed, nobody could stop us any more.

export interface StopOptions {
  underNpm: boolean
  drain: (why: string) => Promise<void>
  force: (why: string) => void
}

const sameWishMilliseconds = 1000

export function onStopSignal({ underNpm, drain, force }: StopOptions): void {
  let firstAt: number | null = null
  const stop = (why: string) => {
    const now = Date.now()
    if (firstAt === null) {
      firstAt = now
      void drain(why)
    } else if (now - firstAt > sameWishMilliseconds) {
      force(why)
    }
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop(signal))
  // Writing to a terminal that is gone must not kill us in the middle of the drain.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
  if (underNpm) {
    const parent = process.ppid
    setInterval(() => {
      if (process.ppid !== parent && firstAt === null) stop('the process that started Kiln is gone')
    }, 1000).unref()
  }
}

/** A fault of the configuration or the machine is the operator's to read: a sentence, no stack trace. */
export function reportAndExit(error: unknown): never {
  const message = error instanceof Error ? error.message : String(error)
  const cause =
    error instanceof Error && error.cause instanceof Error ? `\nBecause: ${error.cause.message}` : ''
  process.stderr.write(`Kiln: ${message}${cause}\n`)
  process.exit(1)
}
