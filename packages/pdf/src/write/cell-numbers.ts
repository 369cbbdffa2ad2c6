// Detects cells that are numbers. A wrong number is worse than text that the reader has to convert, so a text becomes a
// number only if it is unambiguous. `1,234` has either a thousands separator or a decimal comma: the other cells of the
// document decide, if all unambiguous ones (`12.5`, `1.234,50`, `1,234,567`) agree.

export interface CellNumber {
  value: number
  /** Number format that displays it as on the page. */
  format: string
}

type DecimalMark = '.' | ','

export function numberReader(texts: Iterable<string>): (text: string) => CellNumber | undefined {
  const proofs = new Set<DecimalMark>()
  for (const text of texts) {
    const readings = readingsOf(text)
    if (readings.length === 1 && readings[0]) proofs.add(readings[0].mark)
  }
  const [proven] = proofs.size === 1 ? proofs : []
  return (text) => {
    const [first, second] = readingsOf(text)
    if (!first || !second || first.value === second.value) return first
    return [first, second].find(({ mark }) => mark === proven)
  }
}

const digits = (group: string, mark: DecimalMark): RegExp =>
  new RegExp(`^(0|[1-9]\\d*|[1-9]\\d{0,2}(?:(${group})\\d{3})(?:\\2\\d{3})*)(?:\\${mark}(\\d+))?$`)

const patterns: readonly [DecimalMark, RegExp][] = [
  ['.', digits("[,'’\u00a0\u202f\u2009]", '.')],
  [',', digits("[.'’\u00a0\u202f\u2009]", ',')],
]
// An ordinary space may also separate two numbers; with a decimal part at the end it is a thousands separator.
const spaced = /^[1-9]\d{0,2}(?: \d{3})+(?=[.,]\d+$)/

const parts =
  /^(?<sign>[-−]?)(?<before>\p{Sc}\s?)?(?<number>\d(?:[\d.,'’ \u00a0\u202f\u2009]*\d)?)(?<after>\s?(?:%|\p{Sc}))?$/u
/** Number of digits that a double represents exactly. */
const maxDigits = 15

function readingsOf(text: string): (CellNumber & { mark: DecimalMark })[] {
  const { sign, before = '', number = '', after = '' } = parts.exec(text)?.groups ?? {}
  if (before && after) return []
  const body = number.replace(spaced, (whole) => whole.replaceAll(' ', '\u00a0'))
  return patterns.flatMap(([mark, pattern]) => {
    const [, whole = '', group, fraction = ''] = pattern.exec(body) ?? []
    const plain = whole.replaceAll(/\D/g, '')
    if (plain === '' || plain.length + fraction.length > maxDigits) return []
    const isShare = after.endsWith('%')
    const size = Number(`${plain}.${fraction || 0}${isShare ? 'e-2' : ''}`)
    const shown = `${group ? '#,##0' : '0'}${fraction ? `.${'0'.repeat(fraction.length)}` : ''}`
    const unit = (literal: string) => (literal ? `"${literal}"` : '')
    return [
      {
        mark,
        value: sign ? -size : size,
        format: unit(before) + shown + (isShare ? '%' : unit(after)),
      },
    ]
  })
}
