import { type Logger, pino } from 'pino'
import { createLogDestination } from './log-destination.ts'

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
