import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

// The documents that the engine is evaluated on, and their split.

/**
 * Rules are developed on `development` and selected by `validation`. Only the mean of `final` is read, when a change is
 * finished.
 */
export type Part = 'development' | 'validation' | 'final'

export interface EvaluatedDocument {
  /** `truth/awesome-cv-cv`, `odl/01030000000088` … */
  id: string
  benchmark: string
  owner: string
  producer: string
  /** The folder with the expected output. */
  folder: string
  /** The PDF. */
  file: string
  part: Part
}

/** Documents of one owner belong to one part, so that a rule is not tested on documents that it was developed on. */
export function partOf(owner: string): Part {
  const value = Number.parseInt(createHash('sha1').update(owner).digest('hex').slice(0, 2), 16) % 4
  return value === 3 ? 'final' : value === 2 ? 'validation' : 'development'
}

export interface Folders {
  /** Pairs with known sources. */
  truth: string
  /** The public benchmarks. */
  benchmarks: string
  /** Output folder of `../prints/main.ts`. */
  prints?: string | undefined
  /** PDFs with the Word file that they were printed from, or with a manual transcription. */
  word?: string | undefined
}

export function listDocuments({ truth, benchmarks, prints, word }: Folders): EvaluatedDocument[] {
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
    ({ id = '', look = '', printer = '', benchmark = 'prints' }) => ({
      id: `${benchmark}/${id}`,
      benchmark,
      owner: look,
      producer: printer,
      folder: join(prints as string, 'data', id),
      part: partOf(look),
    }),
  )
  const toWord = (word ? globSync(`${word}/data/*/*/original.pdf`).toSorted() : []).map((file) => {
    const folder = dirname(file)
    const id = `word/${basename(folder)}`
    return { id, benchmark: 'word', owner: id, producer: '', folder, file, part: partOf(id) }
  })
  return [
    ...[...pairs, ...pages, ...generated].map((d) => ({ ...d, file: join(d.folder, 'in.pdf') })),
    ...toWord,
  ].filter(({ file }) => existsSync(file))
}

function readTable(file: string): Record<string, string | undefined>[] {
  const [head = '', ...lines] = readFileSync(file, 'utf8').trimEnd().split('\n')
  const names = head.split('\t')
  return lines.map((line) => Object.fromEntries(line.split('\t').map((value, i) => [names[i] ?? '', value])))
}
