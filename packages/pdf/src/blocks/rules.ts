import type { Rule } from '../read/page.ts'
import { tailOfLetters } from '../typography.ts'
import type { Block, Paragraph } from './block.ts'
import type { Frame } from './paragraphs.ts'

// A line across the column belongs to the paragraph above it, or else to the one below, as a border.

/** A shorter line ornaments a word; a border goes along most of the column. */
const shortest = 0.55

/** Letters reach up from their baseline, so a rule above them is an em further from it than one below; in ems and points. */
const linesBelow = 1.6
const pointsBelow = 4
const linesAbove = 2.6
const pointsAbove = 6
/** How far below a line, and above one, a rule still belongs to it. */
const reachBelow = (size: number): number => linesBelow * size + pointsBelow
const reachAbove = (size: number): number => linesAbove * size + pointsAbove

/** A thicker one is a bar, in points. */
const thickest = 5
/** Borders may stand out into the margins, in points. */
const outside = 25
/** The two lines of a double line are not further apart, in points. */
const doubleLine = 5
/** Height of capitals with the room that fonts leave above them, in ems. */
const heightOfLine = 0.95

interface RunningLine {
  baseline: number
  size: number
}

/** Without the rules that part the running headers and footers from the text: those are borders of the running headers and footers. */
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

/** In points: a border reaches further than its text by more than rounding. */
const furtherThanText = 2

/** Borders are as wide as their paragraph: a single line gives its indents up for them, and a first one keeps its place. */
function widenTo(p: Paragraph, left: number, right: number): void {
  if (p.lines > 1 || p.list || p.label || p.rtl || p.align === 'center') return
  const from = Math.max(0, left)
  const more = p.left - from
  if (more > furtherThanText) {
    p.left = from
    if (p.align === 'left') p.first += more
  }
  if (p.align === 'left' && p.right - right > furtherThanText) p.right = Math.max(0, right)
}

export function addBorders(blocks: readonly Block[], rules: readonly Rule[], frame: Frame): Block[] {
  const out = blocks.map((b) => ({ ...b }))
  const paragraphs = out.filter((b): b is Paragraph => b.kind === 'paragraph' && b.text !== '')
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
    .filter((r) => r.to - r.from > shortest * wide)
    .sort((a, b) => a.at - b.at)
  let last = -Infinity
  for (const rule of lines) {
    // A double line is one border.
    if (rule.at - last < doubleLine) continue
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
      // The border takes its room from the space under it.
      const next = out[out.indexOf(above) + 1]
      if (next) next.before = Math.max(0, next.before - space - rule.thickness)
      last = rule.at
    } else if (below) {
      below.borders = { ...below.borders, top: border }
      below.borderSpace = {
        ...below.borderSpace,
        top: Math.max(0, below.firstBaseline - heightOfLine * below.size - rule.at),
      }
      below.before = Math.max(0, below.before - (below.borderSpace.top ?? 0))
      last = rule.at
    }
  }
  return out
}
