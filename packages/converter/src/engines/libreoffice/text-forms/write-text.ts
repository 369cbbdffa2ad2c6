import { createWriteStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { OfficeArgument } from '../../../catalog/options/office.ts'
import type { FormatName } from '../../../catalog/pairs.ts'
import { failed } from '../../../failure.ts'
import type { Findings } from '../../../report/findings.ts'
import type { Block, Content, Part } from './content.ts'
import { csvLines, readCsv } from './csv.ts'
import { htmlLines } from './html.ts'
import { markdownLines } from './markdown.ts'
import { readFlat } from './read-flat.ts'
import { textLines } from './text.ts'

// Writes sheets and slides as text: Markdown, HTML, CSV or plain text. Runs in a worker thread.

export interface TextJob {
  /** Flat OpenDocument, or CSV. */
  source: string
  kind: 'sheet' | 'slides' | 'csv'
  to: FormatName
  target: string
  /** The style sheet of the house style, applied after the default one. */
  css?: string
  options: Pick<OfficeArgument, 'sheet' | 'slides' | 'pictures'>
}

const styleSheet = new URL('../../document.css', import.meta.url)

export async function writeText(job: TextJob): Promise<Findings> {
  const content = job.kind === 'csv' ? await readCsv(job.source) : await readFlat(job.source)
  const chosen = chosenParts(content.parts, job)
  if (chosen.every((part) => saysNothing(part, job))) throw nothingToSay(job)
  const parts = chosen.map((part) => shaped(part, job))
  const lines = await linesOf(parts, job)
  await pipeline(Readable.from(gathered(lines)), createWriteStream(job.target, { flags: 'wx' }))
  return findingsOf(content, parts, job)
}

async function linesOf(parts: readonly Part[], { to, css = '' }: TextJob): Promise<Iterable<string>> {
  if (to === 'csv') return csvLines(rowsOf(parts[0]))
  if (to === 'txt') return textLines(parts)
  if (to === 'html') return htmlLines(parts, `${await readFile(styleSheet, 'utf8')}\n${css}`)
  return markdownLines(parts)
}

/** The visible parts, or the requested one; CSV contains one. */
function chosenParts(all: readonly Part[], job: TextJob): Part[] {
  const { to, options } = job
  if (options.sheet !== undefined) return [sheetNamed(all, options.sheet)]
  const shown = all.filter(({ isHidden }) => !isHidden || options.slides?.hidden)
  const first = to === 'csv' ? (shown.find((part) => !saysNothing(part, job)) ?? shown[0]) : undefined
  return first ? [first] : shown
}

/** By name, otherwise by number. */
function sheetNamed(all: readonly Part[], wanted: string): Part {
  const plain = (name: string) => name.normalize('NFC').trim().toLowerCase()
  const found =
    all.find(({ title }) => plain(title) === plain(wanted)) ??
    (/^[1-9]\d{0,4}$/.test(wanted) ? all[Number(wanted) - 1] : undefined)
  if (found) return found
  const names = all.slice(0, 10).map(({ title }) => `"${title.slice(0, 40)}"`)
  throw failed.unsupported(
    `There is no sheet of the name or number in the option \`sheet\`. There are ${all.length}: ${names.join(', ')}${all.length > 10 ? ' …' : ''}.`,
  )
}

function shaped(part: Part, { kind, to, options }: TextJob): Part {
  const keepsPictures = options.pictures !== 'left-out' && to !== 'txt'
  const blocks = (list: readonly Block[]) =>
    keepsPictures
      ? [...list]
      : list.flatMap((block) => (block.kind === 'picture' ? describedPicture(block) : [block]))
  if (kind !== 'slides' && to !== 'csv')
    return { ...part, blocks: blocks(part.blocks).flatMap(withoutTitles) }
  const notes = kind === 'slides' && (options.slides?.notes ?? true) ? blocks(part.notes) : []
  const title = part.title === '' && kind === 'slides' ? `Slide ${part.number}` : part.title
  return { ...part, title, blocks: to === 'csv' ? part.blocks : blocks(part.blocks), notes }
}

const maxTitles = 10

/** Rows of one cell above a table are its title, not part of the table. */
function withoutTitles(block: Block): Block[] {
  if (block.kind !== 'table') return [block]
  const end = block.rows.findIndex(({ cells }) => cells.length > 1)
  if (end <= 0 || end > maxTitles) return [block]
  const titles = block.rows.slice(0, end).flatMap(({ cells }) => cells)
  return [
    ...titles.map(({ text }): Block => ({ kind: 'paragraph', text })),
    { kind: 'table', rows: block.rows.slice(end) },
  ]
}

const describedPicture = ({ description }: { description: string }): Block[] =>
  description === '' ? [] : [{ kind: 'paragraph', text: [description] }]

/** Every sheet has a name; a slide may have a title. CSV has only cells, no pictures. */
const saysNothing = (part: Part, { kind, to }: Pick<TextJob, 'kind' | 'to'>): boolean => {
  if (to === 'csv') return rowsOf(part).length === 0
  return part.blocks.length === 0 && part.notes.length === 0 && (kind !== 'slides' || part.title === '')
}

const rowsOf = (part: Part | undefined) => part?.blocks.find((block) => block.kind === 'table')?.rows ?? []

const nothingToSay = ({ kind, options }: TextJob) =>
  failed.unsupported(
    kind === 'slides'
      ? 'The slides that are shown hold neither text nor pictures that text can hold.'
      : options.sheet === undefined
        ? 'The sheets that are shown are empty.'
        : 'The sheet in the option `sheet` is empty.',
  )

/** Joined to larger chunks: a write for every cell would take longer than the cell. */
function* gathered(lines: Iterable<string>): Generator<string> {
  let piece = ''
  for (const line of lines) {
    piece += line
    if (piece.length < 1 << 16) continue
    yield piece
    piece = ''
  }
  yield piece
}

function findingsOf(
  { parts: all, unshownPictures }: Content,
  parts: readonly Part[],
  { kind }: TextJob,
): Findings {
  const leftOut = all.length - parts.length
  return {
    ...(kind === 'slides' ? { input: { pages: all.length } } : {}),
    leftOut: {
      ...(kind === 'slides' ? { slides: leftOut } : { sheets: leftOut }),
      'missing-pictures': unshownPictures,
    },
  }
}
