import type pg from 'pg'
import { databaseUnavailable, mapConnectionErrors } from './connection-errors.ts'

// The pool opens a connection when none is free, and the caller waits for that one, even when others are released
// meanwhile. On a busy machine PostgreSQL may take longer to start a connection than a caller can wait. So a caller
// takes the first client that becomes free, and the connection that was opened for it serves a later caller, also
// after this one has given up.

/**
 * A client of the pool: an idle one, a newly opened one, or one that is released before that is open. Throws
 * `unavailable` when there is none within this time.
 */
export function takeClient(
  pool: pg.Pool,
  deadlines: Deadlines,
  milliseconds: number,
): Promise<pg.PoolClient> {
  const opening = mapConnectionErrors(() => pool.connect())
  if (hasFree(pool, 0)) return opening
  return new Promise((resolve, reject) => {
    let isSettled = false
    const settle = () => {
      isSettled = true
      pool.off('release', onRelease)
      inTime()
    }
    const onRelease = () =>
      // The pool emits this event before the client is among the idle ones.
      process.nextTick(() => {
        if (isSettled || !hasFree(pool, 1)) return
        settle()
        mapConnectionErrors(() => pool.connect()).then(resolve, reject)
      })
    const inTime = deadlines.set(milliseconds, () => {
      settle()
      reject(databaseUnavailable(new Error(`no connection within ${milliseconds} ms`)))
    })
    pool.on('release', onRelease)
    opening.then(
      (client) => {
        // The caller has another client or an error; the next caller finds this one idle.
        if (isSettled) return client.release()
        settle()
        resolve(client)
      },
      (error) => {
        if (isSettled) return
        settle()
        reject(error)
      },
    )
  })
}

/** Is a client idle for each caller that waits in the pool, and for this many more? */
const hasFree = ({ idleCount, waitingCount }: pg.Pool, more: number): boolean =>
  idleCount >= waitingCount + more && idleCount > 0

// A server that accepts a query and never answers (a machine that vanished, a network that drops packets) looks like a
// slow one, and TCP gives up only after about 15 minutes. After the deadline the connection is closed, and its caller
// gets an error. One timer serves all queries: a timer per query would cost the hot path more than it is worth. The
// timer is stopped while there are no queries.

const lookMilliseconds = 100

interface Deadline {
  at: number
  cut(): void
}

export function createDeadlines() {
  const open = new Set<Deadline>()
  let isLooking = false
  const lookLater = () => {
    isLooking = open.size > 0
    // After a stall of the event loop, timers come before input: answers that have arrived are read first.
    if (isLooking) setTimeout(() => setImmediate(look), lookMilliseconds).unref()
  }
  const look = () => {
    const now = performance.now()
    for (const deadline of open) {
      if (deadline.at > now) continue
      open.delete(deadline)
      deadline.cut()
    }
    lookLater()
  }
  return {
    /** Calls `cut` after this time, unless the returned function is called before. */
    set(milliseconds: number, cut: () => void) {
      const deadline = { at: performance.now() + milliseconds, cut }
      open.add(deadline)
      if (!isLooking) lookLater()
      return () => void open.delete(deadline)
    },
  }
}

export type Deadlines = ReturnType<typeof createDeadlines>
