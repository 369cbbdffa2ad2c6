import type { Report } from '@kiln/contract'
import { plural } from '../../shared/format.ts'

// The report of a conversion as one sentence, such as "12 pages. 2 fonts were substituted."

const were = (count: number) => (count === 1 ? 'was' : 'were')

/** Null when there is nothing to report. */
export function reportSentence(report: Report): string | null {
  const parts = [...substituted(report), ...leftOut(report), ...recognized(report)]
  if (parts.length > 0) return `${capitalized(listed(parts))}.`
  const { warnings, more } = report
  const count = warnings.length + more.warnings
  return count > 0 ? `${plural(count, 'warning')}: ${warnings[0] ?? ''}` : null
}

function substituted({ fonts, more }: Report): string[] {
  const count = fonts.length + more.fonts
  return count === 0 ? [] : [`${plural(count, 'font')} ${were(count)} substituted`]
}

const names: Readonly<Record<string, [string, string]>> = {
  macros: ['macro', 'macros'],
  scripts: ['script', 'scripts'],
  'remote-pictures': ['linked picture', 'linked pictures'],
  'remote-styles': ['linked style sheet', 'linked style sheets'],
  frames: ['frame', 'frames'],
  'missing-pictures': ['missing picture', 'missing pictures'],
  objects: ['embedded object', 'embedded objects'],
  sheets: ['sheet', 'sheets'],
  slides: ['slide', 'slides'],
  media: ['media file', 'media files'],
  'video-tracks': ['video track', 'video tracks'],
  subtitles: ['subtitle track', 'subtitle tracks'],
  'sound-tracks': ['sound track', 'sound tracks'],
  covers: ['cover picture', 'cover pictures'],
  'data-streams': ['data stream', 'data streams'],
  markup: ['piece of markup', 'pieces of markup'],
}

function leftOut({ leftOut: entries }: Report): string[] {
  if (entries.length === 0) return []
  const things = entries.map(({ what, count }) => plural(count, ...(names[what] ?? [what, what])))
  const total = entries.reduce((sum, { count }) => sum + count, 0)
  return [`${listed(things)} ${were(total)} left out`]
}

function recognized({ recognized: text }: Report): string[] {
  return text === null ? [] : [`the text of ${plural(text.count, 'page')} was recognized from images`]
}

const listed = (parts: readonly string[]): string =>
  parts.length < 2 ? (parts[0] ?? '') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
