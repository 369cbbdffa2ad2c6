import { processorSeconds } from './processor-time.ts'

// A process is closed to us for a moment while its box is built: an ordinary user may not look into it before the
// program itself runs. One that stays closed has something to hide. On a busy machine a moment may last for seconds, in
// which the process does nothing at all, so only looks between which it has worked count.

const mostLooks = 10

/** Told at each look which processes were closed; says whether they have been so for too long. */
export function createClosedWatch(
  used: (processes: readonly number[]) => ReadonlyMap<number, number> = processorSeconds,
): (closed: readonly number[]) => boolean {
  let looks = 0
  let usedBefore: ReadonlyMap<number, number> = new Map()
  return (closed) => {
    const usedNow = used(closed)
    if (closed.length === 0) looks = 0
    // One that was not there before counts: many that work for a moment each could take turns.
    else if ([...usedNow].some(([pid, seconds]) => seconds > (usedBefore.get(pid) ?? -1))) looks += 1
    usedBefore = usedNow
    return looks > mostLooks
  }
}
