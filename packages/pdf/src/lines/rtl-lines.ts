import type { TextRun } from './line.ts'

// Lines of Arabic and Hebrew that hold several text runs.

/** Most letters do. Numbers and signs have no direction: they are labels of items, or follow the text. */
export function runsFromRight(textRuns: readonly TextRun[]): boolean {
  const letters = (rtl: boolean): number =>
    textRuns
      .filter((p) => p.rtl === rtl)
      .reduce((sum, { text }) => sum + text.replace(/\P{L}/gu, '').length, 0)
  return letters(true) > letters(false)
}

/** A number or letter with the sign behind it, as painted from the left: the sign is on the left, and brackets are mirrored. */
const paintedLabel = /^([.(])([\p{N}a-z]{1,5})$/iu

/** A label alone shows no direction: it is read as its line is. */
export function asInRtlLine(textRun: TextRun): TextRun {
  const [, sign, number] = paintedLabel.exec(textRun.text) ?? []
  const [span] = textRun.spans
  const [word] = textRun.words
  if (!sign || !number || !span || !word) return textRun
  const text = `${number}${sign === '(' ? ')' : sign}`
  return { ...textRun, text, spans: [{ ...span, text }], words: [{ ...word, text }] }
}
