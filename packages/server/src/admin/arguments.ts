import { InvalidArgumentError } from 'commander'
import { refused } from '../errors.ts'
import { isUuid } from '../uuid.ts'

export function id(value: string): string {
  if (isUuid(value)) return value
  throw new InvalidArgumentError('Ids look like 01234567-89ab-cdef-0123-456789abcdef.')
}

export function amount(value: string): number {
  const number = Number(value)
  if (/^-?\d{1,9}$/.test(value) && number !== 0) return number
  throw new InvalidArgumentError('It must be a whole number, and not 0.')
}

export const text = (longest: number) => (value: string) => {
  const trimmed = value.trim()
  if (trimmed.length >= 1 && trimmed.length <= longest) return trimmed
  throw new InvalidArgumentError(`It must have 1 to ${longest} characters.`)
}

const seconds: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 }

/** Parses 90s, 15m, 24h or 7d; plain 0 means immediately. */
export function parseDuration(text: string): number {
  if (text === '0') return 0
  const match = /^(\d{1,6})([smhd])$/.exec(text)
  if (!match) throw refused('bad-request', `"${text}" is not a duration. Write it like 90s, 15m, 24h or 7d.`)
  const [, count, unit = ''] = match
  return Number(count) * (seconds[unit] ?? 0)
}
