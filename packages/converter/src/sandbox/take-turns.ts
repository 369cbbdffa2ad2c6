import { availableParallelism } from 'node:os'

// When there are not cores enough for all boxes at work and for the service, those that have worked for long pause while
// small ones work, so that a small conversion has a core to itself: priorities alone (give-way.ts) leave it less than
// that, and do nothing about memory, which a slow file wants as much of as it can get. Whoever has taken most pauses
// first, and as few as will do. A box pauses for three seconds at a time at the most, and for no longer than it has
// worked before: it keeps half of its time. The clock of its limit stands still meanwhile; only the fork server of
// LibreOffice counts by a clock of its own, whose limit leaves room for that.

const longSeconds = 0.5
/** What takes little and is there for long waits for something, and needs no room. */
const smallForMilliseconds = 3000
const mostCredit = 3000
const leastCredit = 200
const tickMilliseconds = 25

/** One box at work, as its watch sees it. */
export interface Worker {
  processes: readonly number[]
  /** Processor time that it has taken. */
  seconds: number
  /** How long it has paused. Counted here. */
  pausedMilliseconds: number
}

interface Turn {
  worker: Worker
  began: number
  /** Milliseconds that it may pause, as of when. */
  credit: number
  countedAt: number
  /** The processes that were stopped. */
  stopped: readonly number[]
}

export type Send = (pid: number, signal: 'SIGSTOP' | 'SIGCONT') => void

export interface Turns {
  /** Returns how to tell its end. */
  begin(worker: Worker): () => void
  /** Boxes at work. */
  count(): number
}

export function createTurns(send: Send = sendSignal, cores = availableParallelism()): Turns {
  const turns = new Set<Turn>()
  let timer: NodeJS.Timeout | undefined
  // One is for the service itself, which works for every conversion.
  const coresForBoxes = cores - 1

  const goOn = (turn: Turn) => {
    for (const pid of turn.stopped) send(pid, 'SIGCONT')
    turn.stopped = []
  }
  const tick = () => {
    const now = performance.now()
    const isSmall = ({ worker, began }: Turn) =>
      worker.seconds < longSeconds && now - began < smallForMilliseconds
    const all = [...turns]
    const small = all.filter(isSmall).length
    const long = all
      .filter(({ worker }) => worker.seconds >= longSeconds)
      .sort((a, b) => b.worker.seconds - a.worker.seconds)
    const tooMany = small === 0 ? 0 : Math.min(long.length, small + long.length - coresForBoxes)
    let pausing = 0
    for (const turn of long) {
      const pauses = turn.stopped.length > 0
      const passed = now - turn.countedAt
      turn.countedAt = now
      if (pauses) turn.worker.pausedMilliseconds += passed
      turn.credit = Math.min(mostCredit, turn.credit + (pauses ? -passed : passed))
      const mayPause = pausing < tooMany && turn.credit > (pauses ? 0 : leastCredit)
      if (mayPause) pausing += 1
      if (mayPause === pauses) continue
      if (!mayPause) goOn(turn)
      else {
        turn.stopped = turn.worker.processes
        for (const pid of turn.stopped) send(pid, 'SIGSTOP')
      }
    }
    if (turns.size <= coresForBoxes && pausing === 0) {
      clearInterval(timer)
      timer = undefined
    }
  }

  return {
    begin(worker) {
      const now = performance.now()
      const turn: Turn = { worker, began: now, credit: 0, countedAt: now, stopped: [] }
      turns.add(turn)
      if (turns.size > coresForBoxes && !timer) {
        timer = setInterval(tick, tickMilliseconds)
        timer.unref()
      }
      if (timer) tick()
      return () => {
        goOn(turn)
        turns.delete(turn)
        if (timer) tick()
      }
    },
    count: () => turns.size,
  }
}

function sendSignal(pid: number, signal: 'SIGSTOP' | 'SIGCONT'): void {
  try {
    process.kill(pid, signal)
  } catch {
    // It has ended, or is not ours to stop.
  }
}
