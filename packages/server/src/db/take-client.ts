import type pg from 'pg'

// The pool opens a connection when none is free, and the caller waits for that one, even when others are released
// meanwhile. On a busy machine PostgreSQL may take longer to start a connection than a caller can wait.

/** A client of the pool: an idle one, a newly opened one, or one that is released before that is open. */
export function takeClient(pool: pg.Pool): Promise<pg.PoolClient> {
  const opening = pool.connect()
  if (hasFree(pool, 0)) return opening
  return new Promise((resolve, reject) => {
    let isTaken = false
    const take = () => {
      isTaken = true
      pool.off('release', onRelease)
    }
    const onRelease = () =>
      // The pool emits this event before the client is among the idle ones.
      process.nextTick(() => {
        if (isTaken || !hasFree(pool, 1)) return
        take()
        pool.connect().then(resolve, reject)
      })
    pool.on('release', onRelease)
    opening.then(
      (client) => {
        // The caller already has another client; the next caller finds this one idle.
        if (isTaken) return client.release()
        take()
        resolve(client)
      },
      (error) => {
        if (isTaken) return
        take()
        reject(error)
      },
    )
  })
}

/** Is a client idle for each caller that waits in the pool, and for this many more? */
const hasFree = ({ idleCount, waitingCount }: pg.Pool, more: number): boolean =>
  idleCount >= waitingCount + more && idleCount > 0
