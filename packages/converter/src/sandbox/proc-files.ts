import { readdirSync, readFileSync } from 'node:fs'

// What the kernel tells of processes. These files lie in memory: to read one takes microseconds, and a turn through
// the thread pool takes far longer. A process that has ended, or does not let us look, tells nothing.

export function readProcFile(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

export function readProcFolder(path: string): string[] {
  try {
    return readdirSync(path)
  } catch {
    return []
  }
}
