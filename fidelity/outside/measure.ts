import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, extname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { type Flow, readMarkdown } from '../../packages/pdf/evidence/flow.ts'
import { scoreFlow } from '../../packages/pdf/evidence/flow-score.ts'
import { hasTex } from '../../packages/pdf/evidence/typeset.ts'
import { convertPdf } from '../../packages/pdf/src/convert.ts'
import { type Report, report } from '../pdf/report.ts'
import { type FileScores, summarise } from '../pdf/scores.ts'
import { type Producer, print, printsItself } from './print.ts'
import { type Node, truthOf } from './truth.ts'
import { lookOf } from './variations.ts'

// Documents from outside: whatever pandoc can read is printed as it is and anew, in other looks and by other programs,
// and what Kiln makes of the PDFs is compared with what pandoc read. All prints of a document belong to one half.

const run = promisify(execFile)
const endings = ['.docx', '.odt', '.html', '.md', '.markdown', '.tex', '.latex', '.rst', '.epub']
/** Of a document that is printed anew; the whole is printed as it is. */
const mostBlocks = 60

const drawing: Report = {
  name: 'outside',
  title: 'Documents from outside, printed: agreement with the truth (100 is the same)',
  drawn: new Set(['words', 'headings', 'paragraphs', 'items', 'cells'].map((part) => `outside ${part}`)),
}

interface Tree {
  blocks: Node[]
  [other: string]: unknown
}

/** Pictures and raw pieces of a format are not taken along: neither is text. */
function withoutPictures<T>(part: T): T {
  if (Array.isArray(part))
    return part.filter((p) => !['Image', 'RawInline', 'RawBlock'].includes(p?.t)).map(withoutPictures) as T
  if (typeof part !== 'object' || part === null) return part
  return Object.fromEntries(Object.entries(part).map(([key, value]) => [key, withoutPictures(value)])) as T
}

const unwrapped = (blocks: readonly Node[]): Node[] =>
  blocks.flatMap((b) => (b.t === 'Div' ? unwrapped((b.c as [unknown, Node[]])[1]) : [b]))

async function readTree(file: string): Promise<Tree> {
  const { stdout } = await run('pandoc', [file, '-t', 'json'], {
    maxBuffer: 256 * 1024 * 1024,
    timeout: 60_000,
  })
  return JSON.parse(stdout) as Tree
}

/** The fonts of LaTeX have Latin letters alone. */
const isLatin = (truth: Flow): boolean =>
  !/[^\P{L}\p{sc=Latin}\p{sc=Common}]/u.test(truth.map((b) => (b.kind === 'table' ? '' : b.text)).join(''))

/** A browser has no foot of the page: notes are items of a list at the end. */
const asShown = (truth: Flow, producer: Producer): Flow =>
  producer === 'chromium' ? truth.map((b) => (b.kind === 'note' ? { ...b, kind: 'item' } : b)) : truth

async function documentsIn(folder: string): Promise<string[]> {
  const all = await readdir(folder, { recursive: true })
  return all
    .filter((name) => endings.includes(extname(name)))
    .sort()
    .map((name) => join(folder, name))
}

export async function measureOutside(given: string, keep: boolean, looks = '2'): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'kiln-outside-'))
  const producers: Producer[] = ['chromium', 'libreoffice', ...((await hasTex()) ? (['latex'] as const) : [])]
  const out: Record<string, FileScores> = {}
  const sources = new Map<string, string>()
  try {
    for (const source of await documentsIn(resolve(given))) {
      const id = basename(source)
      const tree = await readTree(source).catch(() => undefined)
      if (!tree || truthOf(tree.blocks).length === 0) {
        console.error(`${id}: pandoc reads no text in it`)
        continue
      }
      const short = withoutPictures({
        ...tree,
        meta: {},
        blocks: unwrapped(tree.blocks).slice(0, mostBlocks),
      })
      const file = join(folder, `${id}.json`)
      await writeFile(file, JSON.stringify(short))
      const prints: [Producer, number, Tree][] = printsItself(source) ? [['itself', 0, tree]] : []
      for (let number = 1; number <= Number(looks); number++)
        for (const producer of producers)
          if (producer !== 'latex' || isLatin(truthOf(short.blocks))) prints.push([producer, number, short])
      for (const [producer, number, { blocks }] of prints) {
        const name = `${id.replace(/\W+/g, '-')}-${producer}-${number}`
        try {
          const look = lookOf(id, number)
          const pdf = await print(producer, { source, tree: file, look, name, folder })
          const markdown = Buffer.from(await convertPdf(await readFile(pdf), 'md')).toString('utf8')
          out[name] = { ...scoreFlow(asShown(truthOf(blocks), producer), readMarkdown(markdown)) }
          sources.set(name, id)
        } catch (cause) {
          console.error(`${name}: not printed (${String(cause).split('\n')[0]})`)
        }
      }
    }
    await report(
      drawing,
      summarise('outside', out, (name) => sources.get(name) ?? name),
      keep,
    )
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
