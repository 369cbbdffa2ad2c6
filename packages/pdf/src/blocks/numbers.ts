// Parses number labels: format, value and notation.

export interface NumberLabel {
  format: 'decimal' | 'lowerLetter' | 'upperLetter' | 'lowerRoman' | 'upperRoman'
  value: number
  /** Characters before and after the number. */
  prefix: string
  suffix: string
}

/** The code point before "a". */
const beforeA = 0x60
const romanDigits: Record<string, number> = { i: 1, v: 5, x: 10, l: 50, c: 100 }

export function romanValue(text: string): number | undefined {
  const lower = text.toLowerCase()
  if (!/^(?:x{0,3})(?:ix|iv|v?i{0,3})$|^l?x{0,3}(?:ix|iv|v?i{0,3})$/.test(lower) || lower === '')
    return undefined
  let sum = 0
  for (let i = 0; i < lower.length; i++) {
    const v = romanDigits[lower[i] as string] as number
    const next = romanDigits[lower[i + 1] as string] ?? 0
    sum += v < next ? -v : v
  }
  return sum
}

/** All interpretations of a label: `i.` is a letter and a Roman numeral. */
export function readNumber(label: string): NumberLabel[] {
  // Chinese and Japanese use full-width digits and brackets.
  const m = /^([([]?)((?:\d{1,3}\.)*)(\d{1,3}|[A-Za-z]|[ivxlcIVXLC]{2,6})([.)\]、]?\)?)$/.exec(
    label.normalize('NFKC'),
  )
  if (!m) return []
  const [, open = '', parents = '', core = '', close = ''] = m
  const prefix = open + parents
  if (/^\d+$/.test(core))
    return parents === '' && close === ''
      ? []
      : [{ format: 'decimal', value: Number(core), prefix, suffix: close }]
  // A bare `o` is a bullet.
  if (close === '' && (core.length > 1 || /o/i.test(core))) return []
  const out: NumberLabel[] = []
  const upper = core === core.toUpperCase()
  if (core.length === 1)
    out.push({
      format: upper ? 'upperLetter' : 'lowerLetter',
      value: core.toLowerCase().charCodeAt(0) - beforeA,
      prefix,
      suffix: close,
    })
  const roman = romanValue(core)
  if (roman !== undefined)
    out.push({ format: upper ? 'upperRoman' : 'lowerRoman', value: roman, prefix, suffix: close })
  return out
}

/** Whether the second number follows the first, in the same notation. */
export const isNext = (a: NumberLabel, b: NumberLabel): boolean =>
  a.format === b.format && a.prefix === b.prefix && a.suffix === b.suffix && b.value === a.value + 1
