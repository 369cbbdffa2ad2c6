import { type KilnError, refused, unavailable } from '../errors.ts'

// What uploads may ask of the process that takes them: one at a time for a job, and a least pace, so that a
// connection and the room on the disk are not held by a client that sends next to nothing.

export interface Pace {
  bytes: number
  milliseconds: number
}

// Four KB a second, looked at every half minute.
export const minPace: Pace = { bytes: 120 * 1024, milliseconds: 30_000 }

const maxWaiting = 32

/** Lets the uploads of one job through one after the other. Bodies of those that wait are not read. */
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

/** Runs the work, whose signal is aborted when fewer bytes than the least arrive. */
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
