import { readProcFile, readProcFolder } from './proc-files.ts'

// The processes of a box, by their numbers on the host. The command that built the box is not among them, nor
// is what bwrap puts in the place of process 1: both are ours, and an ordinary user may not look into them.

export function processesOfBox(command: number | undefined): number[] {
  return below(command).flatMap(({ pid, inner }) => (inner === 1 ? [] : [pid]))
}

/** The one that has this number in the box. */
export function processInBox(command: number | undefined, inner: number | undefined): number[] {
  if (inner === undefined) return []
  return below(command).flatMap((each) => (each.inner === inner ? [each.pid] : []))
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
    const inner = /^NSpid:.*?(\d+)$/m.exec(readProcFile(`/proc/${pid}/status`))?.[1]
    if (inner !== undefined) found.push({ pid, inner: Number(inner) })
    pending.push(...childrenOf(pid))
  }
  return found
}

const childrenOf = (pid: number): number[] =>
  readProcFolder(`/proc/${pid}/task`).flatMap((task) =>
    readProcFile(`/proc/${pid}/task/${task}/children`).split(' ').filter(Boolean).map(Number),
  )
