import { AbortedError, KilnError, TimeoutError } from './errors.ts'

// One clock per call. It stops at the call's deadline or when the caller's signal fires, and aborts everything that
// the call does (requests, sleeps, files). The caller gets the reason for the stop, not the error of an aborted part.

export interface CallOptions {
  /** Ends the call with an AbortedError. */
  signal?: AbortSignal | undefined
  /** Milliseconds for the whole call, retries and waiting included. */
  timeout?: number | undefined
}

export interface Clock {
  readonly signal: AbortSignal
  /** Milliseconds to the deadline. */
  remaining(): number
  sleep(milliseconds: number): Promise<void>
  /** Throws if the clock has stopped. */
  check(): void
  /** Why the clock stopped, or the error itself if it has not. */
  explain(error: unknown): unknown
  /** Removes timers and listeners. */
  end(): void
}

// The longest delay that timers accept.
const longestTimer = 2 ** 31 - 1

export function startClock({ signal: outer, timeout }: CallOptions, defaultTimeout: number): Clock {
  const milliseconds = timeout ?? defaultTimeout
  if (!(milliseconds > 0)) {
    throw new KilnError(
      'invalid-options',
      `\`timeout\` is ${milliseconds}; it must be a positive number of milliseconds.`,
    )
  }
  const deadline = Date.now() + milliseconds
  const controller = new AbortController()
  const { signal } = controller

  const onAbort = () => {
    const { reason } = outer as AbortSignal
    controller.abort(new AbortedError('aborted', 'The call was aborted by its signal.', { cause: reason }))
  }
  const timer = setTimeout(
    () => {
      controller.abort(new TimeoutError('timeout', `The call did not end within ${milliseconds / 1000} s.`))
    },
    Math.min(milliseconds, longestTimer),
  )
  unref(timer)
  if (outer?.aborted) onAbort()
  else outer?.addEventListener('abort', onAbort, { once: true })

  return {
    signal,
    remaining: () => Math.max(0, deadline - Date.now()),
    check() {
      if (signal.aborted) throw signal.reason
    },
    explain: (error) => (signal.aborted ? signal.reason : error),
    sleep: (delay) =>
      new Promise((resolve, reject) => {
        if (signal.aborted) return reject(signal.reason)
        const stop = () => {
          clearTimeout(sleeping)
          reject(signal.reason)
        }
        const sleeping = setTimeout(
          () => {
            signal.removeEventListener('abort', stop)
            resolve()
          },
          Math.min(delay, longestTimer),
        )
        signal.addEventListener('abort', stop, { once: true })
      }),
    end() {
      clearTimeout(timer)
      outer?.removeEventListener('abort', onAbort)
    },
  }
}

/** Runs a call with a new clock, which is stopped afterwards. */
export async function onClock<T>(
  options: CallOptions,
  defaultTimeout: number,
  run: (clock: Clock) => Promise<T>,
): Promise<T> {
  const clock = startClock(options, defaultTimeout)
  try {
    clock.check()
    return await run(clock)
  } catch (error) {
    throw clock.explain(error)
  } finally {
    clock.end()
  }
}

/** The timer of a deadline must not keep the process alive. In a browser it is a number. */
function unref(timer: unknown): void {
  ;(timer as { unref?: () => void }).unref?.()
}

export interface Watchdog {
  readonly signal: AbortSignal
  /** There was progress: restarts the timer. */
  feed(): void
  /** No progress is expected: stops the timer. */
  rest(): void
  end(): void
}

/** Aborts one attempt when it makes no progress for this time, or when the clock stops. */
export function startWatchdog(clock: Clock, idleMilliseconds: number, onIdle: () => Error): Watchdog {
  const controller = new AbortController()
  const expire = () => controller.abort(onIdle())
  let timer = setTimeout(expire, idleMilliseconds)
  const stop = () => controller.abort(clock.signal.reason)
  if (clock.signal.aborted) stop()
  else clock.signal.addEventListener('abort', stop, { once: true })
  return {
    signal: controller.signal,
    feed() {
      clearTimeout(timer)
      timer = setTimeout(expire, idleMilliseconds)
    },
    rest: () => clearTimeout(timer),
    end() {
      clearTimeout(timer)
      clock.signal.removeEventListener('abort', stop)
    },
  }
}
