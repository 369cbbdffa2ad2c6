import { readdirSync, readFileSync } from 'node:fs'

// Synchronous reads of /proc: they are served from memory in microseconds, while the thread pool takes far longer. A
// process that has ended, or may not be inspected, has no content.

export function readProcFile(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    // See above.
    return ''
  }
}

export function readProcFolder(path: string): string[] {
  try {
    return readdirSync(path)
  } catch {
    // See above.
    return []
  }
}
