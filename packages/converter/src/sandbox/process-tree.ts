import { readdir, readFile } from 'node:fs/promises'

// The processes of a box, by their numbers on the host. The command that built the box is not among them, nor
// is what bwrap puts in the place of process 1: both are ours, and an ordinary user may not look into them.

export async function processesOfBox(command: number | undefined): Promise<number[]> {
  return (await below(command)).flatMap(({ pid, inner }) => (inner === 1 ? [] : [pid]))
}

/** The one that has this number in the box. */
export async function processInBox(
  command: number | undefined,
  inner: number | undefined,
): Promise<number[]> {
  if (inner === undefined) return []
  return (await below(command)).flatMap((each) => (each.inner === inner ? [each.pid] : []))
}

interface BoxedProcess {
  pid: number
  /** In the innermost namespace of processes that it is in. */
  inner: number
}

async function below(command: number | undefined): Promise<BoxedProcess[]> {
  if (command === undefined) return []
  const found: BoxedProcess[] = []
  const pending = await childrenOf(command)
  for (let pid = pending.pop(); pid !== undefined; pid = pending.pop()) {
    const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
    const inner = /^NSpid:.*?(\d+)$/m.exec(status)?.[1]
    if (inner !== undefined) found.push({ pid, inner: Number(inner) })
    pending.push(...(await childrenOf(pid)))
  }
  return found
}

async function childrenOf(pid: number): Promise<number[]> {
  const children: number[] = []
  for (const task of await readdir(`/proc/${pid}/task`).catch(() => [])) {
    const list = await readFile(`/proc/${pid}/task/${task}/children`, 'utf8').catch(() => '')
    children.push(...list.split(' ').filter(Boolean).map(Number))
  }
  return children
}
