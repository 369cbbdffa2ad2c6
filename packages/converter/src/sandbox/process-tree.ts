import { readProcFile, readProcFolder } from './proc-files.ts'

// The processes of a sandbox, by their ids on the host. The command that built the sandbox is not among them, nor is
// the init process of bwrap (pid 1 inside): both are part of Kiln, and an ordinary user may not inspect them.

export const processesOfSandbox = (command: number | undefined): number[] => processTree(command).ofSandbox

/** The processes of the sandbox, and all with the command and the init process. */
export function processTree(command: number | undefined): { ofSandbox: number[]; all: number[] } {
  const found = descendantsOf(command)
  return {
    ofSandbox: found.flatMap(({ pid, inner }) => (inner === 1 ? [] : [pid])),
    all: [...(command === undefined ? [] : [command]), ...found.map(({ pid }) => pid)],
  }
}

/** Finds the process with an id inside the sandbox, and remembers its id on the host. */
export function createFinder(): (
  command: number | undefined,
  inner: number | undefined,
) => readonly number[] {
  let known: readonly number[] = []
  return (command, inner) => {
    if (inner === undefined) return []
    // The id on the host may have been reused.
    known = known.filter((pid) => innerPid(pid) === inner)
    if (known.length === 0)
      known = descendantsOf(command).flatMap((each) => (each.inner === inner ? [each.pid] : []))
    return known
  }
}

interface SandboxedProcess {
  pid: number
  /** Its id in its innermost process namespace. */
  inner: number
}

function descendantsOf(command: number | undefined): SandboxedProcess[] {
  if (command === undefined) return []
  const found: SandboxedProcess[] = []
  const pending = childrenOf(command)
  for (let pid = pending.pop(); pid !== undefined; pid = pending.pop()) {
    const inner = innerPid(pid)
    if (inner !== undefined) found.push({ pid, inner })
    pending.push(...childrenOf(pid))
  }
  return found
}

function innerPid(pid: number): number | undefined {
  const inner = /^NSpid:.*?(\d+)$/m.exec(readProcFile(`/proc/${pid}/status`))?.[1]
  return inner === undefined ? undefined : Number(inner)
}

const childrenOf = (pid: number): number[] =>
  readProcFolder(`/proc/${pid}/task`).flatMap((task) =>
    readProcFile(`/proc/${pid}/task/${task}/children`).split(' ').filter(Boolean).map(Number),
  )
