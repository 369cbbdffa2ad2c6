import { writeSync } from 'node:fs'

// Where log lines go: written synchronously to the file descriptor. A reader that stalls may block us briefly, and then
// lines are lost; a closed reader is not written to any more. Neither may freeze the service, in particular during
// shutdown: the library's own destination retries a broken pipe indefinitely.

export interface LogDestination {
  write(line: string): void
}

const patienceMilliseconds = 1000
const pauseMilliseconds = 5

export function createLogDestination(descriptor: number): LogDestination {
  const pause = new Int32Array(new SharedArrayBuffer(4))
  let gone = false
  // The wait for a stalled reader happens once.
  let stalled = false

  const writeAll = (bytes: Buffer) => {
    const giveUpAt = performance.now() + (stalled ? 0 : patienceMilliseconds)
    let written = 0
    while (written < bytes.length) {
      try {
        written += writeSync(descriptor, bytes, written)
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error
        stalled = performance.now() > giveUpAt
        if (stalled) return
        Atomics.wait(pause, 0, 0, pauseMilliseconds)
      }
    }
    stalled = false
  }
  return {
    write(line) {
      if (gone) return
      try {
        writeAll(Buffer.from(line))
      } catch {
        // There is no other place to report that standard output is closed.
        gone = true
      }
    },
  }
}
