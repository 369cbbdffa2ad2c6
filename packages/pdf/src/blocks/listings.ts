import { elementAt } from '../element-at.ts'
import { median } from '../geometry.ts'
import { usualPitch } from '../tolerances.ts'
import type { Block, Paragraph } from './block.ts'

// Merges adjacent paragraphs of code into listings and restores blank lines.

/** A block, or a listing that begins with it. */
export interface BlockOrListing {
  block: Block
  /** The text of the listing. */
  listing?: string
}

/** A step of more pitches than this is not between adjacent lines: there is a blank line, or another listing begins. */
const farStep = 1.6
/** A step that differs by more from a whole number of lines, in lines, separates two listings. */
const offLine = 0.1
/** The tolerance if no lines show the pitch of the listing: every distance is accepted. */
const offGuessedLine = 0.5
/** Maximum number of blank lines in a listing, for files that set lines almost on top of each other. */
const maxBlank = 40

const isCode = (block: Block | undefined): block is Paragraph =>
  block?.kind === 'paragraph' && block.code !== undefined && block.pictures.length === 0

export function* joinListings(blocks: readonly Block[]): Generator<BlockOrListing> {
  const ratio = usualRatio(blocks)
  let run: Paragraph[] = []
  for (const block of [...blocks, undefined]) {
    if (isCode(block)) {
      run.push(block)
      continue
    }
    for (const parts of partRun(run, ratio))
      yield { block: elementAt(parts, 0).paragraph, listing: writeLines(parts) }
    run = []
    if (block) yield { block }
  }
}

/** Part of a listing, with the number of blank lines before it. */
interface ListingPart {
  paragraph: Paragraph
  blank: number
}

function writeLines(parts: readonly ListingPart[]): string {
  const lines = parts.flatMap(({ paragraph, blank }) =>
    (paragraph.code ?? []).map((line, i) => ({ ...line, blank: i === 0 ? blank : 0 })),
  )
  const minColumn = lines.reduce((a, { column }) => Math.min(a, column), Infinity)
  return lines
    .map(({ column, runs, blank }) => {
      const text = ' '.repeat(column - minColumn) + runs.map((r) => r.text).join('')
      return '\n'.repeat(blank) + text.trimEnd()
    })
    .join('\n')
}

function partRun(run: readonly Paragraph[], ratio: number | undefined): ListingPart[][] {
  const { pitch, off } = pitchOf(run, ratio)
  const out: ListingPart[][] = []
  for (const [i, paragraph] of run.entries()) {
    const before = run[i - 1]
    // Lines on another page or in another column follow directly.
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

/** The line pitch: a mean, because browsers align lines to pixels, without steps that contain blank lines. */
function pitchOf(run: readonly Paragraph[], ratio: number | undefined): { pitch: number; off: number } {
  const steps = run
    .slice(1)
    .map((p, i) => p.firstBaseline - (run[i]?.lastBaseline ?? 0))
    .filter((step) => step > 0)
    .map((height) => ({ height, count: 1 }))
  const all = [...run.flatMap(spanOf), ...steps]
  // If no other listing contradicts, steps of several lines are taken as they are.
  const ratioOrUsual = ratio ?? (all.length > 1 ? Infinity : usualPitch)
  const usual = ratioOrUsual * (run[0]?.size ?? 1)
  const minPitch = all.reduce((a, { height, count }) => Math.min(a, height / count), usual)
  const near = all.filter(({ height, count }) => height / count <= farStep * minPitch)
  const count = near.reduce((sum, own) => sum + own.count, 0)
  return count > 0
    ? { pitch: near.reduce((sum, own) => sum + own.height, 0) / count, off: offLine }
    : { pitch: usual, off: offGuessedLine }
}

const spanOf = ({ lines, firstBaseline, lastBaseline }: Paragraph): { height: number; count: number }[] =>
  lines > 1 && lastBaseline > firstBaseline
    ? [{ height: lastBaseline - firstBaseline, count: lines - 1 }]
    : []

/** The median ratio of line pitch to font size over all listings. */
function usualRatio(blocks: readonly Block[]): number | undefined {
  const ratios = blocks
    .filter(isCode)
    .flatMap((p) => spanOf(p).map(({ height, count }) => height / count / p.size))
  return ratios.length > 0 ? median(ratios) : undefined
}
