import { median } from '../geometry.ts'
import type { Block, Paragraph } from './block.ts'

// Neighbours that are program text belong to one listing. A blank line stands where there was one.

export interface Listing {
  text: string
  /** How many blocks it takes. */
  count: number
}

/** A step of more pitches than this is no distance of neighbouring lines: a blank line, or another listing. */
const farStep = 1.6
/** Blank lines are as high as others; what is further from whole lines than this, in lines, parts two listings. */
const offLine = 0.1
/** More blank lines than these are another part of the page; lines that a file sets almost on each other would make any number. */
const mostBlank = 40

const isCode = (block: Block | undefined): block is Paragraph =>
  block?.kind === 'paragraph' && block.code !== undefined && block.pictures.length === 0

/** By the place of their first block. */
export function findListings(blocks: readonly Block[]): Map<number, Listing> {
  const out = new Map<number, Listing>()
  for (let i = 0; i < blocks.length; i++) {
    const run: Paragraph[] = []
    for (let block = blocks[i]; isCode(block); block = blocks[i + run.length]) run.push(block)
    let at = i
    for (const parts of partRun(run)) {
      out.set(at, { text: writeLines(parts), count: parts.length })
      at += parts.length
    }
    i += run.length
  }
  return out
}

/** One part of a listing, and how many lines are blank before it. */
interface ListingPart {
  paragraph: Paragraph
  blank: number
}

function writeLines(parts: readonly ListingPart[]): string {
  const lines = parts.flatMap(({ paragraph, blank }) =>
    (paragraph.code ?? []).map((line, i) => ({ ...line, blank: i === 0 ? blank : 0 })),
  )
  const least = lines.reduce((a, { column }) => Math.min(a, column), Infinity)
  return lines
    .map(({ column, runs, blank }) => {
      const text = ' '.repeat(column - least) + runs.map((r) => r.text).join('')
      return '\n'.repeat(blank) + text.trimEnd()
    })
    .join('\n')
}

function partRun(run: readonly Paragraph[]): ListingPart[][] {
  const pitch = pitchOf(run)
  const out: ListingPart[][] = []
  for (const [i, paragraph] of run.entries()) {
    const before = run[i - 1]
    // What stands on another page or in another column follows.
    const down =
      before?.page === paragraph.page
        ? Math.max(1, (paragraph.firstBaseline - before.lastBaseline) / pitch)
        : 1
    const isFar = down > farStep
    const last = out.at(-1)
    if (!last || (isFar && Math.abs(down - Math.round(down)) > offLine)) out.push([{ paragraph, blank: 0 }])
    else last.push({ paragraph, blank: isFar ? Math.min(mostBlank, Math.round(down) - 1) : 0 })
  }
  return out
}

/** From line to line: programs round it, so the middle one of all steps tells. */
function pitchOf(run: readonly Paragraph[]): number {
  const steps = run
    .slice(1)
    .map((p, i) => p.firstBaseline - (run[i]?.lastBaseline ?? 0))
    .filter((step) => step > 0)
  const all = [...run.flatMap((p) => p.pitch ?? []), ...steps]
  const least = all.reduce((a, b) => Math.min(a, b), Infinity)
  const own = run.flatMap((p) => (p.lines > 1 && p.pitch !== undefined ? [p.pitch] : []))
  const near = [...own, ...steps.filter((step) => step <= farStep * least)]
  return near.length > 0 ? median(near) : least
}
