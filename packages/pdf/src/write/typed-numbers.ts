import type { Block, Paragraph } from '../blocks/block.ts'

// Typed numbers before paragraphs: `153. A rocket …`. Markdown parses such a paragraph as a list item and numbers it
// consecutively, regardless of the number in the text. If this gives the same number, it is what the author meant;
// otherwise the full stop is escaped.

const typed = /^(\d{1,9})([.)])(?=\s|$)/

interface Numbered {
  at: number
  mark: string
}

function numberOf(b: Block): Numbered | undefined {
  if (b.kind !== 'paragraph' || b.heading !== undefined || b.list) return undefined
  const [, digits, mark] = typed.exec(b.text) ?? []
  return digits && mark ? { at: Number(digits), mark } : undefined
}

/**
 * Paragraphs whose typed number follows the previous one or is followed by the next: Markdown parses them as list
 * items. `true` if such a paragraph directly follows an item of another list, which must end before it.
 */
export function countedParagraphs(blocks: readonly Block[]): Map<Paragraph, boolean> {
  const numbered = blocks.flatMap((b, i) => {
    const number = numberOf(b)
    return number ? [{ ...number, paragraph: b as Paragraph, before: blocks[i - 1] }] : []
  })
  const follows = (a: Numbered | undefined, b: Numbered | undefined): boolean =>
    a !== undefined && b !== undefined && a.mark === b.mark && b.at === a.at + 1
  const counted = numbered.filter((own, i) => follows(numbered[i - 1], own) || follows(own, numbered[i + 1]))
  return new Map(
    counted.map(({ paragraph, before }) => [
      paragraph,
      before?.kind === 'paragraph' && before.list !== undefined,
    ]),
  )
}
