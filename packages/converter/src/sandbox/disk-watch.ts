import { stat } from 'node:fs/promises'
import { isOver } from './disk-usage.ts'
import { unnamedBytes } from './unnamed-files.ts'

// Looks again and again at how much a running box has written. Files without a name are looked for less
// often: it costs more, and a file that has lost its name cannot be the output.

const lookEveryMilliseconds = 50
const looksPerUnnamedLook = 4

export interface DiskWatch {
  folders: readonly string[]
  limitBytes: number
  pid: number | undefined
  onOver: () => void
}

export function watchDisk({ folders, limitBytes, pid, onOver }: DiskWatch): () => void {
  let stopped = false
  let looks = 0
  let timer: NodeJS.Timeout
  const isOverNow = async () => {
    looks += 1
    if (await isOver(folders, limitBytes)) return true
    if (pid === undefined || looks % looksPerUnnamedLook !== 0) return false
    const devices = await Promise.all(folders.map(async (folder) => (await stat(folder)).dev))
    return (await unnamedBytes(pid, new Set(devices))) > limitBytes
  }
  const look = async () => {
    const over = await isOverNow().catch(() => false)
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
