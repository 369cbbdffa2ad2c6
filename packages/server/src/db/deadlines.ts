// A server that accepts a query and never answers (a machine that vanished, a network that drops packets) looks like a
// slow one, and TCP gives up only after about 15 minutes. After the deadline the connection is closed, and its caller
// gets an error. One timer serves all queries: a timer per query would cost the hot path more than it is worth. The
// timer is stopped while there are no queries.

const lookMilliseconds = 100

export interface Deadlines {
  /** Calls `cut` after this time, unless the returned function is called before. */
  set(milliseconds: number, cut: () => void): () => void
}

interface Deadline {
  at: number
  cut(): void
}

export function createDeadlines(): Deadlines {
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
    set(milliseconds, cut) {
      const deadline = { at: performance.now() + milliseconds, cut }
      open.add(deadline)
      if (!isLooking) lookLater()
      return () => void open.delete(deadline)
    },
  }
}
