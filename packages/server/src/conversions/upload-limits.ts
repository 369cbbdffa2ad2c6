import { type KilnError, refused, unavailable } from '../errors.ts'

// Limits of uploads to this process: one at a time per job, and a minimum rate, so that a client that sends almost
// nothing cannot hold a connection and reserved disk space.

export interface Pace {
  bytes: number
  milliseconds: number
}

// 4 KB/s, checked every 30 seconds.
export const minPace: Pace = { bytes: 120 * 1024, milliseconds: 30_000 }

const maxWaiting = 32

/** Serializes the uploads of one job. The bodies of waiting uploads are not read. */
export function createTurns(): <T>(jobId: string, work: () => Promise<T>) => Promise<T> {
  const last = new Map<string, { done: Promise<unknown>; waiting: number }>()
  return async (jobId, work) => {
    const before = last.get(jobId) ?? { done: Promise.resolve(), waiting: 0 }
    if (before.waiting >= maxWaiting)
      throw unavailable('Too many uploads of this file come at once. Wait for one of them to end.')
    const mine = before.done.then(work, work)
    const turn = { done: mine, waiting: before.waiting + 1 }
    last.set(jobId, turn)
    try {
      return await mine
    } finally {
      const now = last.get(jobId)
      if (now === turn) last.delete(jobId)
      else if (now) now.waiting -= 1
    }
  }
}

/** Runs the work with a signal that is aborted when bytes arrive below the minimum rate. */
export async function atLeastPace<T>(
  pace: Pace,
  arrived: () => number,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const tooSlow = new AbortController()
  let before = 0
  const clock = setInterval(() => {
    if (arrived() - before < pace.bytes) tooSlow.abort(slowUpload(pace))
    before = arrived()
  }, pace.milliseconds)
  try {
    return await work(tooSlow.signal)
  } finally {
    clearInterval(clock)
  }
}

const slowUpload = ({ bytes, milliseconds }: Pace): KilnError =>
  refused(
    'request-timeout',
    `The upload came too slowly: fewer than ${bytes} bytes within ${milliseconds / 1000} seconds. Upload the file again.`,
  )
