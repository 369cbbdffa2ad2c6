import type { TextRun } from '../lines/line.ts'
import { type LineRow, rowsOf } from '../lines/line-rows.ts'
import { splitBefore } from '../lines/split-text-run.ts'
import { clearMajority, majority, samePosition, several, sizeableShare } from '../tolerances.ts'

// Numbers of the lines of manuscripts, court papers and listings are no text: consecutive numbers before consecutive
// lines. Those of a list or of the rows of a table are, so the lines must be code or running text.

/** A list may have fewer one-line items of which some begin with a small letter. */
const fewestOfText = 10
/** In characters: cells and items are shorter. */
const halfLine = 40

interface NumberedLine {
  /** The text run that begins with the number, and what follows in it. */
  whole: TextRun
  rest: TextRun[]
  number: TextRun
  text: TextRun[]
}

export function withoutLineNumbers(textRuns: readonly TextRun[], fixedIsCode: boolean): TextRun[] {
  if (textRuns.filter(({ words: [first] }) => isNumber(first?.text ?? '')).length < several)
    return [...textRuns]
  const kept = new Map(textRuns.map((p) => [p, [p]]))
  let counted: NumberedLine[] = []
  for (const row of [...rowsOf(textRuns), undefined]) {
    const line = row && numberedLine(row)
    const last = counted.at(-1)
    if (line && last && follows(last.number, line.number)) counted.push(line)
    else {
      if (areLines(counted, fixedIsCode)) for (const { whole, rest } of counted) kept.set(whole, rest)
      counted = line ? [line] : []
    }
  }
  return textRuns.flatMap((p) => kept.get(p) ?? [])
}

function numberedLine({ textRuns: [whole, ...others] }: LineRow): NumberedLine | undefined {
  if (!whole) return undefined
  const [number, ...rest] = splitBefore(whole, (_, before) => before === whole.words[0])
  return number && isNumber(number.text) ? { whole, rest, number, text: [...rest, ...others] } : undefined
}

const isNumber = (text: string): boolean => /^\d{1,4}$/.test(text.trim())

const follows = (a: TextRun, b: TextRun): boolean =>
  Number(b.text) === Number(a.text) + 1 &&
  (Math.abs(a.box.x0 - b.box.x0) < samePosition || Math.abs(a.box.x1 - b.box.x1) < samePosition)

function areLines(rows: readonly NumberedLine[], fixedIsCode: boolean): boolean {
  const lines = rows.flatMap(({ text }) => (text.length > 0 ? [text] : []))
  const share = (test: (own: readonly TextRun[]) => boolean): number =>
    lines.filter(test).length / Math.max(1, lines.length)
  if (share((own) => own.length === 1) < majority) return false
  if (fixedIsCode && share((own) => own.every((p) => p.font.mono)) > clearMajority)
    return rows.length >= several
  // A number that is as close to its line as a word is part of it.
  const isApart = rows.every(
    ({ number, text: [first] }) => !first || first.box.x0 - number.box.x1 > number.size,
  )
  return (
    rows.length >= fewestOfText &&
    isApart &&
    share(([first]) => (first?.text.length ?? 0) > halfLine) > majority &&
    share(([first]) => /^\p{Ll}/u.test(first?.text ?? '')) > sizeableShare
  )
}
