import { type Block, type Paragraph, paragraphsOf, type Run, textOf, withoutStart } from '../blocks/block.ts'
import { textSize } from '../blocks/body-look.ts'
import { elementAt } from '../element-at.ts'
import { smallerSize } from '../tolerances.ts'
import type { BuiltBand } from './bands.ts'
import type { Note } from './section.ts'

// Footnotes: small paragraphs at the end of a column that start with a marker, superscript or not, and the same marker
// as a superscript in the text of the page. Both must exist; otherwise nothing is moved.

interface FoundNote {
  id: number
  paragraphs: Paragraph[]
}

/** A single letter and small Roman numerals are markers only if they are superscript. */
const raisedMark = /^(?:[\d*†‡§]{1,4}|[a-z]|[ivxl]{2,6})\s*$/
const plainMark = /^(?:\d{1,3}|[*†‡§]{1,3})[\s\u00a0]+/
/** A marker without a space after it must look different from its note. */
const gluedMark = /^(?:\d{1,3}|[*†‡§]{1,3})$/
/** Maximum in a column: each marker is searched in the text, and a hostile page may have any number of notes. */
const maxColumn = 300
/** A page number below the notes. */
const pageNumber = /^\d{1,4}$/

const isRaised = ({ runs: [first] }: Paragraph): boolean =>
  first?.style.script === 'super' && raisedMark.test(first.text.trimStart())

/** The marker with the space around it. */
function writtenMark(p: Paragraph): string | undefined {
  const [first, second] = p.runs
  if (first?.style.script === 'super') return isRaised(p) ? first.text : undefined
  const glued = second && gluedMark.test(first?.text ?? '') ? first?.text : undefined
  return plainMark.exec(p.text)?.[0] ?? glued
}

const markOf = (p: Paragraph): string | undefined => writtenMark(p)?.trim()

function withoutMark(p: Paragraph): Paragraph {
  const runs = withoutStart(p.runs, writtenMark(p)?.length ?? 0)
  const text = textOf(runs)
  return { ...p, runs, text, tabs: text.includes('\t') ? p.tabs : [], before: 0 }
}

/** Removes the notes from the bands. Notes without a marker in the text are put back after the text of their page. */
export function takeNotes(bands: readonly BuiltBand[], usualSize: number): Note[] {
  const bodySize = Math.max(usualSize, sizeOfText(bands))
  const notes: FoundNote[] = []
  const text: Block[] = []
  let open: FoundNote | undefined
  let small: Paragraph[] = []
  for (const [i, band] of bands.entries()) {
    const endsPage = bands[i + 1]?.page !== band.page
    for (const column of band.columns) {
      const tail = takeTail(column, bodySize, open !== undefined)
      small.push(...tail)
      text.push(...column)
    }
    if (!endsPage) continue
    const back: Paragraph[] = []
    for (const p of small) {
      const mark = markOf(p)
      const run = mark === undefined ? undefined : findMark(text, mark, p.page)
      if (run) {
        open = { id: notes.length + 1, paragraphs: [withoutMark(p)] }
        notes.push(open)
        run.note = open.id
      } else if (mark === undefined && open) open.paragraphs.push(p)
      else {
        back.push(p)
        text.push(p)
        open = undefined
      }
    }
    small = []
    band.after = [...back, ...band.after]
  }
  return notes.map((n) => ({ id: n.id, blocks: n.paragraphs }))
}

/** The size of most of the text outside notes: in short documents, the notes may be longer than the text. */
function sizeOfText(bands: readonly BuiltBand[]): number {
  const blocks = bands.flatMap((b) => b.columns.flat())
  return textSize(blocks.filter((b): b is Paragraph => b.kind === 'paragraph' && markOf(b) === undefined))
}

/** The start of the small paragraphs that end at `end`. */
const startOf = (column: readonly Block[], end: number, bodySize: number): number =>
  1 + column.slice(0, end).findLastIndex((b) => !(isPlain(b) && isSmall(b, bodySize)))

const isPlain = (b: Block): b is Paragraph =>
  b.kind === 'paragraph' && b.text !== '' && b.pictures.length === 0

/** The end of a column's text, excluding the page number. A small number is the end of a note. */
function endOf(column: readonly Block[], bodySize: number): number {
  const last = column.at(-1)
  const isNumber = last && isPlain(last) && !isSmall(last, bodySize) && pageNumber.test(last.text)
  return isNumber ? column.length - 1 : column.length
}

const isSmall = (p: Paragraph, bodySize: number): boolean => p.size <= smallerSize * bodySize

/** Removes and returns the paragraphs at the end of a column that are smaller than the text and begin with a marker. */
function takeTail(column: Block[], bodySize: number, goesOn: boolean): Paragraph[] {
  const end = endOf(column, bodySize)
  const from = startOf(column, end, bodySize)
  const tail = column.slice(from, end) as Paragraph[]
  const first = tail[0]
  if (
    tail.length > maxColumn ||
    !first ||
    !tail.some((p) => markOf(p)) ||
    (markOf(first) === undefined && !goesOn)
  )
    return []
  return column.splice(from, end - from) as Paragraph[]
}

/** The last unused one on the page or the one before. A superscript that begins a paragraph is that of a note. */
function findMark(blocks: readonly Block[], mark: string, page: number): Run | undefined {
  for (let i = blocks.length - 1; i >= 0; i--) {
    const b = elementAt(blocks, i)
    if (b.page < page - 1) break
    // Letters in tables refer to the notes below the table.
    if (b.kind === 'table' && /[a-z]/.test(mark)) continue
    const runs = b.kind === 'paragraph' ? b.runs.slice(1) : [...paragraphsOf([b])].flatMap((p) => p.runs)
    const run = runs.findLast(
      (r) => r.note === undefined && r.style.script === 'super' && r.text.trim() === mark,
    )
    if (run) return run
  }
  return undefined
}
