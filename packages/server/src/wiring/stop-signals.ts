import { setTimeout as delay } from 'node:timers/promises'
import type { Log } from '../log/log.ts'

// When to stop. The first signal drains, a second one forces the stop. SIGHUP (a closed terminal) is treated like the
// others. npm forwards the Ctrl-C that the terminal has already sent us, so a signal within a second of the first
// counts as the same one. Under npm, we also watch the parent process: if npm is killed, no signal reaches us any more.

export interface StopOptions {
  underNpm: boolean
  log: Log
  /** All open resources; disposing it is the drain. */
  stack: AsyncDisposableStack
  /** Called first: from then on the process reports that it is not ready. */
  announce?: () => void
  /** Delay between the announcement and the drain. */
  noticeSeconds?: number
  /** Stops what must not keep running even after a forced stop. */
  force?: () => Promise<void>
}

const sameWishMilliseconds = 1000

export function onStopSignal(options: StopOptions): void {
  const { underNpm, log, stack, announce, noticeSeconds = 0, force } = options
  let firstAt: number | null = null
  const drain = async (why: string) => {
    log.info({ why }, 'stopping; running jobs finish first, a second signal forces')
    announce?.()
    await delay(noticeSeconds * 1000)
    await stack.disposeAsync().catch((error) => log.error({ err: error }, 'stopping failed'))
    process.exit(0)
  }
  const stop = (why: string) => {
    const now = Date.now()
    if (firstAt === null) {
      firstAt = now
      void drain(why)
    } else if (now - firstAt > sameWishMilliseconds) {
      log.warn({ why }, 'forced to stop; running jobs will be run again')
      void Promise.resolve(force?.()).finally(() => process.exit(1))
    }
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop(signal))
  // Writing to a closed terminal must not end the process during the drain.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
  if (underNpm) {
    const parent = process.ppid
    setInterval(() => {
      if (process.ppid !== parent && firstAt === null) stop('the process that started Kiln is gone')
    }, 1000).unref()
  }
}

/** Runs the start of a process; if it fails, the resources that it had opened are closed. */
export async function runWithStack(start: (stack: AsyncDisposableStack) => Promise<void>): Promise<void> {
  const stack = new AsyncDisposableStack()
  try {
    await start(stack)
  } catch (error) {
    await stack.disposeAsync()
    throw error
  }
}

/** Waits for all of them, also when one fails, so that the stack closes every one that has opened. */
export async function openTogether<
  const Opening extends readonly Promise<{ close(): void | Promise<void> }>[],
>(
  stack: AsyncDisposableStack,
  opening: Opening,
): Promise<{ -readonly [At in keyof Opening]: Awaited<Opening[At]> }> {
  for (const each of await Promise.allSettled(opening))
    if (each.status === 'fulfilled') stack.defer(each.value.close)
  return Promise.all(opening)
}

/** An error of the configuration or the machine is reported as a sentence, without a stack trace. */
export function reportAndExit(error: unknown): never {
  const message = error instanceof Error ? error.message : String(error)
  const cause =
    error instanceof Error && error.cause instanceof Error ? `\nBecause: ${error.cause.message}` : ''
  process.stderr.write(`Kiln: ${message}${cause}\n`)
  process.exit(1)
}
