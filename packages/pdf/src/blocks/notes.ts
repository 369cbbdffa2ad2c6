import type { Block, Paragraph, Run } from './block.ts'

// Footnotes: small paragraphs at the end of a column that start with a mark, raised or not, and the same
// mark raised in the text of the page. Both must be there, else nothing is moved.

export interface FoundNote {
  id: number
  paragraphs: Paragraph[]
}

const markOf = (p: Paragraph): string | undefined => {
  const first = p.runs[0]
  if (!first) return undefined
  const text = first.text.trim()
  if (first.style.script === 'super') return /^[\d*†‡§]{1,4}$/.test(text) ? text : undefined
  return plainMark.exec(p.text)?.[1]
}

const plainMark = /^(\d{1,3}|[*†‡§]{1,3})[\s\u00a0]+/

function withoutMark(p: Paragraph): void {
  let left =
    p.runs[0]?.style.script === 'super' ? p.runs[0].text.length : (plainMark.exec(p.text)?.[0].length ?? 0)
  for (const run of p.runs) {
    const cut = Math.min(left, run.text.length)
    run.text = run.text.slice(cut)
    left -= cut
  }
  p.runs = p.runs.filter((r) => r.text !== '')
  const first = p.runs[0]
  if (first) first.text = first.text.replace(/^\s+/, '')
  p.text = p.runs.map((r) => r.text).join('')
  p.tabs = p.text.includes('\t') ? p.tabs : []
}

export function noteFinder(bodySize: number): {
  /** Takes the notes off the end of a column's blocks. */
  take(blocks: Block[], page: number): Paragraph[]
  /** Ties notes to their marks; what finds no mark goes back into the text. */
  tie(blocks: Block[], notes: readonly Paragraph[]): FoundNote[]
} {
  let open: FoundNote | undefined
  let nextId = 1
  return {
    take(blocks) {
      let from = blocks.length
      while (from > 0) {
        const b = blocks[from - 1]
        if (b?.kind !== 'paragraph' || b.size > 0.93 * bodySize || b.text === '' || b.pictures.length > 0)
          break
        from--
      }
      const tail = blocks.slice(from) as Paragraph[]
      if (!tail.some((p) => markOf(p)) || (markOf(tail[0] as Paragraph) === undefined && !open)) return []
      blocks.length = from
      return tail
    },
    tie(blocks, notes) {
      const out: FoundNote[] = []
      for (const p of notes) {
        const mark = markOf(p)
        if (mark === undefined) {
          if (open) open.paragraphs.push(p)
          else blocks.push(p)
          continue
        }
        const run = findMark(blocks, mark, p.page)
        if (!run) {
          blocks.push(p)
          open = undefined
          continue
        }
        open = { id: nextId++, paragraphs: [p] }
        run.note = open.id
        withoutMark(p)
        p.before = 0
        out.push(open)
      }
      return out
    },
  }
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
