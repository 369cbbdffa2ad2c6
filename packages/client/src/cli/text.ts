// Formats text and numbers for a terminal.

/** Names and messages are untrusted: control characters in them must not reach the terminal. */
export const harmless = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern is meant to match control characters
  text.replace(/[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '?')

const units = ['B', 'KB', 'MB', 'GB', 'TB']

export function sizeText(bytes: number): string {
  let value = bytes
  let unit = 0
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1024
    unit++
  }
  const digits = unit === 0 || value >= 99.95 ? 0 : 1
  return `${value.toFixed(digits)} ${units[unit]}`
}

export const secondsText = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(1)} s`

// Chinese, Japanese, Korean and emoji take two columns.
const wide =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u
const noWidth = /\p{Mn}|\p{Me}|\p{Cf}|\p{Variation_Selector}/u

export const columnsOf = (text: string): number =>
  [...text].reduce((sum, character) => sum + (noWidth.test(character) ? 0 : wide.test(character) ? 2 : 1), 0)

/** Shortened in the middle: the end of a file name identifies it better. */
export function fit(text: string, columns: number): string {
  if (columnsOf(text) <= columns) return text + ' '.repeat(columns - columnsOf(text))
  const characters = [...text]
  const half = Math.floor((columns - 1) / 2)
  const head = takeColumns(characters, columns - 1 - half)
  const tail = takeColumns(characters.reverse(), half)
  return fit(`${head.join('')}…${tail.reverse().join('')}`, columns)
}

function takeColumns(characters: readonly string[], columns: number): string[] {
  const taken: string[] = []
  let used = 0
  for (const character of characters) {
    used += columnsOf(character)
    if (used > columns) break
    taken.push(character)
  }
  return taken
}

/** Lines of columns, each as wide as its widest cell. */
export function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => columnsOf(row[column] ?? ''))),
  )
  const line = (row: readonly string[]) => row.map((cell, at) => fit(cell, widths[at] ?? 0)).join('  ')
  return rows.map((row) => `${line(row).trimEnd()}\n`).join('')
}
