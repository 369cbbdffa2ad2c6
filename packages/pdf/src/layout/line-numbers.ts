import { elementAt } from '../element-at.ts'
import type { TextRun } from '../lines/line.ts'
import { rowsOf } from '../lines/line-rows.ts'
import { splitBefore } from '../lines/split-text-run.ts'
import { clearMajority, majority, samePosition, several, sizeableShare } from '../tolerances.ts'

// Numbers of the lines of manuscripts, court papers and listings are no text: consecutive numbers before consecutive
// lines. Those of a list or of the rows of a table are, so the lines must be code or running text.

/** A list may have fewer one-line items of which some begin with a small letter. */
const fewestOfText = 10
/** In characters: cells and items are shorter. */
const halfLine = 40

interface NumberedLine {
  number: TextRun
  text: TextRun[]
}

export function withoutLineNumbers(textRuns: readonly TextRun[], fixedIsCode: boolean): readonly TextRun[] {
  if (textRuns.filter((p) => startsWithNumber(p)).length < several) return textRuns
  const owners = new Map(textRuns.map((p) => [p.words[0], p]))
  const gone = new Set<TextRun>()
  const cut: TextRun[] = []
  let counted: NumberedLine[] = []
  const close = (): void => {
    if (!areLines(counted, fixedIsCode)) return
    for (const { number, text } of counted) {
      const whole = owners.get(elementAt(number.words, 0))
      if (whole) gone.add(whole)
      if (whole !== number) cut.push(elementAt(text, 0))
    }
  }
  for (const row of rowsOf(textRuns)) {
    const [first, ...others] = row.textRuns
    const [start, ...rest] = first ? splitBefore(first, (_, before) => before === first.words[0]) : []
    const line = start && isNumber(start.text) ? { number: start, text: [...rest, ...others] } : undefined
    const last = counted.at(-1)
    if (line && last && follows(last.number, line.number)) counted.push(line)
    else {
      close()
      counted = line ? [line] : []
    }
  }
  close()
  return [...textRuns.filter((p) => !gone.has(p)), ...cut]
}

const isNumber = (text: string): boolean => /^\d{1,4}$/.test(text.trim())
const startsWithNumber = ({ words: [first] }: TextRun): boolean => isNumber(first?.text ?? '')

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
