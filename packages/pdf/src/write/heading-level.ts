import { type Block, paragraphsOf } from '../blocks/block.ts'
import { deepestLevel } from '../blocks/heading-levels.ts'
import type { WordDocument } from '../sections/section.ts'

/**
 * Markdown and HTML have no level above the first: the title of the document takes it, and all other headings move down
 * by one level.
 */
export function headingLevels(document: WordDocument): (heading: number) => number {
  const blocks: Block[] = document.sections.flatMap((s) => s.blocks)
  const hasTitle = [...paragraphsOf(blocks)].some((p) => p.heading === 0)
  return (heading) => Math.max(1, Math.min(deepestLevel, heading + (hasTitle ? 1 : 0)))
}
