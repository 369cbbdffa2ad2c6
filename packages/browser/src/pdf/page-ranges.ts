import { BrowserConversionError } from '../failure.ts'

/** `1-3, 5, 8-` as page indexes from 0, in the order that is written. */
export function pageIndexes(ranges: string, count: number): number[] {
  const indexes = ranges.split(',').flatMap((part) => {
    const match = /^\s*(\d{1,6})\s*(-\s*(\d{1,6})?)?\s*$/.exec(part)
    if (!match) throw invalid(`“${part.trim()}” is not a page or a range of pages such as 2-5.`)
    const first = Number(match[1])
    const last = match[2] === undefined ? first : Math.min(count, Number(match[3] ?? count))
    if (first < 1 || first > count || last < first) {
      throw invalid(`“${part.trim()}” is not in this PDF, which has the pages 1 to ${count}.`)
    }
    return Array.from({ length: last - first + 1 }, (_, index) => first - 1 + index)
  })
  if (indexes.length > maxPages) throw invalid(`More than ${maxPages.toLocaleString('en')} pages are chosen.`)
  return indexes
}

const maxPages = 10_000

const invalid = (message: string) => new BrowserConversionError('invalid-options', message)
