import { cpuSecondsByProcess } from './cpu-time.ts'

// A process cannot be inspected for a moment while its sandbox is built: an ordinary user may not read its /proc entry
// before the program itself runs. One that stays closed has something to hide. On a busy machine the moment may last for
// seconds, in which the process does not run at all, so a check counts only if the process has used CPU time since the
// last one.

const maxChecks = 10

/** Called at each check with the processes that are closed; returns whether they have been closed for too long. */
export function createClosedWatch(
  used: (processes: readonly number[]) => ReadonlyMap<number, number> = cpuSecondsByProcess,
): (closed: readonly number[]) => boolean {
  let checks = 0
  let usedBefore: ReadonlyMap<number, number> = new Map()
  return (closed) => {
    const usedNow = used(closed)
    if (closed.length === 0) checks = 0
    // A new process counts too: a program could start many short ones in turn.
    else if ([...usedNow].some(([pid, seconds]) => seconds > (usedBefore.get(pid) ?? -1))) checks += 1
    usedBefore = usedNow
    return checks > maxChecks
  }
}
