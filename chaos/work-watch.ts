// Who runs which job, from the lines that workers log; and how long a killed worker's jobs waited until
// another one ran them. While the database is away nothing can be taken, and while the storage is away
// nothing can be run, so the clock stands still.

export interface Takeover {
  jobId: string
  seconds: number
  /** When the worker was killed. */
  killedAt: Date
}

export interface WorkWatch {
  begun(worker: string, jobId: string): void
  ended(worker: string, jobId: string): void
  killed(worker: string): number
  /** Database or storage cannot be reached from now on, or can again. */
  standStill(yes: boolean): void
  takeovers(): readonly Takeover[]
  /** Jobs of killed workers that nobody has run since. */
  waiting(): readonly Takeover[]
  runs(): number
  /** How often a worker was killed while it ran this job. */
  killsOf(jobId: string): number
}

export function watchWork(): WorkWatch {
  const held = new Map<string, Set<string>>()
  const orphans = new Map<string, { clock: number; killedAt: Date }>()
  const kills = new Map<string, number>()
  const takeovers: Takeover[] = []
  let runs = 0
  let stillSince: number | null = null
  let outages = 0
  let stood = 0
  const clock = () => (stillSince ?? Date.now()) - stood
  const holdings = (worker: string) => {
    const found = held.get(worker) ?? new Set<string>()
    held.set(worker, found)
    return found
  }
  const takeoverOf = (jobId: string, orphan: { clock: number; killedAt: Date }): Takeover => ({
    jobId,
    seconds: (clock() - orphan.clock) / 1000,
    killedAt: orphan.killedAt,
  })
  return {
    begun(worker, jobId) {
      runs++
      const orphan = orphans.get(jobId)
      if (orphan) takeovers.push(takeoverOf(jobId, orphan))
      orphans.delete(jobId)
      holdings(worker).add(jobId)
    },
    ended: (worker, jobId) => void holdings(worker).delete(jobId),
    killed(worker) {
      const jobs = holdings(worker)
      for (const jobId of jobs) {
        orphans.set(jobId, { clock: clock(), killedAt: new Date() })
        kills.set(jobId, (kills.get(jobId) ?? 0) + 1)
      }
      held.delete(worker)
      return jobs.size
    },
    standStill(yes) {
      outages += yes ? 1 : -1
      if (yes && outages === 1) stillSince = Date.now()
      if (!yes && outages === 0 && stillSince !== null) {
        stood += Date.now() - stillSince
        stillSince = null
      }
    },
    takeovers: () => takeovers,
    waiting: () => [...orphans].map(([jobId, orphan]) => takeoverOf(jobId, orphan)),
    runs: () => runs,
    killsOf: (jobId) => kills.get(jobId) ?? 0,
  }
}
