import { refused } from '../errors.ts'
import { isUuid } from '../uuid.ts'

// Reads and checks the fields that pages in a browser send.

type Fields = unknown

function field(fields: Fields, name: string): unknown {
  return typeof fields === 'object' && fields !== null ? (fields as Record<string, unknown>)[name] : undefined
}

export function text(fields: Fields, name: string, longest: number): string {
  const value = field(fields, name)
  const trimmed = typeof value === 'string' ? value.trim() : ''
  // The database accepts neither NUL characters nor unpaired surrogates.
  if (trimmed.length === 0 || trimmed.length > longest || /\p{Cc}|\p{Cs}/u.test(trimmed)) {
    throw refused('bad-request', `\`${name}\` must be a line of 1 to ${longest} characters.`)
  }
  return trimmed
}

/** Not trimmed: whitespace may be part of a secret. */
export function secret(fields: Fields, name: string): string {
  const value = field(fields, name)
  if (typeof value === 'string' && value.length > 0 && value.length <= 500) return value
  throw refused('bad-request', `\`${name}\` must be a text of 1 to 500 characters.`)
}

export function optionalText(fields: Fields, name: string, longest: number): string | null {
  const value = field(fields, name)
  return value === undefined || value === '' ? null : text(fields, name, longest)
}

export function integer(fields: Fields, name: string, min: number, max: number): number {
  const value = field(fields, name)
  const number = typeof value === 'string' && /^-?\d{1,15}$/.test(value) ? Number(value) : value
  if (typeof number === 'number' && Number.isSafeInteger(number) && number >= min && number <= max)
    return number
  throw refused('bad-request', `\`${name}\` must be a whole number from ${min} to ${max}.`)
}

export function optionalInteger(fields: Fields, name: string, min: number, max: number): number | null {
  return field(fields, name) === undefined ? null : integer(fields, name, min, max)
}

export function id(fields: Fields, name = 'id'): string {
  const value = field(fields, name)
  if (typeof value === 'string' && isUuid(value)) return value
  throw refused('bad-request', 'Ids look like 01234567-89ab-cdef-0123-456789abcdef.')
}

export const optionalId = (fields: Fields, name: string): string | null =>
  optionalText(fields, name, 36) === null ? null : id(fields, name)

export function choice<Choice extends string>(
  fields: Fields,
  name: string,
  choices: readonly Choice[],
): Choice | null {
  const value = optionalText(fields, name, 100)
  if (value === null) return null
  if ((choices as readonly string[]).includes(value)) return value as Choice
  throw refused('bad-request', `\`${name}\` must be one of ${choices.join(', ')}.`)
}

/** The time as text, so that its microseconds are kept. */
export function optionalTime(fields: Fields, name: string): string | null {
  const value = optionalText(fields, name, 40)
  if (value === null || /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?Z$/.test(value)) return value
  throw refused('bad-request', `\`${name}\` must be a time in UTC, like 2026-01-31T12:00:00Z.`)
}

/** Any object; its contents are not validated. */
export function optionalObject(fields: Fields, name: string): Record<string, unknown> | undefined {
  const value = field(fields, name)
  if (value === undefined) return undefined
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return value as Record<string, unknown>
  throw refused('bad-request', `\`${name}\` must be an object.`)
}
