import type { StartedJob } from '../db/jobs.ts'
import type { Log } from '../log/log.ts'
import type { Queue, Work } from '../queue/queue.ts'
import {
  type FailedAttempts,
  handedBackForSeconds,
  isFullDisk,
  isOutage,
  maxFailedAttempts,
  maxHandBacks,
} from './failed-attempts.ts'
import type { Runner } from './run.ts'

// One attempt at a job. Its lease is renewed while it runs. The engine is stopped when the lease is lost, or earlier,
// when a notification reports that another process has ended the job. How errors are handled: state-machine.md.

const renewEveryMilliseconds = 3000
const longestReason = 2000

/** Why an attempt is aborted. */
export const workerStops = new Error('The worker stops.')
export const leaseLost = new Error('The lease was lost.')

export interface AttemptParts {
  queue: Queue
  runner: Runner
  failedAttempts: FailedAttempts
  log: Log
  /** Called when storage, database or disk failed: this worker takes no work for a while. */
  onOutage(): void
}

/** Truncated, and without NUL characters, which the database rejects. */
const reasonOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).replaceAll('\0', '').slice(0, longestReason)

type RunAttempt = (work: Work, job: StartedJob, controller: AbortController) => Promise<void>

export function createAttempts(parts: AttemptParts): RunAttempt {
  const { queue, runner, failedAttempts, log, onOutage } = parts

  // Another worker may not be affected, so the job becomes due again after a delay.
  const afterOutage = async (work: Work, job: StartedJob, error: unknown) => {
    if (isFullDisk(error) && (await failedAttempts.diskHasRoom())) {
      log.warn({ jobId: work.jobId, handBacks: job.handBacks, err: error }, 'the job filled the disk')
      if (job.handBacks >= maxHandBacks) return failedAttempts.failTooBig(work)
      await failedAttempts.countHandBack(work)
    } else {
      onOutage()
      log.warn({ jobId: work.jobId, err: error }, 'storage, database or disk failed; the job is requeued')
    }
    await queue.handBack(work, handedBackForSeconds)
  }

  const afterError = async (work: Work, job: StartedJob, signal: AbortSignal, error: unknown) => {
    try {
      if (signal.reason === leaseLost) return
      if (signal.reason === workerStops) return await queue.handBack(work)
      if (isOutage(error)) return await afterOutage(work, job, error)
      log.error({ jobId: work.jobId, lane: work.lane, err: error }, 'the attempt broke down')
      const reason = reasonOf(error)
      const failures = await failedAttempts.note(work, job, reason)
      if (failures >= maxFailedAttempts) await failedAttempts.giveUp(work)
      else await queue.fail(work, reason)
    } catch (second) {
      // The lease expires and the job is taken again.
      log.error({ jobId: work.jobId, err: second }, 'could not requeue the job')
    }
  }

  return async (work, job, controller) => {
    const renewal = setInterval(() => {
      queue.keep(work).then(
        (held) => held || controller.abort(leaseLost),
        // The database is unavailable. Fencing decides at the end whether the attempt still counts.
        () => {},
      )
    }, renewEveryMilliseconds)
    const about = { jobId: work.jobId, lane: work.lane, attempt: job.attempt }
    log.debug(about, 'job begun')
    const release = runner.hold(job)
    try {
      await runner.run(work, job, controller.signal)
    } catch (error) {
      await afterError(work, job, controller.signal, error)
    } finally {
      release()
      clearInterval(renewal)
      log.debug(about, 'job ended')
    }
  }
}
