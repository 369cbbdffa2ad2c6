import type { Metrics } from './metrics.ts'

// Detects a blocked event loop. While it is blocked, no request is answered, no lease is renewed and no signal is
// handled; user input must never cause that. A pause of more than a second is logged with the jobs that ran, and
// counted.

const lookEveryMilliseconds = 200
const toldFromMilliseconds = 1000

export interface EventLoopParts {
  log: { warn(about: object, message: string): void }
  metrics: Pick<Metrics, 'eventLoopPaused'>
}

export function watchEventLoop({ log, metrics }: EventLoopParts) {
  let readJobs: () => readonly string[] = () => []
  // Read at every check: a job that caused the pause may have ended when the pause ends.
  let jobs: readonly string[] = []
  let lookedAt = performance.now()
  const look = setInterval(() => {
    const now = performance.now()
    const milliseconds = Math.round(now - lookedAt - lookEveryMilliseconds)
    const ran = [...new Set([...jobs, ...readJobs()])]
    if (milliseconds > toldFromMilliseconds) {
      metrics.eventLoopPaused(milliseconds / 1000)
      log.warn({ milliseconds, jobs: ran }, 'the event loop of this process was blocked')
    }
    lookedAt = now
    jobs = readJobs()
  }, lookEveryMilliseconds).unref()
  return {
    /** Sets the function that lists the jobs running in this process. */
    watchJobs(read: () => readonly string[]): void {
      readJobs = read
    },
    stop: () => clearInterval(look),
  }
}

export type EventLoopWatch = ReturnType<typeof watchEventLoop>
