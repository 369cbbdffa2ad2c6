import { readProcFile, readProcFolder } from './proc-files.ts'

// The processes of a box, by their numbers on the host. The command that built the box is not among them, nor
// is what bwrap puts in the place of process 1: both are ours, and an ordinary user may not look into them.

export function processesOfBox(command: number | undefined): number[] {
  return below(command).flatMap(({ pid, inner }) => (inner === 1 ? [] : [pid]))
}

/** The one that has this number in the box, again and again: it is looked for once. */
export function createFinder(): (
  command: number | undefined,
  inner: number | undefined,
) => readonly number[] {
  let known: readonly number[] = []
  return (command, inner) => {
    if (inner === undefined) return []
    // Another process may have got its number on the host.
    known = known.filter((pid) => innerNumber(pid) === inner)
    if (known.length === 0) known = below(command).flatMap((each) => (each.inner === inner ? [each.pid] : []))
    return known
  }
}

interface BoxedProcess {
  pid: number
  /** In the innermost namespace of processes that it is in. */
  inner: number
}

function below(command: number | undefined): BoxedProcess[] {
  if (command === undefined) return []
  const found: BoxedProcess[] = []
  const pending = childrenOf(command)
  for (let pid = pending.pop(); pid !== undefined; pid = pending.pop()) {
    const inner = innerNumber(pid)
    if (inner !== undefined) found.push({ pid, inner })
    pending.push(...childrenOf(pid))
  }
  return found
}

function innerNumber(pid: number): number | undefined {
  const inner = /^NSpid:.*?(\d+)$/m.exec(readProcFile(`/proc/${pid}/status`))?.[1]
  return inner === undefined ? undefined : Number(inner)
}

const childrenOf = (pid: number): number[] =>
  readProcFolder(`/proc/${pid}/task`).flatMap((task) =>
    readProcFile(`/proc/${pid}/task/${task}/children`).split(' ').filter(Boolean).map(Number),
  )
