import { describe, expect, it } from 'vitest'
import { type Block, emptyParagraph, type Paragraph, type Run, textOf } from '../blocks/block.ts'
import { plainStyle } from '../lines/test-text-runs.ts'
import type { BuiltBand } from './bands.ts'
import { takeNotes } from './notes.ts'

const box = { x0: 72, y0: 72, x1: 500, y1: 90 }
const empty = emptyParagraph(box, 0, undefined)
const style: Run['style'] = { ...plainStyle, font: empty.font, size: 11 }

/** Parts that begin with ^ are raised. */
function paragraph(size: number, ...parts: string[]): Paragraph {
  const runs = parts.map((part): Run => {
    const raised = part.startsWith('^')
    return { text: raised ? part.slice(1) : part, style: raised ? { ...style, script: 'super' } : style }
  })
  return { ...empty, runs, text: textOf(runs), size }
}

function notesOf(column: Block[]): { notes: string[]; text: string[] } {
  const band: BuiltBand = {
    page: 0,
    band: { box, columns: [{ box, items: [] }] },
    size: { width: 600, height: 800 },
    frame: { left: 72, right: 528, top: 72, bottom: 720, edges: [] },
    headerTop: undefined,
    footerBottom: undefined,
    columns: [structuredClone(column)],
    after: [],
  }
  const notes = takeNotes([band], 9)
  const texts = (blocks: readonly Block[]): string[] =>
    blocks.map((b) => (b.kind === 'paragraph' ? b.text : 'table'))
  return {
    notes: notes.map((n) => texts(n.blocks).join('|')),
    text: [...texts(band.columns.flat()), ...texts(band.after)],
  }
}

const text = paragraph(11, 'A text', '^1', ' with notes', '^2')

describe('footnotes', () => {
  it('may be longer than the text, and stand above the number of the page', () => {
    const long = paragraph(9, '2 ', 'A note that is far longer than the text that it belongs to.')
    const { notes, text: left } = notesOf([text, paragraph(9, '^1', 'One.'), long, paragraph(11, '7')])
    expect(notes).toEqual(['One.', long.text.slice(2)])
    expect(left).toEqual([text.text, '7'])
    expect(notesOf([text, paragraph(9, '1 One,'), paragraph(9, '1997')]).notes).toEqual(['One,|1997'])
  })

  it('have a mark that no space parts from them, where it has a look of its own', () => {
    expect(notesOf([text, paragraph(9, '1', 'One.')]).notes).toEqual(['One.'])
    expect(notesOf([text, paragraph(9, '1One.')]).notes).toEqual([])
  })

  it('are text where there are more than a column can have', () => {
    const marks = Array.from({ length: 301 }, (_, i) => String(i + 1))
    const marked = paragraph(11, ...marks.flatMap((m) => ['Text', `^${m}`]))
    const written = marks.map((m) => paragraph(9, `^${m}`, 'Note.'))
    expect(notesOf([marked, ...written.slice(1)]).notes).toHaveLength(300)
    expect(notesOf([marked, ...written]).notes).toEqual([])
  })
})
