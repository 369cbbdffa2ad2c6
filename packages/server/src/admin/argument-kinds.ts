import { InvalidArgumentError } from 'commander'
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
