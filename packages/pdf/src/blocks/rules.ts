import type { Rule } from '../read/page.ts'
import { majority, samePosition } from '../tolerances.ts'
import { tailOfLetters, usualAscent } from '../typography.ts'
import type { Block, Paragraph } from './block.ts'
import type { Frame } from './paragraphs.ts'

// A rule across the column becomes a border of the paragraph above it, or else of the one below.

/** Maximum distance of a rule below a baseline; above it, an em more, because glyphs extend upwards; in ems. */
const linesBelow = 2
const reachBelow = (size: number): number => linesBelow * size
const reachAbove = (size: number): number => (linesBelow + 1) * size

/** A thicker rule is a bar, and rules that are closer are a double border; in points. */
const thickest = 5
/** How much borders may extend into the margins, in points. */
const outside = 25

interface RunningLine {
  baseline: number
  size: number
}

/** Excludes the rules that separate running headers and footers from the text: they are borders of those. */
export const textRules = (
  rules: readonly Rule[],
  header: readonly RunningLine[],
  footer: readonly RunningLine[],
): Rule[] =>
  rules.filter(
    ({ at }) =>
      !header.some((p) => at < p.baseline + reachBelow(p.size)) &&
      !footer.some((p) => at > p.baseline - reachAbove(p.size)),
  )

/** Borders are as wide as their paragraph: a single line gives up its indents, and a first-line indent holds it. */
function widenTo(p: Paragraph, left: number, right: number): void {
  if (p.lines > 1 || p.label || p.rtl || p.align === 'center') return
  const from = Math.max(0, left)
  const more = p.left - from
  if (more > samePosition) {
    p.left = from
    if (p.align === 'left') p.first += more
  }
  if (p.align === 'left' && p.right - right > samePosition) p.right = Math.max(0, right)
}

export function addBorders(blocks: Block[], rules: readonly Rule[], frame: Frame): Block[] {
  const paragraphs = blocks.filter((b): b is Paragraph => b.kind === 'paragraph' && b.text !== '')
  const wide = frame.x1 - frame.x0
  const lines = rules
    .filter(
      (r) =>
        r.horizontal &&
        !r.weak &&
        r.thickness <= thickest &&
        r.from > frame.x0 - outside &&
        r.to < frame.x1 + outside,
    )
    .filter((r) => r.to - r.from > majority * wide)
    .sort((a, b) => a.at - b.at)
  let last = -Infinity
  for (const rule of lines) {
    // A double rule is one border.
    if (rule.at - last < thickest) continue
    const border = { width: rule.thickness, color: rule.color }
    const above = paragraphs.findLast(
      (p) => p.lastBaseline < rule.at + 1 && rule.at - p.lastBaseline < reachBelow(p.size),
    )
    const below = paragraphs.find(
      (p) => p.firstBaseline > rule.at && p.firstBaseline - rule.at < reachAbove(p.size),
    )
    const host = above ?? below
    if (host) widenTo(host, rule.from - frame.x0, frame.x1 - rule.to)
    if (above) {
      const space = Math.max(0, rule.at - above.lastBaseline - tailOfLetters * above.size)
      above.borders = { ...above.borders, bottom: border }
      above.borderSpace = {
        ...above.borderSpace,
        bottom: space,
      }
      // The border takes its height from the space below it.
      const next = blocks[blocks.indexOf(above) + 1]
      if (next) next.before = Math.max(0, next.before - space - rule.thickness)
      last = rule.at
    } else if (below) {
      below.borders = { ...below.borders, top: border }
      below.borderSpace = {
        ...below.borderSpace,
        top: Math.max(0, below.firstBaseline - usualAscent * below.size - rule.at),
      }
      below.before = Math.max(0, below.before - (below.borderSpace.top ?? 0))
      last = rule.at
    }
  }
  return blocks
}
