import { median } from '../geometry.ts'
import { usualPitch } from '../tolerances.ts'
import type { Block, Paragraph } from './block.ts'

// Neighbours that are code belong to one listing. A blank line stands where there was one.

export interface Listing {
  text: string
  /** How many blocks it takes. */
  count: number
}

/** A step of more pitches than this is no distance of neighbouring lines: a blank line, or another listing. */
const farStep = 1.6
/** Blank lines are as high as others; what is further from whole lines than this, in lines, parts two listings. */
const offLine = 0.1
/** Without lines that show the pitch of the listing, no line deviates from it. */
const offGuessedLine = 0.5
/** More blank lines than these are another part of the page; lines that a file sets almost on each other would make any number. */
const maxBlank = 40

const isCode = (block: Block | undefined): block is Paragraph =>
  block?.kind === 'paragraph' && block.code !== undefined && block.pictures.length === 0

/** By the place of their first block. */
export function findListings(blocks: readonly Block[]): Map<number, Listing> {
  const out = new Map<number, Listing>()
  const ratio = usualRatio(blocks)
  for (let i = 0; i < blocks.length; i++) {
    const run: Paragraph[] = []
    for (let block = blocks[i]; isCode(block); block = blocks[i + run.length]) run.push(block)
    let at = i
    for (const parts of partRun(run, ratio)) {
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

function partRun(run: readonly Paragraph[], ratio: number | undefined): ListingPart[][] {
  const { pitch, off } = pitchOf(run, ratio)
  const out: ListingPart[][] = []
  for (const [i, paragraph] of run.entries()) {
    const before = run[i - 1]
    // Lines on another page or in another column follow.
    const down =
      before?.page === paragraph.page
        ? Math.max(1, (paragraph.firstBaseline - before.lastBaseline) / pitch)
        : 1
    const isFar = down > farStep
    const last = out.at(-1)
    if (!last || (isFar && Math.abs(down - Math.round(down)) > off)) out.push([{ paragraph, blank: 0 }])
    else last.push({ paragraph, blank: isFar ? Math.min(maxBlank, Math.round(down) - 1) : 0 })
  }
  return out
}

/**
 * From line to line. Browsers set lines on whole pixels, so that one step is less precise than the mean of all. A step that
 * is far for the size of the letters holds a blank line.
 */
function pitchOf(run: readonly Paragraph[], ratio: number | undefined): { pitch: number; off: number } {
  const steps = run
    .slice(1)
    .map((p, i) => p.firstBaseline - (run[i]?.lastBaseline ?? 0))
    .filter((step) => step > 0)
    .map((height) => ({ height, count: 1 }))
  const all = [...run.flatMap(spanOf), ...steps]
  // Steps of several lines that no other listing contradicts are what they are.
  const ratioOrUsual = ratio ?? (all.length > 1 ? Infinity : usualPitch)
  const usual = ratioOrUsual * (run[0]?.size ?? 1)
  const least = all.reduce((a, { height, count }) => Math.min(a, height / count), usual)
  const near = all.filter(({ height, count }) => height / count <= farStep * least)
  const count = near.reduce((sum, own) => sum + own.count, 0)
  return count > 0
    ? { pitch: near.reduce((sum, own) => sum + own.height, 0) / count, off: offLine }
    : { pitch: usual, off: offGuessedLine }
}

const spanOf = ({ lines, firstBaseline, lastBaseline }: Paragraph): { height: number; count: number }[] =>
  lines > 1 && lastBaseline > firstBaseline
    ? [{ height: lastBaseline - firstBaseline, count: lines - 1 }]
    : []

/** From line to line in ems, as most listings have it. */
function usualRatio(blocks: readonly Block[]): number | undefined {
  const ratios = blocks
    .filter(isCode)
    .flatMap((p) => spanOf(p).map(({ height, count }) => height / count / p.size))
  return ratios.length > 0 ? median(ratios) : undefined
}
