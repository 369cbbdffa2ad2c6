import { refused } from '../errors.ts'

const seconds: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 }

/** Parses 90s, 15m, 24h or 7d; plain 0 means immediately. */
export function parseDuration(text: string): number {
  if (text === '0') return 0
  const match = /^(\d{1,6})([smhd])$/.exec(text)
  if (!match) throw refused('bad-request', `"${text}" is not a duration. Write it like 90s, 15m, 24h or 7d.`)
  const [, count, unit = ''] = match
  return Number(count) * (seconds[unit] ?? 0)
}
