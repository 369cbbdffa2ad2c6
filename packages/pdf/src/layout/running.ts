import { elementAt } from '../element-at.ts'
import { median } from '../geometry.ts'
import type { TextRun } from '../lines/line.ts'
import type { Picture } from '../read/page.ts'
import {
  clearMajority,
  closeLines,
  farthestRow,
  majority,
  minPattern,
  sameIndent,
  samePosition,
  sizeableShare,
} from '../tolerances.ts'

// Running headers, running footers and page numbers: the same text (except digits) at the same height on many pages,
// near the top or the bottom.

/** Small print: a small part of the text, smaller by a fifth, and farther below it than its lines. */
const smallPrintSize = 0.8
/** Tolerance for the position of rotated texts and pictures on several pages, in points. */
const samePlace = 8

export interface RunningPage {
  height: number
  textRuns: readonly TextRun[]
  /** Whether it shows pictures or rotated text, too. */
  showsMore?: boolean
}

export interface Running {
  /** Per page: the text runs that are header or footer, not body. */
  header: TextRun[][]
  footer: TextRun[][]
}

/** Running headers and footers are in the outer seventh of the page, at the top or the bottom. */
const edge = 0.14
/** Text that is repeated by chance has fewer letters. */
const words = /(?:\p{L}\P{L}*){8}/u

export const masked = (text: string): string =>
  text
    .replace(/\d+/g, '#')
    .replace(/\b[ivxlc]{1,6}\b/g, '#')
    .replace(/\s+/g, ' ')
    .trim()

/** Word has a place for the small print of a single page. Elsewhere running text is omitted, and print would be lost. */
export function findRunning(pages: readonly RunningPage[], forWord = false): Running {
  const header: TextRun[][] = pages.map(() => [])
  const footer: TextRun[][] = pages.map(() => [])
  const numbers = { header: pageNumbers(pages, 'header'), footer: pageNumbers(pages, 'footer') }
  if (pages.length < 2) {
    const print = forWord ? pages.map(smallPrint) : []
    return { header: numbers.header, footer: print[0]?.length ? print : numbers.footer }
  }
  for (const part of ['header', 'footer'] as const) {
    const outer = pages.flatMap(({ height, textRuns }, page) =>
      textRuns
        .map((textRun) => ({
          page,
          textRun,
          at: part === 'header' ? textRun.box.y1 : height - textRun.box.y0,
        }))
        .filter(({ at }) => at <= edge * height),
    )
    const groups = Map.groupBy(outer, ({ textRun }) => masked(textRun.text))
    // Chapters change a running header, and left and right pages differ.
    const minPages =
      pages.length <= minPattern ? 2 : Math.max(minPattern, Math.ceil(sizeableShare * pages.length))
    for (const [key, group] of groups) {
      const running = atSameHeight(group).filter((c) => new Set(c.map(({ page }) => page)).size >= minPages)
      const pages = new Set(running.flat().map(({ page }) => page))
      // A title page often has it at another height, without other running text.
      const elsewhere =
        running.length > 0 && words.test(key) ? group.filter(({ page }) => !pages.has(page)) : []
      for (const { page, textRun } of [...running.flat(), ...elsewhere])
        (part === 'header' ? header : footer)[page]?.push(textRun)
    }
    for (const [page, found] of (part === 'header' ? header : footer).entries())
      found.push(...elementAt(numbers[part], page).filter((number) => !found.includes(number)))
  }
  // Repeated text inside the page is body text: running headers and footers must be outside everything else.
  const [onFirst, atFootOfFirst] = [header, footer].map(
    ([first]) => new Set(first?.map((p) => masked(p.text))),
  )
  for (const [page, { textRuns }] of pages.entries()) {
    header[page] = outermost(header[page] ?? [], textRuns, 'header', footer[page] ?? [], onFirst)
    footer[page] = outermost(footer[page] ?? [], textRuns, 'footer', header[page] ?? [], atFootOfFirst)
  }
  // Without anything between them they are the text: tickets or labels with a number each.
  const running = new Set([...header, ...footer].flat())
  const hasBody = pages.some(
    ({ textRuns, showsMore }) => showsMore || textRuns.some((p) => p.text.trim() && !running.has(p)),
  )
  return hasBody ? { header, footer } : { header: pages.map(() => []), footer: pages.map(() => []) }
}

/**
 * A single page has no others to compare with. Its footer is the text at the bottom, well below the rest and clearly
 * smaller: the small print of a letter. Footnotes start with their marker.
 */
function smallPrint({ height, textRuns }: RunningPage): TextRun[] {
  const inked = textRuns.filter((p) => p.text.trim()).sort((a, b) => a.baseline - b.baseline)
  const characters = inked.reduce((sum, p) => sum + p.text.length, 0)
  let from = inked.length
  while (from > 0 && elementAt(inked, from - 1).box.y0 > (1 - edge) * height) from--
  // The widest gap above one of the bottom lines separates them from the text.
  let split = inked.length
  let widest = 0
  for (let i = Math.max(1, from); i < inked.length; i++) {
    const gap = elementAt(inked, i).box.y0 - elementAt(inked, i - 1).box.y1
    if (gap > widest) {
      widest = gap
      split = i
    }
  }
  const below = inked.slice(split)
  const first = below[0]
  if (!first || /^[\d*†‡§¹²³(]/.test(first.text) || first.spans[0]?.style.script) return []
  const sizes = inked.slice(0, split).map((p) => p.size)
  const usual = median(sizes)
  const small = median(below.map((p) => p.size))
  const short = below.reduce((sum, p) => sum + p.text.length, 0) < sizeableShare * characters
  return short && small <= smallPrintSize * usual && widest > closeLines * usual ? below : []
}

const number = /^(?:page\s)?[-–—|([]?\s?(\d{1,4}|[ivxl]{1,7})\s?[-–—|)\]]?(?:\s?(?:of|\/)\s?\d{1,4})?$/i

/** Page numbers that no other page repeats: of a single page, of a last page, of the first pages of chapters. */
function pageNumbers(pages: readonly RunningPage[], part: 'header' | 'footer'): TextRun[][] {
  const found = pages.map((page) => numberAlone(page, part))
  if (pages.length === 1) return found
  const offsets = found.map(([alone], page) => Number(number.exec(alone?.text.trim() ?? '')?.[1]) - page)
  const counts = Map.groupBy(offsets, (offset) => offset)
  return found.map((alone, page) => {
    const offset = elementAt(offsets, page)
    const isNumbered = offset === 1 || (counts.get(offset)?.length ?? 0) > 1
    return isNumbered && !Number.isNaN(offset) ? alone : []
  })
}

/** A number that stands alone at the edge of its page, farther from the text than its lines from each other. */
function numberAlone({ height, textRuns }: RunningPage, part: 'header' | 'footer'): TextRun[] {
  const fromEdge = ({ box }: TextRun): number => (part === 'header' ? box.y0 : height - box.y1)
  const inked = textRuns.filter((p) => p.text.trim()).sort((a, b) => fromEdge(a) - fromEdge(b))
  const [alone, next] = inked
  if (!alone || !next || fromEdge(alone) > edge * height || !number.test(alone.text.trim())) return []
  const gap = part === 'header' ? next.box.y0 - alone.box.y1 : alone.box.y0 - next.box.y1
  return gap > closeLines * median(inked.map((p) => p.size)) ? [alone] : []
}

function atSameHeight<T extends { at: number }>(group: readonly T[]): T[][] {
  const sorted = [...group].sort((a, b) => a.at - b.at)
  const out: T[][] = []
  for (const item of sorted) {
    const last = out.at(-1)
    if (last && item.at - elementAt(last, 0).at <= sameIndent) last.push(item)
    else out.push([item])
  }
  return out
}

function outermost(
  running: readonly TextRun[],
  all: readonly TextRun[],
  part: 'header' | 'footer',
  other: readonly TextRun[],
  onFirstPage: ReadonlySet<string> = new Set(),
): TextRun[] {
  if (running.length === 0) return []
  const body = all.filter((p) => !running.includes(p) && !other.includes(p) && p.text.trim())
  const outside = running.filter((textRun) =>
    part === 'header'
      ? !body.some((b) => b.baseline < textRun.baseline - 1)
      : !body.some((b) => b.baseline > textRun.baseline + 1),
  )
  // Text as close to the body as its own line pitch is the first line of a table or a list; rows of a table are farther
  // apart, and its header may be repeated on all pages except the first.
  const outwards = (p: TextRun): number => (part === 'header' ? -p.baseline : p.baseline)
  const rows = Map.groupBy(all, (p) => Math.round(p.baseline))
  const isParted = (p: TextRun): boolean => (rows.get(Math.round(p.baseline))?.length ?? 0) > 1
  const kept = outside.toSorted((a, b) => outwards(a) - outwards(b))
  let [edge] = body.toSorted((a, b) => outwards(b) - outwards(a))
  for (const p of [...kept]) {
    const isHead = edge && isParted(edge) && isParted(p) && !onFirstPage.has(masked(p.text))
    const reach = isHead ? farthestRow : closeLines
    if (!edge || outwards(p) - outwards(edge) >= reach * p.size) break
    edge = p
    kept.shift()
  }
  return kept
}

/** Rotated text in the margin of many pages: production notes that are not part of the document. */
export function marginTexts(pages: readonly (readonly TextRun[])[]): Set<TextRun> {
  const groups = Map.groupBy(pages.flat(), (p) => `${masked(p.text)} ${Math.round(p.box.x0 / samePlace)}`)
  const out = new Set<TextRun>()
  for (const group of groups.values())
    if (group.length >= Math.max(minPattern, majority * pages.length))
      for (const textRun of group.slice(1)) out.add(textRun)
  return out
}

interface PicturePage {
  height: number
  pictures: readonly Picture[]
}

/** Letterheads, ornaments: at the same position on most pages; at the edge, copies may have different data. */
export function runningPictures(pages: readonly PicturePage[]): Set<Picture> {
  const all = new Set<Picture>()
  if (pages.length < minPattern) return all
  const groups = Map.groupBy(
    pages.flatMap((page) => page.pictures),
    (p) => placeOf(p) + p.likeness,
  )
  const places = new Set<string>()
  for (const group of groups.values()) {
    if (group.length < Math.max(minPattern, clearMajority * pages.length)) continue
    places.add(placeOf(elementAt(group, 0)))
    for (const p of group) all.add(p)
  }
  for (const { height, pictures } of pages)
    for (const p of pictures)
      if (places.has(placeOf(p)) && (p.box.y1 < edge * height || p.box.y0 > (1 - edge) * height)) all.add(p)
  return all
}

const placeOf = ({ box }: Picture): string =>
  `${[box.x0, box.y0, box.x1, box.y1].map((v) => Math.round(v / samePosition)).join()} `
