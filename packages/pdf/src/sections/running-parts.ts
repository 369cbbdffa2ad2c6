import { type Context, columnBlocks } from '../blocks/assemble.ts'
import { type Block, emptyParagraph, type Paragraph } from '../blocks/block.ts'
import { addBorders } from '../blocks/rules.ts'
import { measureGaps } from '../blocks/spacing.ts'
import { elementAt } from '../element-at.ts'
import { heaviest } from '../geometry.ts'
import { inOrder } from '../layout/layout.ts'
import { looseOf } from '../layout/rows.ts'
import { masked } from '../layout/running.ts'
import type { TextRun } from '../lines/line.ts'
import { pageMark, pagesMark } from '../marks.ts'
import type { Picture, Rule } from '../read/page.ts'
import { clearMajority, surePattern } from '../tolerances.ts'
import type { PageFrame } from './frames.ts'
import type { Running, RunningParts } from './section.ts'

// Reduces the running headers and footers of all pages to the kinds of Word: default, first page, even pages.

export interface RunningInput {
  header: readonly TextRun[][]
  footer: readonly TextRun[][]
  frames: readonly PageFrame[]
  context: Context
  rules: readonly (readonly Rule[])[]
  /** Per page: pictures that are on most pages. */
  pictures: readonly (readonly Picture[])[]
}

/** Pages are of one kind if their texts are equal except for digits. */
function kindOf({ header, footer, pictures }: RunningInput, page: number): string {
  const texts = [header, footer].map((textRuns) => (textRuns[page] ?? []).map((p) => masked(p.text)).sort())
  return JSON.stringify([...texts, pictures[page]?.length ?? 0])
}

export function buildRunning(input: RunningInput): Running {
  const kinds = input.frames.map((_, page) => kindOf(input, page))
  const offset = pageOffset(input)
  const partsOf = (page: number): RunningParts => ({
    header: withPictures(build('header', page, input, offset), input.pictures[page] ?? [], page),
    footer: build('footer', page, input, offset),
  })
  if (kinds.length < 2) return { usual: partsOf(0), first: undefined, even: undefined, firstNumber: 1 }
  const onSide = (odd: boolean): string[] => kinds.filter((_, i) => i > 0 && (i % 2 === 0) === odd)
  const [odd, even] = [heaviestKind(onSide(true)), heaviestKind(onSide(false))]
  const alternates =
    kinds.length >= surePattern &&
    odd !== even &&
    onSide(false).filter((kind) => kind === even).length > clearMajority * onSide(false).length
  const usual = alternates ? odd : heaviestKind(kinds.length > 2 ? kinds.slice(1) : kinds)
  const pageWith = (kind: string | undefined, fits: (page: number) => boolean): number =>
    Math.max(
      0,
      kinds.findIndex((own, page) => own === kind && fits(page)),
    )
  return {
    usual: partsOf(
      pageWith(usual, (page) => (alternates ? page > 0 && page % 2 === 0 : page > 0 || kinds.length === 2)),
    ),
    first: kinds[0] === usual ? undefined : partsOf(0),
    even: alternates ? partsOf(pageWith(even, (page) => page % 2 === 1)) : undefined,
    firstNumber: 1 + offset,
  }
}

const heaviestKind = (kinds: readonly string[]): string | undefined =>
  heaviest(kinds.map((kind) => [kind, 1]))

function withPictures(blocks: Block[], pictures: readonly Picture[], page: number): Block[] {
  if (pictures.length === 0) return blocks
  const host =
    blocks.find((b): b is Paragraph => b.kind === 'paragraph') ??
    emptyParagraph(elementAt(pictures, 0).box, page, undefined)
  host.pictures.push(...pictures.map((picture) => ({ picture, placement: 'behind' as const })))
  return blocks.includes(host) ? blocks : [host, ...blocks]
}

function build(part: 'header' | 'footer', page: number, input: RunningInput, offset: number): Block[] {
  const textRuns = input[part][page] ?? []
  if (textRuns.length === 0) return []
  const frame = elementAt(input.frames, page)
  const sides = { x0: frame.left, x1: frame.right }
  const items = inOrder(looseOf({ textRuns }))
  const spaced = measureGaps(columnBlocks({ frame: sides, items, page }, input.context), undefined)
  const blocks = addBorders(spaced, input.rules[page] ?? [], sides)
  for (const block of blocks)
    if (block.kind === 'paragraph') markNumbers(block, page + 1 + offset, input.frames.length)
  return blocks
}

/** Digits that change from page to page are the page number. */
function markNumbers(p: Paragraph, number: number, pages: number): void {
  for (const run of p.runs)
    run.text = run.text
      .replace(new RegExp(`(?<![\\p{L}\\d.,])${number}(?![.,]\\d)(?![\\p{L}\\d])`, 'u'), pageMark)
      .replace(new RegExp(`(?<=(?:of|von|de|/|из|z|sur|di|共)\\s*)${pages}(?!\\d)`, 'u'), pagesMark)
}

/** Difference between printed page numbers and page indexes, if a number on two pages increases with the index. */
function pageOffset({ frames, header, footer }: RunningInput): number {
  const offsets = frames.flatMap((_, page) => {
    const text = [...(header[page] ?? []), ...(footer[page] ?? [])].map((p) => p.text).join(' ')
    return [...text.matchAll(/\d{1,5}/g)].map(([number]) => Number(number) - (page + 1))
  })
  const usual = heaviest(offsets.map((offset) => [offset, 1])) ?? 0
  return offsets.filter((offset) => offset === usual).length >= 2 ? usual : 0
}
