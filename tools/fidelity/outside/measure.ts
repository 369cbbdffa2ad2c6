import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { basename, extname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { convertPdf } from '../../../packages/pdf/src/convert.ts'
import { type Flow, readMarkdown } from '../../evidence/flow.ts'
import { scoreFlow } from '../../evidence/flow-score.ts'
import { hasTex } from '../../evidence/typeset.ts'
import { halfOf } from '../halves.ts'
import { type Report, report } from '../pdf/report.ts'
import { type FileScores, summarise } from '../pdf/scores.ts'
import { type Producer, print, printsItself } from './print.ts'
import { type Node, truthOf } from './truth.ts'
import { lookOf } from './variations.ts'

// Documents from outside: whatever pandoc can read is printed as it is and anew, in other looks and by other programs,
// and what Kiln makes of the PDFs is compared with what pandoc read. All prints of a document belong to one half.
// Prints, truths and results stay in a folder: they can be inspected, and a second run prints nothing.

const run = promisify(execFile)
const endings = ['.docx', '.odt', '.html', '.md', '.markdown', '.tex', '.latex', '.rst', '.epub']
/** Limit of a document that is printed anew; the whole is printed as it is. */
const maxBlocks = 60

const drawing: Report = {
  name: 'outside',
  title: 'Documents from outside, printed: agreement with the truth (100 is the same)',
  drawn: new Set(['words', 'headings', 'paragraphs', 'items', 'cells'].map((part) => `outside ${part}`)),
}

interface Tree {
  blocks: Node[]
  [other: string]: unknown
}

const left = new Set(['Image', 'RawInline', 'RawBlock'])

/**
 * Pictures and raw pieces of a format are not taken along: neither is text. A division is its content, whose texts
 * are paragraphs: on their own, writers would run them together.
 */
function asPlainTree(part: unknown): unknown {
  if (Array.isArray(part))
    return part.flatMap((p) => {
      if (left.has(p?.t)) return []
      if (p?.t !== 'Div') return [asPlainTree(p)]
      const content = asPlainTree((p.c as [unknown, Node[]])[1]) as Node[]
      return content.map((b) => (b.t === 'Plain' ? { ...b, t: 'Para' } : b))
    })
  if (typeof part !== 'object' || part === null) return part
  return Object.fromEntries(Object.entries(part).map(([key, value]) => [key, asPlainTree(value)]))
}

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

interface Document {
  id: string
  source: string
  /** As pandoc reads it, and its first blocks in a file, to print anew. */
  whole: Tree
  short: Tree
  file: string
}

async function readDocument(source: string, prints: string): Promise<Document | undefined> {
  const id = basename(source)
  const whole = await readTree(source).catch(() => undefined)
  if (!whole || truthOf(whole.blocks).length === 0) return undefined
  const blocks = (asPlainTree(whole.blocks) as Node[]).slice(0, maxBlocks)
  const short = { ...whole, meta: {}, blocks }
  const file = join(prints, `${id}.json`)
  await writeFile(file, JSON.stringify(short))
  return { id, source, whole, short, file }
}

/** Scores of every print of a document, by the print's name. */
async function measureDocument(
  { id, source, whole, short, file }: Document,
  prints: string,
  looks: number,
): Promise<Record<string, FileScores>> {
  const tasks: [Producer, number, Tree][] = printsItself(source) ? [['itself', 0, whole]] : []
  const anew: Producer[] = ['chromium', 'libreoffice']
  if ((await hasTex()) && isLatin(truthOf(short.blocks))) anew.push('latex')
  for (let number = 1; number <= looks; number++)
    for (const producer of anew) tasks.push([producer, number, short])
  const out: Record<string, FileScores> = {}
  for (const [producer, number, { blocks }] of tasks) {
    const name = `${id.replace(/\W+/g, '-')}-${producer}-${number}`
    const at = (ending: string): string => join(prints, `${name}${ending}`)
    try {
      if (!existsSync(at('.pdf')))
        await print(producer, { source, tree: file, look: lookOf(id, number), name, folder: prints })
      const markdown = Buffer.from(await convertPdf(await readFile(at('.pdf')), 'md')).toString('utf8')
      const truth = asShown(truthOf(blocks), producer)
      const scores = { ...scoreFlow(truth, readMarkdown(markdown)) }
      await writeFile(at('.md'), markdown)
      await writeFile(at('.truth.json'), JSON.stringify({ half: halfOf(id), scores, truth }, null, 1))
      out[name] = scores
    } catch (cause) {
      console.error(`${name}: not measured (${String(cause).split('\n')[0]})`)
    }
  }
  return out
}

/** `place` is for the prints, and is made where it is not there. */
export async function measureOutside(
  given: string,
  keep: boolean,
  place?: string,
  looks = '2',
): Promise<void> {
  if (!place) throw new Error('outside needs two folders: of documents, and for their prints')
  const prints = resolve(place)
  await mkdir(prints, { recursive: true })
  const out: Record<string, FileScores> = {}
  const sources = new Map<string, string>()
  for (const source of await documentsIn(resolve(given))) {
    const document = await readDocument(source, prints)
    if (!document) {
      console.error(`${basename(source)}: pandoc reads no text in it`)
      continue
    }
    const scores = await measureDocument(document, prints, Number(looks))
    for (const name of Object.keys(scores)) sources.set(name, document.id)
    Object.assign(out, scores)
  }
  await report(
    drawing,
    summarise('outside', out, (name) => sources.get(name) ?? name),
    keep,
  )
}
