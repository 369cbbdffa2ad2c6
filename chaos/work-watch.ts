// Who runs which job, from the lines that workers log; and how long a killed worker's jobs waited until
// another one ran them. While the database is away nothing can be taken, so the clock stands still.

export interface Takeover {
  jobId: string
  seconds: number
}

export interface WorkWatch {
  begun(worker: string, jobId: string): void
  ended(worker: string, jobId: string): void
  killed(worker: string): number
  /** The database, or all of the work, cannot be reached from now on, or can again. */
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
  const orphans = new Map<string, number>()
  const kills = new Map<string, number>()
  const takeovers: Takeover[] = []
  let runs = 0
  let stillSince: number | null = null
  let stood = 0
  const clock = () => (stillSince ?? Date.now()) - stood
  const holdings = (worker: string) => {
    const found = held.get(worker) ?? new Set<string>()
    held.set(worker, found)
    return found
  }
  const sinceKill = (jobId: string) => (clock() - (orphans.get(jobId) ?? clock())) / 1000
  return {
    begun(worker, jobId) {
      runs++
      if (orphans.has(jobId)) takeovers.push({ jobId, seconds: sinceKill(jobId) })
      orphans.delete(jobId)
      holdings(worker).add(jobId)
    },
    ended: (worker, jobId) => void holdings(worker).delete(jobId),
    killed(worker) {
      const jobs = holdings(worker)
      for (const jobId of jobs) {
        orphans.set(jobId, clock())
        kills.set(jobId, (kills.get(jobId) ?? 0) + 1)
      }
      held.delete(worker)
      return jobs.size
    },
    standStill(yes) {
      if (yes && stillSince === null) stillSince = Date.now()
      if (!yes && stillSince !== null) {
        stood += Date.now() - stillSince
        stillSince = null
      }
    },
    takeovers: () => takeovers,
    waiting: () => [...orphans.keys()].map((jobId) => ({ jobId, seconds: sinceKill(jobId) })),
    runs: () => runs,
    killsOf: (jobId) => kills.get(jobId) ?? 0,
  }
}
