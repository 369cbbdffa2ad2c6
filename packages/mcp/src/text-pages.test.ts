import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { heaviestPage, outlineOf, pageEnds, readPage, weightOf, withoutPictures } from './text-pages.ts'

function pagesOf(text: string, maxCharacters?: number): string[] {
  const ends = pageEnds(text, maxCharacters)
  return ends.map((end, index) => text.slice(index === 0 ? 0 : ends[index - 1], end))
}

const outline = (text: string) => outlineOf(text, [text.length])

describe('pages', () => {
  test('together are the text, each within its bounds, and no character is cut in two', () => {
    const words = fc.array(
      fc.oneof(fc.string({ unit: 'grapheme' }), fc.constantFrom('\n\n', '\n# Head\n', '。', ' ')),
      {
        maxLength: 400,
      },
    )
    fc.assert(
      fc.property(words, fc.integer({ min: 2, max: 300 }), (pieces, maxLength) => {
        const text = pieces.join('')
        const pages = pagesOf(text, maxLength)
        expect(pages.join('')).toBe(text)
        for (const page of pages) {
          expect(page.length).toBeLessThanOrEqual(maxLength)
          expect(page.isWellFormed()).toBe(text.isWellFormed() || page.isWellFormed())
        }
      }),
      { numRuns: 60 },
    )
  })

  test('weigh no more than a host takes, in any script', () => {
    for (const sample of ['Plain words. ', '数字化转型与人工智能。', '12,34 | 56.7 | ', '🔥 ж ']) {
      const pages = pagesOf(sample.repeat(20_000))
      expect(pages.length).toBeGreaterThan(2)
      for (const page of pages) expect(weightOf(page)).toBeLessThanOrEqual(heaviestPage)
    }
  })

  test('begin at headings where they can', () => {
    const chapter = (name: string) => `# ${name}\n\n${'Some words of it. '.repeat(40)}\n`
    const pages = pagesOf(chapter('One') + chapter('Two') + chapter('Three'), 1000)
    expect(pages.map((page) => page.slice(0, 5))).toEqual(['# One', '# Two', '# Thr'])
  })
})

describe('an outline', () => {
  test('does not list YAML front matter or code', () => {
    const text = '---\ntitle: A report\nauthor: Ann\n---\n\n# One\n\n```sh\n# a comment\n```\n\n## Two\n'
    expect(outline(text)).toEqual(['One (page 1)', '  Two (page 1)'])
    expect(outline('---\n\nTitle\n---\n')).toEqual(['Title (page 1)'])
  })

  test.each([
    ['Markdown', '# One\n\ntext\n\n## Two *b*\n\n```\n', ['One (page 1)', '  Two *b* (page 1)']],
    ['HTML', '<h2 id="a">One</h2><p>x</p><h3>T<em>w</em>o</h3>', ['One (page 1)', '  Two (page 1)']],
    ['LaTeX', '\\section{One}\n\\subsection{Two}', ['One (page 1)', '  Two (page 1)']],
    ['RST', 'One\n===\n\ntext\n\nTwo\n---\n', ['One (page 1)', '  Two (page 1)']],
  ])('of %s', (_format, text, lines) => {
    expect(outline(text)).toEqual(lines)
  })

  test('leaves lower levels out of a long list, and says how many more there are', () => {
    const many = (count: number, sign: string) =>
      Array.from({ length: count }, (_, index) => `${sign} Heading number ${index}\n\n`).join('')
    expect(outline(`# Top\n\n${many(500, '##')}`)).toEqual(['Top (page 1)'])
    expect(outline(many(500, '#')).at(-1)).toMatch(/^… and \d+ more$/)
  })
})

test('pictures inside a text are left out of what an agent reads', () => {
  const text = withoutPictures(`![a](data:image/png;base64,${'QUJD'.repeat(5000)}) after`)
  expect(text).toBe('![a](data:image/png,…) after')
})

describe('a long text', () => {
  const length = 1024 * 1024
  // Patterns that took many seconds.
  test.each([
    '# a\n',
    '<h1>',
    '<h1 ',
    '```\n',
    'ab\n---\n',
    '\\section{',
    ' \n',
    'a',
    '数',
    'data:a/a;base64,',
  ])('made of %j is paged and outlined in linear time', (piece) => {
    const bytes = Buffer.from(piece.repeat(length / piece.length))
    const before = process.threadCpuUsage()
    readPage(bytes, { page: 1, maxCharacters: 200 })
    const { user, system } = process.threadCpuUsage(before)
    expect((user + system) / 1000).toBeLessThan(1500)
  })
})
