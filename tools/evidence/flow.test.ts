import { describe, expect, it } from 'vitest'
import { readMarkdown } from './flow.ts'
import { scoreFlow } from './flow-score.ts'

describe('Markdown that is compared with the truth', () => {
  it('keeps the text of code spans, and the spaces around them', () => {
    expect(readMarkdown('Run `lintian` over `a*b`, **`\\$HOME`** and `$x` or `` ` ``, *not* $y$')).toEqual([
      { kind: 'paragraph', text: 'Run lintian over a*b, \\$HOME and $x or `, not' },
      { kind: 'formula', text: 'y' },
    ])
    expect(readMarkdown('| `a\\|b` c | d |')).toEqual([{ kind: 'table', rows: [['a|b c', 'd']] }])
  })

  it('may have one listing where two follow each other directly, but no other text between their lines', () => {
    const truth = ['make', 'fire'].map((text) => ({ kind: 'listing' as const, text }))
    const listings = (markdown: string) => scoreFlow(truth, readMarkdown(markdown)).listings
    expect(listings('```\nmake\n\nfire\n```')).toBe(1)
    expect(listings('```\nmake\n```\n\n```\nfire\n```')).toBe(1)
    expect(listings('```\nmake fire\n```')).toBe(0)
  })
})
