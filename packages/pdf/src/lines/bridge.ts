import { union } from '../geometry.ts'
import type { Picture } from '../read/page.ts'
import { middleOfLetters } from '../typography.ts'
import type { TextRun } from './line.ts'
import { isSameLine } from './line-rows.ts'

// Text that runs around a picture on both sides is one line with the picture in its gap.

/** Sizes of one line differ by rounding alone, in points. */
const sameSize = 0.6
/** A frame keeps text off by up to a line above and below its picture, in ems. */
const frameReach = 1.2
/** Text may overlap the edge of a picture by its transparent rim, in points. */
const rim = 4
/** A picture that text runs around fills most of the gap; in a narrower share it merely stands between columns. */
const leastShareOfGap = 0.55
/** One line beside a picture on each side may be chance. */
const leastLinesBeside = 2

export function bridgePictures(textRuns: readonly TextRun[], pictures: readonly Picture[]): TextRun[] {
  if (pictures.length === 0) return [...textRuns]
  const out = [...textRuns].sort((a, b) => a.baseline - b.baseline || a.box.x0 - b.box.x0)
  for (let i = 0; i < out.length; i++) {
    const left = out[i] as TextRun
    if (left.rtl) continue
    const j = out.findIndex(
      (right, k) =>
        k !== i &&
        isSameLine(left, right) &&
        Math.abs(right.size - left.size) < sameSize &&
        right.box.x0 > left.box.x1 &&
        pictures.some((p) => inGap(p, left, right)) &&
        wrapsAround(out, pictures, left, right),
    )
    if (j < 0) continue
    const right = out[j] as TextRun
    out[i] = {
      ...left,
      box: union([left.box, right.box]),
      spans: [
        ...left.spans.slice(0, -1),
        ...left.spans.slice(-1).map((s) => ({ ...s, text: `${s.text.trimEnd()} ` })),
        ...right.spans,
      ],
      text: `${left.text.trimEnd()} ${right.text}`,
      words: [...left.words, ...right.words],
    }
    out.splice(j, 1)
    if (j < i) i--
  }
  return out
}

function inGap(picture: Picture, left: TextRun, right: TextRun): boolean {
  const { box } = picture
  const gap = right.box.x0 - left.box.x1
  const y = left.baseline - middleOfLetters * left.size
  // The frame around a picture keeps text off a little above and below as well.
  if (y < box.y0 - frameReach * left.size || y > box.y1 + frameReach * left.size) return false
  return box.x0 > left.box.x1 - rim && box.x1 < right.box.x0 + rim && box.x1 - box.x0 > leastShareOfGap * gap
}

/** Both sides end and begin near the picture on most lines: two columns would not. */
function wrapsAround(
  all: readonly TextRun[],
  pictures: readonly Picture[],
  left: TextRun,
  right: TextRun,
): boolean {
  const picture = pictures.find((p) => inGap(p, left, right))
  if (!picture) return false
  const { box } = picture
  const beside = all.filter((p) => p.baseline > box.y0 && p.baseline < box.y1 + left.size)
  const lefts = beside.filter((p) => p.box.x1 <= box.x0 + rim)
  const rights = beside.filter((p) => p.box.x0 >= box.x1 - rim)
  const above = all.some((p) => p.box.x0 < box.x0 && p.box.x1 > box.x1)
  return above && lefts.length >= leastLinesBeside && rights.length >= leastLinesBeside
}
