import { type Lane, lanes } from '@kiln/converter/catalog'
import type { Work } from '../queue/queue.ts'

/** The jobs that this worker runs, by lane, account and id. `onEnd` is called when a lane has a free slot again. */
export function createRunningJobs(onEnd: (lane: Lane) => void) {
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
