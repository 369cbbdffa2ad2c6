import type { Block } from '../blocks/block.ts'
import { median } from '../geometry.ts'
import { majority } from '../tolerances.ts'
import type { BandShape } from './bands.ts'
import { type Section, type SectionColumn, unseenAtTop } from './section.ts'

// Groups consecutive bands of the same page size and columns into sections.

/** Tolerance for equal columns of two pages, in points. */
const sameColumn = 25
/** Half an inch, Word's default, between the edge of the paper and running headers and footers; in points. */
const usualRunning = 36
/** Maximum height of an empty line, in points. */
const emptyLine = 18
/** In points, of the bottom margin: little if text flows on, more if each page starts with a break, at most half. */
const slackOfFlow = 3.5
const slackOfPage = 30
/** Minimum widths of columns and gutters in Word, in points. */
const narrowestColumn = 20
const narrowestGap = 4

export interface BandBlocks extends BandShape {
  blocks: Block[]
  /** Begins inside a paragraph of the previous band. */
  goesOn?: boolean
}

export function buildSections(bands: readonly BandBlocks[]): Section[] {
  // A band whose entire text became footnotes is empty.
  const filled = bands.filter((b) => b.blocks.length > 0)
  const groups = groupBands(filled.length > 0 ? filled : bands.slice(0, 1))
  const running = runningDistances(bands)
  let last: BandBlocks | undefined
  const sections = groups.map((own): Section => {
    const [band] = own as [BandBlocks]
    const samePage = last?.page === band.page
    const sameSize = last?.frame === band.frame
    // A change of columns at the top of a page still starts that page.
    const start = samePage ? 'continuous' : 'page'
    const [first, ...others] = own.flatMap((b) => b.blocks)
    // The first block of a page needs no break: the section begins the page.
    const starts = start === 'page' && first && (first.before < unseenAtTop || last === undefined)
    last = own.at(-1)
    return {
      page: band.size,
      margins: marginsOf(band, runningDistances(own), running),
      columns: columnsOf(band),
      rtl: isFromRight(band),
      start: sameSize || samePage ? start : 'page',
      blocks: starts ? [{ ...first, startsPage: false }, ...others] : own.flatMap((b) => b.blocks),
    }
  })
  return sections.map(withSlack)
}

function groupBands(bands: readonly BandBlocks[]): BandBlocks[][] {
  const out: BandBlocks[][] = []
  for (const band of bands) {
    const group = out.at(-1)
    const last = group?.at(-1)
    if (group && last && sameShape(last, band)) group.push(band)
    else out.push([band])
  }
  return out
}

function sameShape(a: BandBlocks, b: BandBlocks): boolean {
  if (a.band.columns.length !== b.band.columns.length) return false
  // A section cannot begin inside a paragraph: a break after it would separate content of one page.
  if (a.frame !== b.frame && !(b.goesOn && isSameSize(a.size, b.size))) return false
  if (a.band.columns.length === 1) return true
  if (a.page === b.page) return false
  return a.band.columns.every((c, i) => Math.abs(c.box.x0 - (b.band.columns[i]?.box.x0 ?? 0)) < sameColumn)
}

const isSameSize = (a: BandShape['size'], b: BandShape['size']): boolean =>
  a.width === b.width && a.height === b.height

interface Distances {
  header?: number
  footer?: number
}

/** Distances between the edge of the paper and the running headers and footers of most pages that have any. */
function runningDistances(bands: readonly BandBlocks[]): Distances {
  const headers = bands.flatMap((b) => b.headerTop ?? [])
  const footers = bands.flatMap((b) => (b.footerBottom === undefined ? [] : b.size.height - b.footerBottom))
  return {
    ...(headers.length > 0 ? { header: median(headers) } : {}),
    ...(footers.length > 0 ? { footer: Math.max(0, median(footers)) } : {}),
  }
}

function marginsOf(band: BandBlocks, own: Distances, usual: Distances): Section['margins'] {
  const { frame, size } = band
  const bottom = Math.max(0, size.height - frame.bottom)
  // Word moves text that begins above the end of the running header; a section without one has an empty line there.
  const beside = (side: keyof Distances, margin: number): number => {
    const distance = own[side] ?? usual[side]
    const line = own[side] === undefined ? emptyLine : 0
    return distance !== undefined && distance + line < margin ? distance : Math.min(usualRunning, margin / 2)
  }
  return {
    top: frame.top,
    bottom,
    left: frame.left,
    right: Math.max(0, size.width - frame.right),
    header: beside('header', frame.top),
    footer: beside('footer', bottom),
  }
}

/**
 * Lines that are set slightly differently must not spill over to another page. If every page starts with a break, more
 * of the margin can be used; if text flows on, this would change the page breaks.
 */
function withSlack(section: Section): Section {
  const pages = new Set(section.blocks.map((b) => b.page))
  const breaks = section.blocks.filter((b) => b.startsPage).length
  const flows = pages.size - 1 > breaks || section.columns.length > 1
  const { margins } = section
  const slack = Math.min(flows ? slackOfFlow : slackOfPage, majority * margins.bottom)
  return { ...section, margins: { ...margins, bottom: margins.bottom - slack } }
}

const isFromRight = ({ band: { columns } }: BandBlocks): boolean =>
  (columns[0]?.box.x0 ?? 0) > (columns.at(-1)?.box.x0 ?? 0)

function columnsOf(band: BandBlocks): SectionColumn[] {
  const { columns } = band.band
  const { frame } = band
  if (columns.length < 2) return [{ width: frame.right - frame.left, gap: 0 }]
  const edges = columns.map((c) => ({ x0: c.box.x0, x1: c.box.x1 })).sort((a, b) => a.x0 - b.x0)
  const first = edges[0]
  const final = edges.at(-1)
  if (first) first.x0 = Math.min(first.x0, frame.left)
  if (final) final.x1 = Math.max(final.x1, frame.right)
  return edges.map((e, i) => {
    const next = edges[i + 1]
    return {
      width: Math.max(narrowestColumn, e.x1 - e.x0),
      gap: next ? Math.max(narrowestGap, next.x0 - e.x1) : 0,
    }
  })
}
