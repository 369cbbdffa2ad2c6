import { halfOf } from '../halves.ts'
import type { Score, Summary } from './scores.ts'

// The figures as a table beside the stored ones.

export interface Figures {
  stock: readonly Summary[]
  kiln: readonly Summary[]
}

export function table({ stock, kiln }: Figures, stored: Figures): string {
  const same = (list: readonly Summary[], { kind, half }: Summary) =>
    list.find((each) => each.kind === kind && each.half === half)
  const rows = kiln.map((own) => {
    const other = same(stock, own)
    const last = same(stored.kiln, own)?.score
    const change =
      last === undefined ? '' : ` (${own.score < last ? '−' : '+'}${Math.abs(own.score - last).toFixed(1)})`
    return (
      `| ${own.kind} | ${own.half} | ${own.files} | ${other?.score} | ${own.score}${change} | ` +
      `${other?.pagesRight} → ${own.pagesRight} | ${other?.moved} → ${own.moved} |`
    )
  })
  return [
    '| kind | half | files | stock | Kiln | pages right | words moved, pt |',
    '|---|---|---|---|---|---|---|',
    ...rows,
  ].join('\n')
}

/** Each document, the worst first. */
export function documentTable(scores: readonly Score[]): string {
  const scoreOf = (converter: string, id: string) =>
    scores.find((each) => each.converter === converter && each.id === id)?.score ?? 0
  const rows = scores
    .filter(({ converter }) => converter === 'kiln')
    .toSorted((a, b) => a.score - b.score)
    .map(
      ({ id, kind, score, pagesRight }) =>
        `| ${id} | ${kind} | ${halfOf(id)} | ${scoreOf('stock', id).toFixed(1)} | ${score.toFixed(1)} | ${pagesRight ? '' : 'wrong'} |`,
    )
  return ['| document | kind | half | stock | Kiln | pages |', '|---|---|---|---|---|---|', ...rows].join(
    '\n',
  )
}
