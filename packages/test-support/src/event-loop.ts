// How long the event loop of this thread is blocked, in CPU time of the thread: on a busy machine a thread also waits
// for a core, which its code does not cause.

export interface EventLoopBlocks {
  /** The most milliseconds of CPU time within one turn of the event loop; ends the measurement. */
  longest(): number
}

/** The longest that anything may block the event loop. */
export const longestBlock = 100

// Turns that are shorter than this are added up, which makes no difference to a limit that is much longer.
const everyMilliseconds = 5

export function measureEventLoop(): EventLoopBlocks {
  let longest = 0
  let before = process.threadCpuUsage()
  const endTurn = () => {
    const { user, system } = process.threadCpuUsage(before)
    longest = Math.max(longest, (user + system) / 1000)
    before = process.threadCpuUsage()
  }
  const timer = setInterval(endTurn, everyMilliseconds)
  return {
    longest() {
      clearInterval(timer)
      endTurn()
      return longest
    },
  }
}
