import type { Block } from './content.ts'

/**
 * Call the returned function for every block in order: it returns the label of a list item, and '' for other blocks.
 */
export function createListMarks(): (block: Block) => string {
  const counters: number[] = []
  return (block) => {
    counters.length = block.kind === 'item' ? block.depth : 0
    if (block.kind !== 'item') return ''
    const number = (counters[block.depth - 1] ?? 0) + 1
    counters[block.depth - 1] = number
    return block.isNumbered ? `${number}.` : '-'
  }
}
