import type { Metrics } from './metrics.ts'

// Whether the event loop is blocked. While it does, no request is answered, no lease is kept
// and no signal is heard; nothing of a user's may cause that. A pause of more than a second is logged with the jobs
// that ran, and counted.

const lookEveryMilliseconds = 200
const toldFromMilliseconds = 1000

export interface EventLoopWatch {
  /** Who runs jobs in this process says which. */
  watchJobs(read: () => readonly string[]): void
  stop(): void
}

export interface EventLoopParts {
  log: { warn(about: object, message: string): void }
  metrics: Pick<Metrics, 'eventLoopPaused'>
}

export function watchEventLoop({ log, metrics }: EventLoopParts): EventLoopWatch {
  let readJobs: () => readonly string[] = () => []
  // Read at every look: a job that caused the pause may be over at its end.
  let jobs: readonly string[] = []
  let lookedAt = performance.now()
  const look = setInterval(() => {
    const now = performance.now()
    const milliseconds = Math.round(now - lookedAt - lookEveryMilliseconds)
    const ran = [...new Set([...jobs, ...readJobs()])]
    if (milliseconds > toldFromMilliseconds) {
      metrics.eventLoopPaused(milliseconds / 1000)
      log.warn({ milliseconds, jobs: ran }, 'this process stood still: something blocked its only thread')
    }
    lookedAt = now
    jobs = readJobs()
  }, lookEveryMilliseconds).unref()
  return {
    watchJobs(read) {
      readJobs = read
    },
    stop: () => clearInterval(look),
  }
}
