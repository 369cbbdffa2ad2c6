import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

// The documents that the engine is evaluated on, and how they are split.

/**
 * Rules are written while looking at `development`, and chosen by `validation`. `final` is only ever read as a mean,
 * when a change is finished.
 */
export type Part = 'development' | 'validation' | 'final'

export interface EvaluatedDocument {
  /** `truth/awesome-cv-cv`, `odl/01030000000088` … */
  id: string
  benchmark: string
  owner: string
  producer: string
  /** The folder with `in.pdf` and the expected output. */
  folder: string
  part: Part
}

/** Documents of one owner belong to one part, so that a rule cannot be tested on what it was written for. */
export function partOf(owner: string): Part {
  const value = Number.parseInt(createHash('sha1').update(owner).digest('hex').slice(0, 2), 16) % 4
  return value === 3 ? 'final' : value === 2 ? 'validation' : 'development'
}

/**
 * `truth` is the folder of pairs with known sources, `benchmarks` the one with the public benchmarks, `prints` one that
 * `../prints/main.ts` has filled.
 */
export function listDocuments(truth: string, benchmarks: string, prints?: string): EvaluatedDocument[] {
  const pairs = readTable(join(truth, 'INDEX.tsv')).map((row) => {
    const owner = (row.repo ?? '').split('/')[0] ?? ''
    return {
      id: `truth/${row.id}`,
      benchmark: 'truth',
      owner,
      producer: row.producer ?? '',
      folder: join(truth, 'data', row.id ?? ''),
      part: partOf(owner),
    }
  })
  const pages = readTable(join(benchmarks, 'data', 'INDEX.tsv')).map((row) => {
    const [id = '', benchmark = ''] = [row.id, row.bench]
    return {
      id: `${benchmark}/${id}`,
      benchmark,
      owner: id,
      producer: '',
      folder: join(benchmarks, 'data', benchmark, id),
      part: partOf(id),
    }
  })
  const generated = (prints ? readTable(join(prints, 'INDEX.tsv')) : []).map(
    ({ id = '', look = '', printer = '' }) => ({
      id: `prints/${id}`,
      benchmark: 'prints',
      owner: look,
      producer: printer,
      folder: join(prints as string, 'data', id),
      part: partOf(look),
    }),
  )
  return [...pairs, ...pages, ...generated].filter(({ folder }) => existsSync(join(folder, 'in.pdf')))
}

function readTable(file: string): Record<string, string | undefined>[] {
  const [head = '', ...lines] = readFileSync(file, 'utf8').trimEnd().split('\n')
  const names = head.split('\t')
  return lines.map((line) => Object.fromEntries(line.split('\t').map((value, i) => [names[i] ?? '', value])))
}
