import { readdirSync, readFileSync } from 'node:fs'

// Synchronous reads of /proc: they take microseconds, much less than a round trip to the thread pool. A process that
// has ended, or may not be inspected, has no content.

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
