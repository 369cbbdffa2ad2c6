import { readdir, readFile, readlink } from 'node:fs/promises'

// Kills sandboxes whose service was killed. A sandbox dies with its parent, except in its first milliseconds: bubblewrap
// whose parent dies before it has set its parent death signal continues as a child of process 1, and one whose user map
// was not written yet waits for it indefinitely. A leftover is recognized by the engine user and by the job directory, which
// is in its arguments or is its working directory.

/** Kills every process of that user that has one of the directories in its arguments or works in it. Returns how many. */
export async function endLeftovers(folders: readonly string[], uid: number): Promise<number> {
  if (folders.length === 0) return 0
  const numbers = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number)
  const found = await Promise.all(numbers.map((pid) => isLeftover(pid, folders, uid)))
  const leftovers = numbers.filter((_, index) => found[index])
  for (const pid of leftovers) end(pid)
  return leftovers.length
}

async function isLeftover(pid: number, folders: readonly string[], uid: number): Promise<boolean> {
  if (pid === process.pid) return false
  try {
    const [status, commandLine] = await Promise.all([
      readFile(`/proc/${pid}/status`, 'utf8'),
      readFile(`/proc/${pid}/cmdline`, 'utf8'),
    ])
    if (Number(/^Uid:\s+(\d+)/m.exec(status)?.[1]) !== uid || isEnding(status)) return false
    // The process may end meanwhile, or have no readable directory; its arguments may still name the folder.
    const workingFolder = await readlink(`/proc/${pid}/cwd`).catch(() => '')
    return folders.some(
      (folder) => commandLine.includes(`${folder}/`) || `${workingFolder}/`.startsWith(`${folder}/`),
    )
  } catch {
    // The process has ended meanwhile.
    return false
  }
}

/** Whether the process has ended, or a SIGKILL that it was sent earlier is still pending. */
function isEnding(status: string): boolean {
  if (/^State:\s+[ZX]/m.test(status)) return true
  const sigkill = 1n << 8n
  return [...status.matchAll(/^(?:SigPnd|ShdPnd):\s+([0-9a-f]+)$/gm)].some(
    ([, pending]) => (BigInt(`0x${pending}`) & sigkill) !== 0n,
  )
}

function end(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // The process has ended meanwhile.
  }
}
