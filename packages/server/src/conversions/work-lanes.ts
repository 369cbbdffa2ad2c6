import { type Lane, lanes } from '@kiln/converter/catalog'
import type { StartedJob } from '../db/jobs.ts'
import type { Log } from '../log/log.ts'
import type { Queue, Work } from '../queue/queue.ts'
import type { AccountLoadWatch } from './account-load.ts'
import { type FailedAttempts, maxFailedAttempts } from './failed-attempts.ts'
import { handedBackForSeconds, isFullDisk, isOutage, mostHandBacks, pauseMilliseconds } from './outage.ts'
import type { Runner } from './run.ts'

// The worker's loop. Each lane has slots, and one more for an account that runs nothing in that lane: whoever
// fills a lane does not keep others out. A free slot takes work when NOTIFY says that there is some, when a slot has
// become free, and every two seconds in case a notification was lost or a retry has come due, unless no job waits or
// runs at all. While a job runs, its lease is kept alive; when the lease is lost, the engine is stopped; the news that
// somebody else has ended the job does the same, sooner. How a run that breaks down is judged: state-machine.md.
// Draining takes no new work, lets running jobs finish for a while, and hands the rest back to the queue.

const lookEveryMilliseconds = 2000
const keepEveryMilliseconds = 3000

export interface LanesParts {
  queue: Queue
  runner: Runner
  failedAttempts: FailedAttempts
  slots: Readonly<Record<Lane, number>>
  /** The lanes this worker serves. */
  lanes: readonly Lane[]
  /** Accounts whose failing work is bounded get one slot in each lane. */
  load: Pick<AccountLoadWatch, 'failsTooLong' | 'isIdle'>
  /** Does an engine of this lane work? Without one the lane takes no work. */
  canServe(lane: Lane): boolean
  log: Log
}

export interface LanesWorker {
  drain(seconds: number): Promise<void>
  running(): number
  /** The ids of the jobs that run now. */
  runningJobs(): readonly string[]
  /** The job has ended. If this worker still runs it, its engine is stopped. */
  release(jobId: string): void
  /** The lanes that this worker serves, and how full they are. */
  load(): { lane: Lane; slots: number; busy: number }[]
}

const longestReason = 2000

/** As the database takes it: not too long, and without the zero byte. */
const reasonOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).replaceAll('\0', '').slice(0, longestReason)

const stopped = new Error('The worker stops.')
const lost = new Error('The lease was lost.')

export function startLanes(parts: LanesParts): LanesWorker {
  const { queue, runner, failedAttempts, slots, lanes: served, log } = parts
  const active = new Map<AbortController, Promise<void>>()
  // The accounts of the jobs that run, by lane: an account stands there once for each of its jobs.
  const inLane = new Map<Lane, string[]>(lanes.map((lane) => [lane, []]))
  const running = new Map<string, AbortController>()
  const looking = new Set<Lane>()
  /** Where there may be more since the look that is under way began. */
  const wanted = new Set<Lane>()
  const looks = new Set<Promise<void>>()
  let isTending = false
  let draining = false
  let pausedUntil = 0

  const accountsIn = (lane: Lane) => inLane.get(lane) as string[]

  /** Whose work may not be taken into this lane now; null when nothing may. */
  const passedOver = (lane: Lane): readonly string[] | null => {
    if (!parts.canServe(lane)) return null
    const accounts = accountsIn(lane)
    if (accounts.length < slots[lane]) return accounts.filter(parts.load.failsTooLong)
    return accounts.length === slots[lane] ? accounts : null
  }

  const runOne = async (work: Work, job: StartedJob, controller: AbortController) => {
    const keeper = setInterval(() => {
      queue.keep(work).then(
        (held) => held || controller.abort(lost),
        // The database is away. The fence decides at the end whether the work still counts.
        () => {},
      )
    }, keepEveryMilliseconds)
    const about = { jobId: work.jobId, lane: work.lane, attempt: job.attempt }
    log.debug(about, 'job begun')
    try {
      await runner.run(work, job, controller.signal)
    } catch (error) {
      await afterError(work, job, controller.signal, error)
    } finally {
      clearInterval(keeper)
      log.debug(about, 'job ended')
    }
  }

  const afterError = async (work: Work, job: StartedJob, signal: AbortSignal, error: unknown) => {
    try {
      if (signal.reason === lost) return
      if (signal.reason === stopped) return await queue.handBack(work)
      if (isOutage(error)) return await afterOutage(work, job, error)
      log.error({ jobId: work.jobId, lane: work.lane, err: error }, 'the attempt broke down')
      const reason = reasonOf(error)
      const broken = await failedAttempts.note(work, job, reason)
      if (broken >= maxFailedAttempts) await failedAttempts.giveUp(work)
      else await queue.fail(work, reason)
    } catch (second) {
      // The lease ends by itself and the work is taken again.
      log.error({ jobId: work.jobId, err: second }, 'could not give the job back')
    }
  }

  // Another worker may have what this one lacks; until then this one does not take the work again.
  const afterOutage = async (work: Work, job: StartedJob, error: unknown) => {
    if (isFullDisk(error) && (await failedAttempts.diskHasRoom())) {
      log.warn({ jobId: work.jobId, handBacks: job.handBacks, err: error }, 'the job filled the disk')
      if (job.handBacks >= mostHandBacks) return failedAttempts.failTooBig(work)
      await failedAttempts.countHandBack(work)
    } else {
      pausedUntil = Date.now() + pauseMilliseconds
      log.warn({ jobId: work.jobId, err: error }, 'storage, database or disk failed; the job goes back')
    }
    await queue.handBack(work, handedBackForSeconds)
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
        const controller = new AbortController()
        const { jobId, accountId } = taken.work
        accountsIn(lane).push(accountId)
        running.set(jobId, controller)
        const task = runOne(taken.work, taken.begun, controller).finally(() => {
          active.delete(controller)
          if (running.get(jobId) === controller) running.delete(jobId)
          accountsIn(lane).splice(accountsIn(lane).indexOf(accountId), 1)
          look(lane)
        })
        active.set(controller, task)
      }
    } catch (error) {
      log.warn({ lane, err: error }, 'could not look for work')
    }
  }

  /** Gives back what lost workers held, and ends what was given out too often. */
  const tend = async () => {
    if (isTending) return
    isTending = true
    try {
      await queue.reclaim()
      for (let work = await queue.takeAbandoned(); work; work = await queue.takeAbandoned())
        await failedAttempts.giveUpLost(work)
    } catch (error) {
      log.warn({ err: error }, 'could not give back or end what lost workers held')
    } finally {
      isTending = false
    }
  }

  const lookEverywhere = () => {
    if (parts.load.isIdle()) return
    for (const lane of served) look(lane)
    const tended = tend().finally(() => looks.delete(tended))
    looks.add(tended)
  }

  const stopListening = queue.onWake((lane) => {
    if (served.includes(lane)) look(lane)
  })
  const timer = setInterval(lookEverywhere, lookEveryMilliseconds)
  lookEverywhere()

  return {
    running: () => active.size,
    runningJobs: () => [...running.keys()],
    release: (jobId) => running.get(jobId)?.abort(lost),
    load: () => served.map((lane) => ({ lane, slots: slots[lane], busy: accountsIn(lane).length })),
    async drain(seconds) {
      draining = true
      clearInterval(timer)
      stopListening()
      await Promise.allSettled(looks)
      const ended = Promise.allSettled(active.values())
      const { promise: deadline, resolve } = Promise.withResolvers<void>()
      const alarm = setTimeout(resolve, seconds * 1000)
      await Promise.race([ended, deadline])
      clearTimeout(alarm)
      for (const controller of active.keys()) controller.abort(stopped)
      await Promise.allSettled(active.values())
    },
  }
}
