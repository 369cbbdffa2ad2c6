import { sizeText } from '../../../client/src/cli/text.ts'

// Formats numbers and times.

export const bytes = sizeText

const whole = new Intl.NumberFormat('en')
export const count = (value: number): string => whole.format(value)

export const plural = (value: number, one: string, many = `${one}s`): string =>
  `${count(value)} ${value === 1 ? one : many}`

/** 85 ms, 1.4 s, 3 min 20 s, 2 h 5 min, 4 days. */
export function duration(milliseconds: number | null): string {
  if (milliseconds === null) return '–'
  // Rounded before it is divided: no "59 min 60 s".
  if (Math.round(milliseconds) < 1000) return `${Math.round(milliseconds)} ms`
  const seconds = Math.round(milliseconds / 1000)
  if (milliseconds < 9950) return `${(milliseconds / 1000).toFixed(1)} s`
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return withRest(minutes, 'min', seconds % 60, 's')
  const hours = Math.floor(minutes / 60)
  if (hours < 48) return withRest(hours, 'h', minutes % 60, 'min')
  return `${Math.round(hours / 24)} days`
}

const withRest = (value: number, unit: string, rest: number, restUnit: string) =>
  rest > 0 ? `${value} ${unit} ${rest} ${restUnit}` : `${value} ${unit}`

const dateAndTime = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium' })
const dayOnly = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium' })
export const time = (text: string | null): string => (text ? dateAndTime.format(new Date(text)) : '–')
export const day = (text: string | null): string => (text ? dayOnly.format(new Date(text)) : '–')

/** just now, 5 min ago, in 2 h. */
export function relative(text: string | null, now = Date.now()): string {
  if (!text) return '–'
  const difference = new Date(text).getTime() - now
  if (Math.abs(difference) < 10_000) return 'just now'
  const [coarse] = duration(Math.round(Math.abs(difference) / 1000) * 1000).split(/(?<=\d (?:s|min|h|days)) /)
  return difference < 0 ? `${coarse} ago` : `in ${coarse}`
}

export const percent = (part: number, all: number): string =>
  all === 0 ? '–' : `${((100 * part) / all).toFixed(part > 0 && part / all < 0.1 ? 1 : 0)} %`

export const shortId = (id: string): string => id.slice(0, 8)

const timeOnly = new Intl.DateTimeFormat('en-GB', { timeStyle: 'short' })
/** 14:05, in the time zone of the reader. */
export const clock = (text: string): string => timeOnly.format(new Date(text))
