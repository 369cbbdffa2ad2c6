import { elementAt } from '../element-at.ts'
import { median } from '../geometry.ts'
import type { TextLine } from '../layout/layout.ts'
import { minPattern, rounding, sizeableShare, usualPitch } from '../tolerances.ts'
import { usualSize } from '../typography.ts'
import { textSize } from './body-look.ts'
import type { MergedLine } from './line-text.ts'

// The usual line pitch of a document.

/** Range of line pitches, from solid to double spacing, in ems. */
const solid = 0.7
const double = 2.4
/** Upper limit of the pitch of the whole document, and the default if none was measured; in ems. */
const widestGeneral = 1.6
/** A font size that was not measured gets the document's pitch, limited to the range of single spacing. */
const tightestPitch = 0.95
const widestUnseen = 1.35

export interface LinePitch {
  /** The usual line pitch for a font size, in ems; by rounded size. */
  pitch: (size: number) => number
  /** The font size of most of the text. */
  bodySize: number
}

/** Measures the usual line pitch per font size from adjacent lines that look like lines of one paragraph. */
export function measurePitch(columns: readonly (readonly TextLine[])[]): LinePitch {
  const sizeOf = ({ textRuns }: TextLine): number => textRuns[0]?.size ?? usualSize
  const steps = columns.flatMap((lines) =>
    lines.slice(1).flatMap((line, i) => {
      const above = elementAt(lines, i)
      const size = sizeOf(line)
      const step = (line.baseline - above.baseline) / size
      const isUsual = Math.abs(sizeOf(above) - size) <= rounding && step >= solid && step <= double
      return isUsual ? [{ size: Math.round(size), step }] : []
    }),
  )
  const all = steps.map(({ step }) => step)
  const lowThird = (values: readonly number[]): number => {
    const sorted = [...values].sort((a, b) => a - b)
    return sorted[Math.floor(sorted.length * sizeableShare)] ?? usualPitch
  }
  const general = all.length >= minPattern ? Math.min(lowThird(all), widestGeneral) : usualPitch
  const usual = new Map(
    [...Map.groupBy(steps, ({ size }) => size)]
      .filter(([, own]) => own.length >= minPattern)
      .map(([size, own]) => [size, lowThird(own.map(({ step }) => step))]),
  )
  return {
    bodySize: textSize(columns.flatMap((lines) => lines.flatMap((l) => l.textRuns))),
    pitch: (size) =>
      size * Math.max(tightestPitch, usual.get(Math.round(size)) ?? Math.min(general, widestUnseen)),
  }
}

export const typicalPitch = (lines: readonly MergedLine[]): number | undefined => {
  if (lines.length < 2) return undefined
  const steps = lines.slice(1).map((l, i) => l.baseline - elementAt(lines, i).baseline)
  return median(steps.filter((s) => s > 0))
}
