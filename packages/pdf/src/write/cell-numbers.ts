// Which cells are numbers. A wrong number is worse than a text that the reader has to turn into one, so a text becomes
// a number only where it can be read in one way. `1,234` is more than a thousand or little more than one: the other
// cells of the document decide, where all that can be read in one way only (`12.5`, `1.234,50`, `1,234,567`) agree.

export interface CellNumber {
  value: number
  /** How a sheet shows it as the page did. */
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
// An ordinary space may also stand between two numbers; with a decimal part behind it, it groups digits.
const spaced = /^[1-9]\d{0,2}(?: \d{3})+(?=[.,]\d+$)/

const parts =
  /^(?<sign>[-−]?)(?<before>\p{Sc}\s?)?(?<number>\d(?:[\d.,'’ \u00a0\u202f\u2009]*\d)?)(?<after>\s?(?:%|\p{Sc}))?$/u
/** What a double holds exactly. */
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
