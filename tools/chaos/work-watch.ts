// Which worker runs which job, from the workers' logs; and how long a killed worker's jobs waited until
// another one ran them, by the clock on the wall, which nothing stops.
//
// A worker may be killed after it has taken a job and before it has logged so. The number of the next attempt shows it.
// The job then waited for two leases, and its time counts from the first kill by which the second could have begun.

export interface Takeover {
  jobId: string
  killedAt: number
  /** When another worker began; null as long as none has. */
  ranAt: number | null
  /** Seconds from the kill, or from the end of the last outage that the job waited through. */
  seconds: number
  /** Database or storage could not be reached at some time meanwhile. */
  throughOutage: boolean
}

export interface WorkWatch {
  begun(worker: string, jobId: string, attempt: number): void
  ended(worker: string, jobId: string): void
  killed(worker: string): number
  /** Does it run a job just now? */
  isBusy(worker: string): boolean
  /** Runs while database or storage cannot be reached. */
  duringOutage(outage: () => Promise<void>): Promise<void>
  takeovers(): readonly Takeover[]
  /** Jobs of killed workers that no worker has run since. */
  waiting(): readonly Takeover[]
  runs(): number
  /** How often a worker was killed while it ran this job. */
  killsOf(jobId: string): number
}

/** Seconds after which the queue gives the job of a lost worker to another. */
const leaseSeconds = 10

export function watchWork(now: () => number = Date.now): WorkWatch {
  const held = new Map<string, Set<string>>()
  const orphans = new Map<string, number>()
  const kills = new Map<string, number>()
  const attempts = new Map<string, number>()
  const killTimes: number[] = []
  const outages: { from: number; to: number }[] = []
  const takeovers: { jobId: string; killedAt: number; ranAt: number }[] = []
  let runs = 0
  const holdings = (worker: string) => {
    const found = held.get(worker) ?? new Set<string>()
    held.set(worker, found)
    return found
  }
  const judge = (jobId: string, killedAt: number, ranAt: number | null): Takeover => {
    const until = ranAt ?? now()
    const meanwhile = outages.filter(({ from, to }) => from < until && to > killedAt)
    const ends = meanwhile.map(({ to }) => Math.min(to, until))
    return {
      jobId,
      killedAt,
      ranAt,
      seconds: (until - Math.max(killedAt, ...ends)) / 1000,
      throughOutage: meanwhile.length > 0,
    }
  }
  /** The kill that ended the last of the attempts without a logged line. */
  const lastKillOf = (killedAt: number, unlogged: number): number => {
    if (unlogged <= 0) return killedAt
    const next = killTimes.find((time) => time >= killedAt + 1000 * leaseSeconds)
    return next === undefined ? killedAt : lastKillOf(next, unlogged - 1)
  }
  return {
    begun(worker, jobId, attempt) {
      runs++
      const unlogged = attempt - (attempts.get(jobId) ?? 0) - 1
      attempts.set(jobId, attempt)
      const killedAt = orphans.get(jobId)
      if (killedAt !== undefined)
        takeovers.push({ jobId, killedAt: lastKillOf(killedAt, unlogged), ranAt: now() })
      orphans.delete(jobId)
      holdings(worker).add(jobId)
    },
    ended: (worker, jobId) => void holdings(worker).delete(jobId),
    killed(worker) {
      killTimes.push(now())
      const jobs = holdings(worker)
      for (const jobId of jobs) {
        orphans.set(jobId, now())
        kills.set(jobId, (kills.get(jobId) ?? 0) + 1)
      }
      held.delete(worker)
      return jobs.size
    },
    isBusy: (worker) => holdings(worker).size > 0,
    async duringOutage(outage) {
      const span = { from: now(), to: Number.POSITIVE_INFINITY }
      outages.push(span)
      await outage()
      span.to = now()
    },
    takeovers: () => takeovers.map(({ jobId, killedAt, ranAt }) => judge(jobId, killedAt, ranAt)),
    waiting: () => [...orphans].map(([jobId, killedAt]) => judge(jobId, killedAt, null)),
    runs: () => runs,
    killsOf: (jobId) => kills.get(jobId) ?? 0,
  }
}
