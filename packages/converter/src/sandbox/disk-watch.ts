import { stat } from 'node:fs/promises'
import { isOver } from './disk-usage.ts'
import { unnamedFiles } from './unnamed-files.ts'

// Looks again and again at how much a running box has written. Files without a name are looked for less
// often: it costs more, and a file that has lost its name cannot be the output. A look that fails counts as
// over: the program may have made it fail.

const lookEveryMilliseconds = 50
const looksPerUnnamedLook = 4
// A process is closed to us for a moment while its box is built. One that stays closed has something to hide.
const mostUnreadableLooks = 10

export interface DiskWatch {
  folders: readonly string[]
  limitBytes: number
  /** By their numbers on the host. */
  processes: () => Promise<readonly number[]>
  onOver: () => void
}

export function watchDisk({ folders, limitBytes, processes, onOver }: DiskWatch): () => void {
  let stopped = false
  let looks = 0
  let unreadableLooks = 0
  let timer: NodeJS.Timeout
  const isOverNow = async () => {
    looks += 1
    if (await isOver(folders, limitBytes)) return true
    if (looks % looksPerUnnamedLook !== 0) return false
    const devices = await Promise.all(folders.map(async (folder) => (await stat(folder)).dev))
    const { bytes, unreadable } = await unnamedFiles(await processes(), new Set(devices))
    unreadableLooks = unreadable ? unreadableLooks + 1 : 0
    return bytes > limitBytes || unreadableLooks > mostUnreadableLooks
  }
  const look = async () => {
    const over = await isOverNow().catch(() => true)
    if (stopped) return
    if (over) onOver()
    else timer = setTimeout(look, lookEveryMilliseconds)
  }
  timer = setTimeout(look, lookEveryMilliseconds)
  return () => {
    stopped = true
    clearTimeout(timer)
  }
}
