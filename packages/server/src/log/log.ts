import { writeSync } from 'node:fs'
import { type Logger, pino } from 'pino'

export type Log = Logger

// JSON lines; human-readable lines on a terminal. Lines about a request contain its `requestId`, lines about a job its
// `jobId`. Keys, tokens and link signatures must not be logged: requests are logged by path only (http/app.ts), known
// fields are redacted by name, and finally every finished line is searched for anything that looks like a secret,
// wherever it came from (the message of an S3 error contains a complete link).

const hidden = '(hidden)'
const redact = {
  paths: ['req.headers.authorization', '*.key', '*.authorization', '*.password', '*.cookie'],
  censor: hidden,
}

export function createLog(level: string, onTerminal: boolean): Log {
  const options = { level, redact, hooks: { streamWrite: hideSecrets } }
  if (!onTerminal) return pino(options, createLogDestination(1))
  const pretty = { ignore: 'pid,hostname', translateTime: 'HH:MM:ss' }
  return pino({ ...options, transport: { target: 'pino-pretty', options: pretty } })
}

const secrets: readonly [RegExp, string][] = [
  [/kiln_live_[0-9A-Za-z]{8,}/g, `kiln_live_${hidden}`],
  [/whsec_[0-9A-Za-z+/=]{8,}/g, `whsec_${hidden}`],
  [/(\b(?:x-amz-)?(?:signature|credential|security-token)=)[^&\s"'\\]+/gi, `$1${hidden}`],
  [/(\bBearer\s+)[^\s"'\\]+/gi, `$1${hidden}`],
  [/(\bkiln_console=)[^;\s"'\\]+/g, `$1${hidden}`],
  [/(\/\/[^/\s:@"']+:)[^@\s/"']+(@)/g, `$1${hidden}$2`],
]

export function hideSecrets(line: string): string {
  let clean = line
  for (const [pattern, replacement] of secrets) clean = clean.replace(pattern, replacement)
  return clean
}

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
