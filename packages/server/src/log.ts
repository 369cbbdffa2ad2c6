import { type Logger, pino } from 'pino'

export type Log = Logger

// JSON lines; readable lines on a terminal. Keys and link signatures never get here: requests are
// logged by path alone (http/app.ts), and what slips through is cut out below.
export function createLog(level: string, onTerminal: boolean): Log {
  const redact = { paths: ['req.headers.authorization', '*.key', '*.authorization'], censor: '(hidden)' }
  if (!onTerminal) return pino({ level, redact })
  return pino({
    level,
    redact,
    transport: { target: 'pino-pretty', options: { ignore: 'pid,hostname', translateTime: 'HH:MM:ss' } },
  })
}
