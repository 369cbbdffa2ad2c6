import type { TextRun } from './line.ts'

// Groups text runs into lines of the page. All stages use this module, so that they see the same lines.

/** Maximum difference of baselines in one line, in points and in ems: cells and labels are positioned separately. */
export const sameLine = 1.2
const sameLineInEms = 0.22

interface OnLine {
  baseline: number
  size: number
}

export interface LineRow extends OnLine {
  textRuns: TextRun[]
}

export const isSameLine = (a: OnLine, b: OnLine): boolean =>
  Math.abs(a.baseline - b.baseline) <= Math.max(sameLine, sameLineInEms * Math.min(a.size, b.size))

/** Rows from top to bottom, each from left to right. */
export function rowsOf(textRuns: readonly TextRun[]): LineRow[] {
  const rows: LineRow[] = []
  for (const textRun of textRuns.filter((p) => p.turn === 0).sort((a, b) => a.baseline - b.baseline)) {
    const last = rows.at(-1)
    if (last && isSameLine(last, textRun)) last.textRuns.push(textRun)
    else rows.push({ baseline: textRun.baseline, size: textRun.size, textRuns: [textRun] })
  }
  for (const row of rows) row.textRuns.sort((a, b) => a.box.x0 - b.box.x0)
  return rows
}
