import { type Half, halfOf } from '../halves.ts'

// Results of the yardstick by kind of document and by half.

export interface Score {
  converter: string
  id: string
  kind: string
  score: number
  /** Median distance of words from their reference position, in points. */
  moved: number
  pagesRight: boolean
}

export const readScores = (table: string): Score[] => {
  const [header = '', ...lines] = table.trim().split('\n')
  const names = header.trim().split('\t')
  return lines.map((line) => {
    const fields = line.replace(/\r$/, '').split('\t')
    const field = (name: string) => fields[names.indexOf(name)] ?? ''
    return {
      converter: field('converter'),
      id: field('id'),
      kind: field('kind'),
      score: Number(field('score')),
      moved: Number(field('moved_median_pt') || Number.POSITIVE_INFINITY),
      pagesRight: field('pages_candidate') !== '' && field('pages_candidate') === field('pages_reference'),
    }
  })
}

export interface Summary {
  kind: string
  half: Half | 'all'
  files: number
  score: number
  pagesRight: number
  moved: number
}

export function summarise(scores: readonly Score[]): Summary[] {
  const kinds = [...new Set(scores.map(({ kind }) => kind))].sort()
  return kinds.flatMap((kind) =>
    (['fit', 'measure', 'all'] as const).flatMap((half) => {
      const own = scores.filter((each) => each.kind === kind && (half === 'all' || halfOf(each.id) === half))
      if (own.length === 0) return []
      return [
        {
          kind,
          half,
          files: own.length,
          score: rounded(own.reduce((sum, each) => sum + each.score, 0) / own.length),
          pagesRight: own.filter((each) => each.pagesRight).length,
          moved: rounded(middle(own.map((each) => each.moved))),
        },
      ]
    }),
  )
}

const rounded = (value: number) => Math.round(value * 10) / 10

function middle(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const [low = 0, high = 0] = [
    sorted[Math.floor((sorted.length - 1) / 2)],
    sorted[Math.floor(sorted.length / 2)],
  ]
  return (low + high) / 2
}
