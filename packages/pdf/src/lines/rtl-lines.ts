import type { TextRun } from './line.ts'

// Arabic and Hebrew lines of several text runs.

/** Whether most letters are right-to-left. Numbers and punctuation are labels or follow the direction of the text. */
export function runsFromRight(textRuns: readonly TextRun[]): boolean {
  const letters = (rtl: boolean): number =>
    textRuns
      .filter((p) => p.rtl === rtl)
      .reduce((sum, { text }) => sum + text.replace(/\P{L}/gu, '').length, 0)
  return letters(true) > letters(false)
}

/** A label as painted in a right-to-left line: its punctuation is on the left, and some brackets are mirrored. */
const paintedLabel = /^([.()])([\p{N}a-z]{1,5})([()]?)$/iu

/** A label alone has no direction: it takes that of its line. */
export function asInRtlLine(textRun: TextRun): TextRun {
  const [, sign, number, end] = paintedLabel.exec(textRun.text) ?? []
  const [span] = textRun.spans
  const [word] = textRun.words
  if (!sign || !number || !span || !word || (sign === '.' && end)) return textRun
  const text = `${end ? '(' : ''}${number}${sign === '.' ? sign : ')'}`
  return { ...textRun, text, spans: [{ ...span, text }], words: [{ ...word, text }] }
}
