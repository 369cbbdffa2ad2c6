import { existsSync, readFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { barChart } from '../../plots/bar-chart.ts'
import { halfOf } from '../halves.ts'
import type { Score, Summary } from './scores.ts'

// The figures as a table beside the stored ones; stored and drawn in docs/fidelity on request.

interface Figures {
  stock: readonly Summary[]
  kiln: readonly Summary[]
}

export const readKept = (docs: string): Figures | undefined => {
  const file = join(docs, 'office.json')
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Figures) : undefined
}

export function table({ stock, kiln }: Figures, kept: Figures | undefined): string {
  const same = (list: readonly Summary[] | undefined, { kind, half }: Summary) =>
    list?.find((each) => each.kind === kind && each.half === half)
  const rows = kiln.map((own) => {
    const other = same(stock, own)
    const last = same(kept?.kiln, own)?.score
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

export async function keepFigures({ stock, kiln }: Figures, docs: string): Promise<void> {
  const whole = (list: readonly Summary[]) => list.filter(({ half }) => half === 'all')
  await mkdir(docs, { recursive: true })
  await writeFile(join(docs, 'office.json'), `${JSON.stringify({ stock, kiln }, undefined, 2)}\n`)
  await writeFile(
    join(docs, 'office.svg'),
    barChart({
      title: "Office documents: how true to Microsoft's own PDF (100 is the same page)",
      groups: whole(kiln).map(({ kind }) => kind),
      series: [
        { name: 'LibreOffice as it comes', values: whole(stock).map(({ score }) => score) },
        { name: 'Kiln', values: whole(kiln).map(({ score }) => score) },
      ],
    }),
  )
}
