import { elementAt } from '../element-at.ts'
import { median } from '../geometry.ts'
import type { TextLine } from '../layout/layout.ts'
import { minPattern, rounding, sizeableShare, usualPitch } from '../tolerances.ts'
import { usualSize } from '../typography.ts'
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
}

/** Measures the usual line pitch per font size from adjacent lines that look like lines of one paragraph. */
export function measurePitch(columns: readonly (readonly TextLine[])[]): LinePitch {
  const steps = new Map<number, number[]>()
  for (const lines of columns)
    for (let i = 1; i < lines.length; i++) {
      const a = elementAt(lines, i - 1)
      const b = elementAt(lines, i)
      const size = b.textRuns[0]?.size ?? usualSize
      if (Math.abs((a.textRuns[0]?.size ?? usualSize) - size) > rounding) continue
      const step = (b.baseline - a.baseline) / size
      if (step < solid || step > double) continue
      const key = Math.round(size)
      const list = steps.get(key)
      if (list) list.push(step)
      else steps.set(key, [step])
    }
  const all = [...steps.values()].flat()
  const lowThird = (values: readonly number[]): number => {
    const sorted = [...values].sort((a, b) => a - b)
    return sorted[Math.floor(sorted.length * sizeableShare)] ?? usualPitch
  }
  const general = all.length >= minPattern ? Math.min(lowThird(all), widestGeneral) : usualPitch
  const usual = new Map<number, number>()
  for (const [size, own] of steps) if (own.length >= minPattern) usual.set(size, lowThird(own))
  return {
    pitch: (size) =>
      size * Math.max(tightestPitch, usual.get(Math.round(size)) ?? Math.min(general, widestUnseen)),
  }
}

export const typicalPitch = (lines: readonly MergedLine[]): number | undefined => {
  if (lines.length < 2) return undefined
  const steps = lines.slice(1).map((l, i) => l.baseline - elementAt(lines, i).baseline)
  return median(steps.filter((s) => s > 0))
}
