import { elementAt } from '../element-at.ts'
import type { Bookmark, Tag } from '../read/page.ts'
import { minPattern, sameIndent, surePattern } from '../tolerances.ts'
import type { Paragraph } from './block.ts'
import { deepestLevel } from './heading-levels.ts'
import { readNumber } from './labels.ts'

// Headings that are marked in the PDF: by tags, the table of contents or bookmarks.

/** Maximum length of a heading in characters: three lines of a book. */
export const longest = 220
/** Additional characters of a bookmark, which may include the subtitle. */
const moreOfBookmark = 40
/** The deepest level of a table of contents; Word has styles for more, but no look for them. */
export const deepestEntry = 4

const tagLevel = (tag: Tag | undefined): number | undefined => {
  for (let t = tag; t; t = t.parent) {
    const m = /^H([1-6])?$/.exec(t.type)
    if (m) return m[1] ? Number(m[1]) : 1
    if (t.type === 'Title') return 0
  }
  return undefined
}

/** Ignores heading tags on text that reads like a paragraph. */
export function fromTags(paragraphs: readonly Paragraph[]): number {
  let count = 0
  for (const p of paragraphs) {
    const level = tagLevel(p.tag)
    if (level === undefined || p.text.length > 2 * longest) continue
    p.heading = level
    count++
  }
  return count
}

/** Marks lines that end with a page number after leaders or in order; levels by indents and section numbers. */
export function markContents(paragraphs: readonly Paragraph[]): void {
  const counted = new Set(countedLines(paragraphs))
  const entries = paragraphs.filter(
    (p) => counted.has(p) || (p.tabs.some((t) => t.leader) && /\t[\divxlc]{1,5}$/i.test(p.text.trim())),
  )
  if (entries.length < minPattern) return
  const indents: number[] = []
  for (const at of entries.map((p) => p.left + Math.min(0, p.first)).sort((a, b) => a - b))
    if (indents.length === 0 || at - (indents.at(-1) as number) > sameIndent) indents.push(at)
  for (const p of entries) {
    const at = p.left + Math.min(0, p.first)
    const depth = /^\d{1,3}(?:\.\d{1,3})*/.exec(p.text)?.[0].split('.').length ?? 1
    p.toc = Math.min(deepestEntry, Math.max(depth, 1 + indents.findLastIndex((i) => at >= i - 1)))
  }
}

/** Consecutive lines that end with a tab and a page number. */
function countedLines(paragraphs: readonly Paragraph[]): Paragraph[] {
  const out: Paragraph[] = []
  let run: { p: Paragraph; page: number }[] = []
  const close = (): void => {
    if (run.length >= surePattern && new Set(run.map((r) => r.page)).size >= minPattern)
      out.push(...run.map((r) => r.p))
    run = []
  }
  for (const p of paragraphs) {
    const number = /\p{L}{2}/u.test(p.text) ? /\t(\d{1,3})$/.exec(p.text.trim())?.[1] : undefined
    const page = Number(number ?? Number.NaN)
    if (!(page >= (run.at(-1)?.page ?? 0))) close()
    if (!Number.isNaN(page)) run.push({ p, page })
  }
  close()
  return out
}

const isItem = (p: Paragraph): boolean => p.label !== '' && readNumber(p.label).length === 0

/** Marks paragraphs that the table of contents lists as headings. */
export function fromContents(paragraphs: readonly Paragraph[]): void {
  const entries = paragraphs.filter((p) => p.toc !== undefined)
  if (entries.length < minPattern) return
  let from = paragraphs.indexOf(elementAt(entries, -1)) + 1
  const places = placesBy(paragraphs, (p) =>
    p.toc === undefined && p.text.length < longest && !isItem(p) ? [plain(unnumbered(p.text))] : [],
  )
  for (const entry of entries) {
    const wanted = plain(unnumbered(entry.text.replace(/\t[^\t]*$/, '')))
    if (wanted === '') continue
    const at = places.get(wanted)?.find((i) => i >= from)
    const match = at === undefined ? undefined : paragraphs[at]
    if (at === undefined || !match) continue
    from = at + 1
    match.heading ??= entry.toc
  }
}

/** Removes a leading number: `2.1`, `IV-B`, `(a)`. `Appendix A:` stays. */
export const unnumbered = (text: string): string =>
  text.trim().replace(/^(?:(?:[IVXLC]+|\d{1,3}|[A-Z])(?:[-.]\w{1,3})*[.:)]?|\(\w{1,3}\))[\s\t]+(?=\S)/, '')

const plain = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '')

/** Indexes of paragraphs by the texts that may be looked up. */
function placesBy(
  paragraphs: readonly Paragraph[],
  keysOf: (p: Paragraph) => readonly string[],
): ReadonlyMap<string, readonly number[]> {
  const places = new Map<string, number[]>()
  for (const [i, p] of paragraphs.entries())
    for (const key of keysOf(p)) {
      const own = places.get(key)
      if (own) own.push(i)
      else places.set(key, [i])
    }
  return places
}

export function fromBookmarks(paragraphs: readonly Paragraph[], bookmarks: readonly Bookmark[]): void {
  if (bookmarks.length === 0) return
  const short = (p: Paragraph): boolean => p.text.length < longest + moreOfBookmark
  const whole = placesBy(paragraphs, (p) => (short(p) ? [plain(p.text)] : []))
  const bare = placesBy(paragraphs, (p) => (short(p) ? [plain(unnumbered(p.text))] : []))
  for (const mark of bookmarks) {
    const wanted = plain(mark.title)
    if (wanted === '') continue
    const places = [whole.get(wanted) ?? [], bare.get(plain(unnumbered(mark.title))) ?? []]
    const match = nearest(paragraphs, places, mark)
    if (match) match.heading = Math.min(deepestLevel, mark.level)
  }
}

/** A page may list its headings before they occur: prefers the bookmark's destination, otherwise the first match. */
function nearest(
  paragraphs: readonly Paragraph[],
  places: readonly (readonly number[])[],
  { page, y }: Bookmark,
): Paragraph | undefined {
  let best = { at: Infinity, away: Infinity }
  // Without copying: a file may have thousands of bookmarks and lines with the same text.
  for (const own of places)
    for (const at of own) {
      const p = elementAt(paragraphs, at)
      if (p.heading !== undefined || (page >= 0 && p.page !== page)) continue
      const away = Number.isNaN(y) ? 0 : Math.abs(p.firstBaseline - y)
      if (away < best.away || (away === best.away && at < best.at)) best = { at, away }
    }
  return paragraphs[best.at]
}
