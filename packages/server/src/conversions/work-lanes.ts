import { type Lane, lanes } from '@kiln/converter/catalog'
import type { Log } from '../log/log.ts'
import type { Queue, Work } from '../queue/queue.ts'
import { startRounds } from '../rounds.ts'
import type { AccountLoadWatch } from './account-load.ts'
import { type FailedAttempts, pauseMilliseconds } from './failed-attempts.ts'
import type { Runner } from './run.ts'
import { createAttempts, leaseLost, workerStops } from './run-attempt.ts'

// The worker's loop. Each lane has slots, and one more that is reserved for an account that runs nothing in that lane, so
// that an account that fills a lane does not block the others. A free slot takes work on a NOTIFY, when a slot becomes
// free, and every two seconds in case a notification was lost or a retry is due, unless no job waits or runs at all.
// In the same rounds it requeues the jobs of lost workers first, so that these do not wait while every API process
// restarts.
// run-attempt.ts runs a job. Draining takes no new work, lets running jobs finish for a while, and hands the rest back to
// the queue.

const lookEveryMilliseconds = 2000

export interface LanesParts {
  queue: Queue
  runner: Runner
  failedAttempts: FailedAttempts
  slots: Readonly<Record<Lane, number>>
  /** The lanes this worker serves. */
  lanes: readonly Lane[]
  /** An account whose jobs fail for too long gets one slot in each lane. */
  load: Pick<AccountLoadWatch, 'failsTooLong' | 'isIdle'>
  /** Whether an engine of this lane is healthy. A lane without one takes no work. */
  canServe(lane: Lane): boolean
  log: Log
}

export function startLanes(parts: LanesParts) {
  const { queue, runner, slots, lanes: served, log } = parts
  const jobs = createRunningJobs((lane) => look(lane))
  const looking = new Set<Lane>()
  /** Lanes in which work may have arrived since the current query started. */
  const wanted = new Set<Lane>()
  const looks = new Set<Promise<void>>()
  let draining = false
  let pausedUntil = 0
  const runAttempt = createAttempts({
    ...parts,
    onOutage: () => {
      pausedUntil = Date.now() + pauseMilliseconds
    },
  })

  /** The accounts from which this lane may not take work now; null when it may take none at all. */
  const passedOver = (lane: Lane): readonly string[] | null => {
    if (!parts.canServe(lane)) return null
    const accounts = jobs.accountsIn(lane)
    if (accounts.length < slots[lane]) return accounts.filter(parts.load.failsTooLong)
    return accounts.length === slots[lane] ? accounts : null
  }

  const look = (lane: Lane) => {
    if (looking.has(lane)) {
      wanted.add(lane)
      return
    }
    looking.add(lane)
    const looked = takeWhileFree(lane).finally(() => {
      looking.delete(lane)
      looks.delete(looked)
      if (wanted.delete(lane)) look(lane)
    })
    looks.add(looked)
  }

  const takeWhileFree = async (lane: Lane) => {
    try {
      while (!draining && Date.now() >= pausedUntil) {
        const except = passedOver(lane)
        if (!except) break
        const taken = await queue.take(lane, runner.begin, except)
        if (!taken) break
        if (!taken.begun) continue
        if (draining) {
          await queue.handBack(taken.work)
          break
        }
        const { work, begun } = taken
        jobs.start(lane, work, (controller) => runAttempt(work, begun, controller))
      }
    } catch (error) {
      log.warn({ lane, err: error }, 'could not look for work')
    }
  }

  const rounds = startRounds(lookEveryMilliseconds, async () => {
    if (parts.load.isIdle()) return
    await queue.reclaim().catch((err) => log.warn({ err }, 'could not requeue the jobs of lost workers'))
    for (const lane of served) look(lane)
  })

  const stopListening = queue.onWake((lane) => {
    if (served.includes(lane)) look(lane)
  })

  return {
    running: jobs.count,
    /** The ids of the jobs that run now. */
    runningJobs: jobs.ids,
    /** The job has ended. If this worker still runs it, its engine is stopped. */
    release: (jobId: string) => jobs.abort(jobId, leaseLost),
    /** The lanes that this worker serves, and how full they are. */
    load: () => served.map((lane) => ({ lane, slots: slots[lane], busy: jobs.accountsIn(lane).length })),
    async drain(seconds: number): Promise<void> {
      draining = true
      stopListening()
      await Promise.allSettled([rounds.stop(), ...looks])
      await jobs.drain(seconds, workerStops)
    },
  }
}

export type LanesWorker = ReturnType<typeof startLanes>

/** The jobs that this worker runs, by lane, account and id. `onEnd` is called when a lane has a free slot again. */
function createRunningJobs(onEnd: (lane: Lane) => void) {
  const tasks = new Map<AbortController, Promise<void>>()
  // An account is listed once per job.
  const accounts = new Map<Lane, string[]>(lanes.map((lane) => [lane, []]))
  const controllers = new Map<string, AbortController>()
  const accountsIn = (lane: Lane) => accounts.get(lane) ?? []

  return {
    accountsIn,
    count: () => tasks.size,
    ids: () => [...controllers.keys()],
    start(lane: Lane, { jobId, accountId }: Work, run: (controller: AbortController) => Promise<void>) {
      const controller = new AbortController()
      accountsIn(lane).push(accountId)
      controllers.set(jobId, controller)
      const task = run(controller).finally(() => {
        tasks.delete(controller)
        if (controllers.get(jobId) === controller) controllers.delete(jobId)
        accountsIn(lane).splice(accountsIn(lane).indexOf(accountId), 1)
        onEnd(lane)
      })
      tasks.set(controller, task)
    },
    abort: (jobId: string, reason: Error) => controllers.get(jobId)?.abort(reason),
    /** Lets jobs finish within this time, then aborts the remaining ones. */
    async drain(seconds: number, reason: Error) {
      const { promise: deadline, resolve } = Promise.withResolvers<void>()
      const timer = setTimeout(resolve, seconds * 1000)
      await Promise.race([Promise.allSettled(tasks.values()), deadline])
      clearTimeout(timer)
      for (const controller of tasks.keys()) controller.abort(reason)
      await Promise.allSettled(tasks.values())
    },
  }
}
