import { readdirSync, readlinkSync, statSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import { readProcFile, readProcFolder } from './proc-files.ts'

// A file that was removed while it is open takes space that no folder shows. The processes of the box still
// hold it open, and /proc shows what they hold. A few are looked at in one go; where there are many, others get their turn.
//
// The kernel closes a process that is ending to ordinary users, while it gives its memory back and until its parent has
// taken note of its end, which takes seconds on a busy machine. Such a process hides nothing, and what it held is about
// to go. But threads may live on after the first one, and hold the same files: then one of them is looked at.

const filesPerTurn = 200

export interface UnnamedFiles {
  bytes: number
  /** Processes that live and did not let us look. */
  closed: readonly number[]
}

/** What processes hold in removed files on the given devices. */
export async function unnamedFiles(
  processes: readonly number[],
  devices: ReadonlySet<number>,
  proc = '/proc',
): Promise<UnnamedFiles> {
  const bytesOfFile = new Map<string, number>()
  const closed: number[] = []
  let files = 0
  for (const process of processes) {
    const thread = livingThread(`${proc}/${process}`)
    if (thread === undefined) continue
    let isClosed = false
    const look = <T>(at: () => T): T | undefined => {
      try {
        return at()
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException
        // Closed or ended meanwhile.
        if (code !== 'ENOENT' && code !== 'ESRCH') isClosed = true
        return undefined
      }
    }
    const folder = `${thread}/fd`
    for (const name of look(() => readdirSync(folder)) ?? []) {
      files += 1
      if (files % filesPerTurn === 0) await setImmediate()
      const path = `${folder}/${name}`
      // As bytes: what a file was called need not be UTF-8.
      const target = look(() => readlinkSync(path, { encoding: 'buffer' }))
      if (!target?.toString('latin1').endsWith(' (deleted)')) continue
      const status = look(() => statSync(path))
      if (status?.isFile() && devices.has(status.dev))
        bytesOfFile.set(`${status.dev}:${status.ino}`, status.blocks * 512)
    }
    // Asked again: it may have begun to end after the first look at it.
    if (isClosed && livingThread(`${proc}/${process}`) !== undefined) closed.push(process)
  }
  return { bytes: [...bytesOfFile.values()].reduce((sum, bytes) => sum + bytes, 0), closed }
}

/** Its folder; that of the process where its first thread lives. Nothing when the process is ending. */
function livingThread(process: string): string | undefined {
  if (!isEnding(process)) return process
  return readProcFolder(`${process}/task`)
    .map((task) => `${process}/task/${task}`)
    .find((task) => !isEnding(task))
}

/** PF_EXITING of the kernel, among the flags that it tells. */
const endingFlag = 4

function isEnding(thread: string): boolean {
  const status = readProcFile(`${thread}/stat`)
  // The name, in parentheses, may hold anything. What follows it are the third field and those after it.
  const fields = status.slice(status.lastIndexOf(')') + 2).split(' ')
  return status === '' || (Number(fields[6]) & endingFlag) !== 0
}
