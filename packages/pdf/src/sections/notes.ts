import { type Block, type Paragraph, type Run, textOf } from '../blocks/block.ts'
import { copyBlocks } from '../blocks/copy.ts'
import type { BuiltBand } from './bands.ts'
import type { Note } from './section.ts'

// Footnotes: small paragraphs at the end of a column that start with a mark, raised or not, and the same
// mark raised in the text of the page. Both must be there, else nothing is moved.

interface FoundNote {
  id: number
  paragraphs: Paragraph[]
}

/** Notes are set smaller than the text by at least this much. */
const smaller = 0.93

const markOf = (p: Paragraph): string | undefined => {
  const first = p.runs[0]
  if (!first) return undefined
  const text = first.text.trim()
  if (first.style.script === 'super') return /^[\d*†‡§]{1,4}$/.test(text) ? text : undefined
  return plainMark.exec(p.text)?.[1]
}

const plainMark = /^(\d{1,3}|[*†‡§]{1,3})[\s\u00a0]+/

function withoutMark(p: Paragraph): Paragraph {
  let left =
    p.runs[0]?.style.script === 'super' ? p.runs[0].text.length : (plainMark.exec(p.text)?.[0].length ?? 0)
  const cut = p.runs.map((run) => {
    const text = run.text.slice(left)
    left = Math.max(0, left - run.text.length)
    return { ...run, text }
  })
  const runs = cut
    .filter((r) => r.text !== '')
    .map((r, i) => (i === 0 ? { ...r, text: r.text.replace(/^\s+/, '') } : r))
  const text = textOf(runs)
  return { ...p, runs, text, tabs: text.includes('\t') ? p.tabs : [], before: 0 }
}

/** The bands without their notes. Notes that find no mark go back into the text, behind that of their page. */
export function takeNotes(
  given: readonly BuiltBand[],
  bodySize: number,
): { bands: BuiltBand[]; notes: Note[] } {
  const bands = given.map((b) => ({ ...b, columns: b.columns.map(copyBlocks) }))
  const notes: FoundNote[] = []
  const text: Block[] = []
  let open: FoundNote | undefined
  let small: Paragraph[] = []
  for (const [i, band] of bands.entries()) {
    for (const column of band.columns) {
      small.push(...takeTail(column, bodySize, open !== undefined))
      text.push(...column)
    }
    if (bands[i + 1]?.page === band.page) continue
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
  return { bands, notes: notes.map((n) => ({ id: n.id, blocks: n.paragraphs })) }
}

/** Takes the paragraphs at the end of a column that are smaller than the text, if they begin with a mark. */
function takeTail(column: Block[], bodySize: number, goesOn: boolean): Paragraph[] {
  const from =
    1 +
    column.findLastIndex(
      (b) => b.kind !== 'paragraph' || b.size > smaller * bodySize || b.text === '' || b.pictures.length > 0,
    )
  const tail = column.slice(from) as Paragraph[]
  const first = tail[0]
  if (!first || !tail.some((p) => markOf(p)) || (markOf(first) === undefined && !goesOn)) return []
  column.length = from
  return tail
}

/** The last raised mark of that text on the page or the one before, not yet taken. */
function findMark(blocks: readonly Block[], mark: string, page: number): Run | undefined {
  for (let i = blocks.length - 1; i >= 0; i--) {
    const b = blocks[i] as Block
    if (b.page < page - 1) break
    const runs =
      b.kind === 'paragraph'
        ? b.runs
        : b.rows.flatMap((r) =>
            r.cells.flatMap((c) => c.blocks.flatMap((x) => (x.kind === 'paragraph' ? x.runs : []))),
          )
    const run = runs.findLast(
      (r) => r.note === undefined && r.style.script === 'super' && r.text.trim() === mark,
    )
    if (run) return run
  }
  return undefined
}
