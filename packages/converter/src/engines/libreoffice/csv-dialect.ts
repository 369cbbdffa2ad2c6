import { readStart } from '../../read-start.ts'

export interface CsvDialect {
  separator: string
  /** The maximum number of columns seen, plus a reserve for longer lines further down. */
  columns: number
}

const sampleBytes = 256 * 1024
const separators = [',', ';', '\t', '|'] as const
const maxColumns = 16_384

/** Detects the separator of a UTF-8 file: the one that gives the most consistent number of fields. */
export const detectCsvDialect = async (path: string): Promise<CsvDialect> =>
  dialectOf((await readStart(path, sampleBytes)).toString('utf8'))

export function dialectOf(text: string): CsvDialect {
  // Excel's own hint, a first line such as `sep=;`.
  const hint = /^\uFEFF?sep=(.)\r?\n/i.exec(text)?.[1]
  const candidates = hint ? [hint] : separators
  let best = { separator: ',', score: 0, columns: 1 }
  for (const separator of candidates) {
    const counts = fieldCounts(text, separator)
    const usual = mostFrequent(counts)
    if (usual < 2 && !hint) continue
    // Rewards consistent lines and, as stronger evidence, more columns.
    const agreeing = counts.filter((count) => count === usual).length / counts.length
    const score = agreeing * Math.log2(usual + 1)
    if (score > best.score || hint) best = { separator, score, columns: Math.max(...counts) }
  }
  return { separator: best.separator, columns: Math.min(maxColumns, best.columns + 64) }
}

/** Fields per line; a quoted field may contain separators and line ends. */
function fieldCounts(text: string, separator: string): number[] {
  const counts: number[] = []
  let fields = 1
  let quoted = false
  let empty = true
  for (const character of text) {
    if (character === '"') quoted = !quoted
    else if (!quoted && character === separator) fields += 1
    else if (!quoted && character === '\n') {
      if (!empty) counts.push(fields)
      fields = 1
      empty = true
      continue
    }
    if (character !== '\r') empty = false
    if (counts.length >= 2_000) break
  }
  // The last line may be truncated by the sample; it counts only if it is the only one.
  if (!empty && (counts.length === 0 || text.length < sampleBytes)) counts.push(fields)
  return counts.length > 0 ? counts : [1]
}

function mostFrequent(counts: readonly number[]): number {
  const tally = new Map<number, number>()
  for (const count of counts) tally.set(count, (tally.get(count) ?? 0) + 1)
  return [...tally].sort((a, b) => b[1] - a[1] || b[0] - a[0])[0]?.[0] ?? 1
}
