// A server that takes a query and never answers (a machine that vanished, a network that drops everything) looks like a
// slow one, and TCP gives up after a quarter of an hour. After the deadline the connection is cut, and its caller gets an
// error. One clock looks at all queries: a timer for each would cost the hottest path more than it is worth. It stands
// while there are none.

const lookMilliseconds = 100

export interface Deadlines {
  /** Calls `cut` after so long, unless the function it returns is called before. */
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
    if (isLooking) setTimeout(look, lookMilliseconds).unref()
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
