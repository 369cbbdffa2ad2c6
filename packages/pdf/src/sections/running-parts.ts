import { type Context, columnBlocks } from '../blocks/assemble.ts'
import type { Block, Paragraph } from '../blocks/block.ts'
import { emptyParagraph } from '../blocks/empty-paragraph.ts'
import { addBorders } from '../blocks/rules.ts'
import { measureGaps } from '../blocks/spacing.ts'
import { elementAt } from '../element-at.ts'
import { heaviest } from '../geometry.ts'
import { inOrder } from '../layout/layout.ts'
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

const none: RunningParts = { header: [], footer: [] }

export function buildRunning(input: RunningInput): Running {
  const pages = input.frames.length
  const keyOf = (page: number): string =>
    [input.header[page] ?? [], input.footer[page] ?? []]
      .map((textRuns) =>
        textRuns
          .map((p) => masked(p.text))
          .sort()
          .join('|'),
      )
      .join('//')
  const keys = Array.from({ length: pages }, (_, i) => `${keyOf(i)}//${input.pictures[i]?.length ?? 0}`)
  const partsOf = (page: number): RunningParts => ({
    header: withPictures(
      build(input.header[page] ?? [], page, input, pages),
      input.pictures[page] ?? [],
      page,
    ),
    footer: build(input.footer[page] ?? [], page, input, pages),
  })
  const rest = keys.slice(1)
  const oddIndex = commonest(rest.filter((_, i) => i % 2 === 1))
  const evenIndex = commonest(rest.filter((_, i) => i % 2 === 0))
  const pageWith = (key: string | undefined, odd: boolean): number =>
    keys.findIndex((k, i) => k === key && i > 0 && (i % 2 === 0) === odd)
  const firstNumber = 1 + (numbersThatCount(input) ?? 0)
  if (pages < 2) return { usual: partsOf(0), first: undefined, even: undefined, firstNumber: 1 }
  const alternating =
    pages >= surePattern &&
    oddIndex !== undefined &&
    evenIndex !== undefined &&
    oddIndex !== evenIndex &&
    share(
      rest.filter((_, i) => i % 2 === 0),
      evenIndex,
    ) > clearMajority
  const usualKey = alternating ? oddIndex : commonest(pages > 2 ? rest : keys)
  let usualPage = alternating
    ? pageWith(oddIndex, true)
    : keys.findIndex((k, i) => k === usualKey && (i > 0 || pages === 2))
  if (usualPage < 0) usualPage = keys.indexOf(usualKey ?? '')
  const usual = usualPage >= 0 ? partsOf(usualPage) : none
  const firstDiffers = keys[0] !== usualKey
  return {
    usual,
    first: firstDiffers ? partsOf(0) : undefined,
    even: alternating ? partsOf(pageWith(evenIndex, false)) : undefined,
    firstNumber,
  }
}

function withPictures(blocks: Block[], pictures: readonly Picture[], page: number): Block[] {
  if (pictures.length === 0) return blocks
  const host =
    blocks.find((b): b is Paragraph => b.kind === 'paragraph') ??
    emptyParagraph(elementAt(pictures, 0).box, page, undefined)
  host.pictures.push(...pictures.map((picture) => ({ picture, placement: 'behind' as const })))
  return blocks.includes(host) ? blocks : [host, ...blocks]
}

const share = (keys: readonly string[], key: string): number =>
  keys.filter((k) => k === key).length / Math.max(1, keys.length)

const commonest = (keys: readonly string[]): string | undefined => heaviest(keys.map((key) => [key, 1]))

function build(textRuns: readonly TextRun[], page: number, input: RunningInput, pages: number): Block[] {
  if (textRuns.length === 0) return []
  const frame = elementAt(input.frames, page)
  const sides = { x0: frame.left, x1: frame.right }
  const items = inOrder(textRuns.map((textRun) => ({ box: textRun.box, textRun })))
  const box = { x0: frame.left, x1: frame.right, y0: 0, y1: 0 }
  const placed = { frame: sides, column: { box, items }, page, first: { page: false, band: true } }
  const spaced = measureGaps(columnBlocks(placed, input.context), undefined)
  const blocks = addBorders(spaced, input.rules[page] ?? [], sides)
  for (const block of blocks) if (block.kind === 'paragraph') markNumbers(block, page, pages, input)
  return blocks
}

/** Digits that change from page to page are the page number. */
function markNumbers(p: Paragraph, page: number, pages: number, input: RunningInput): void {
  const candidates = numbersThatCount(input)
  const offset = candidates ?? 0
  for (const run of p.runs)
    run.text = run.text
      .replace(new RegExp(`(?<![\\p{L}\\d.,])${page + 1 + offset}(?![.,]\\d)(?![\\p{L}\\d])`, 'u'), pageMark)
      .replace(new RegExp(`(?<=(?:of|von|de|/|из|z|sur|di|共)\\s*)${pages}(?!\\d)`, 'u'), pagesMark)
}

/** Difference between printed page numbers and page indexes, if a number on every page increases with the index. */
function numbersThatCount(input: RunningInput): number | undefined {
  const votes = new Map<number, number>()
  for (const [page] of input.frames.entries()) {
    const text = [...(input.header[page] ?? []), ...(input.footer[page] ?? [])].map((p) => p.text).join(' ')
    for (const m of text.matchAll(/\d{1,5}/g)) {
      const d = Number(m[0]) - (page + 1)
      votes.set(d, (votes.get(d) ?? 0) + 1)
    }
  }
  const best = [...votes.entries()].sort((a, b) => b[1] - a[1])[0]
  return best && best[1] >= 2 ? best[0] : undefined
}
