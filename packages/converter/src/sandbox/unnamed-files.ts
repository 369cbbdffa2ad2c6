import { readdirSync, readlinkSync, statSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import { readProcFile, readProcFolder } from './proc-files.ts'

// A file that was removed while it is open takes space that no directory shows. /proc shows which files the processes of
// the sandbox have open. With many files, the walk yields to the event loop at intervals.
//
// An ordinary user may not inspect a process that is exiting, from when it frees its memory until its parent reaps it,
// which takes seconds on a busy machine. Such a process hides nothing, and its files are about to be closed. But its
// other threads may outlive the first one and have the same files open: then one of them is inspected.

const filesPerTick = 200

export interface UnnamedFiles {
  bytes: number
  /** Running processes that could not be inspected. */
  closed: readonly number[]
}

/** Size of the removed files on the given devices that processes have open. */
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
    const inspect = <T>(read: () => T): T | undefined => {
      try {
        return read()
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException
        // The file was closed or the process ended meanwhile.
        if (code !== 'ENOENT' && code !== 'ESRCH') isClosed = true
        return undefined
      }
    }
    const folder = `${thread}/fd`
    for (const name of inspect(() => readdirSync(folder)) ?? []) {
      files += 1
      if (files % filesPerTick === 0) await setImmediate()
      const path = `${folder}/${name}`
      // As bytes: the name of a file need not be UTF-8.
      const target = inspect(() => readlinkSync(path, { encoding: 'buffer' }))
      if (!target?.toString('latin1').endsWith(' (deleted)')) continue
      const status = inspect(() => statSync(path))
      if (status?.isFile() && devices.has(status.dev))
        bytesOfFile.set(`${status.dev}:${status.ino}`, status.blocks * 512)
    }
    // Checked again: it may have begun to exit after the first check.
    if (isClosed && livingThread(`${proc}/${process}`) !== undefined) closed.push(process)
  }
  return { bytes: [...bytesOfFile.values()].reduce((sum, bytes) => sum + bytes, 0), closed }
}

/** The /proc entry of the process if its first thread is alive, else of another thread. Undefined when the process is exiting. */
function livingThread(process: string): string | undefined {
  if (!isExiting(process)) return process
  return readProcFolder(`${process}/task`)
    .map((task) => `${process}/task/${task}`)
    .find((task) => !isExiting(task))
}

/** PF_EXITING in the `flags` field. */
const exitingFlag = 4

function isExiting(thread: string): boolean {
  const status = readProcFile(`${thread}/stat`)
  // The name, in parentheses, may contain anything. After it come the third field and the following ones.
  const fields = status.slice(status.lastIndexOf(')') + 2).split(' ')
  return status === '' || (Number(fields[6]) & exitingFlag) !== 0
}
