import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { epub, png } from '@kiln/test-support/documents.ts'
import { pdfFacts, pdfText } from '@kiln/test-support/pdf-facts.ts'
import { openTestConverter, pairsOf } from '@kiln/test-support/test-converter.ts'
import { useTestConverter } from '@kiln/test-support/use-test-converter.ts'
import { describe, expect, test, vi } from 'vitest'
import type { FormatName } from '../../../src/catalog/pairs.ts'
import { createChromiumEngine } from '../../../src/engines/chromium/engine.ts'

// Each starts programs; a busy machine takes its time.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 120_000 })

const kiln = useTestConverter()

const toPdf = (content: Buffer | string, from: FormatName) => kiln.convert(content, from, 'pdf')
const textOf = async (content: Buffer | string, from: FormatName) => pdfText(await toPdf(content, from))
const tool = async (name: string, ...args: string[]) => (await promisify(execFile)(name, args)).stdout

test('the version is known', async () => {
  const own = await openTestConverter({ pairs: pairsOf('chromium'), waiting: 0 })
  const { engines } = await own.converter.describe()
  await own.close()
  expect(engines).toEqual([{ name: 'chromium', ok: true, detail: expect.stringMatching(/^Chromium \d+/) }])
})

describe('a web page', () => {
  test('is printed on A4 with its own styles, its pictures and its links', async () => {
    const path = await toPdf(
      '<!DOCTYPE html><html><head><title>Mosses</title><style>h2 { break-before: page }</style></head><body>' +
        `<p>First <a href="#two">to two</a> <a href="https://example.org/">out</a></p><img width="50" src="data:image/png;base64,${png.toString('base64')}">` +
        '<h2 id="two">Second</h2></body></html>',
      'html',
    )
    const { pages, sizes, tagged } = await pdfFacts(path)
    expect(pages).toBe(2)
    expect(Math.round(sizes[0]?.width ?? 0)).toBe(595)
    expect(tagged).toBe(true)
    expect(await tool('pdfinfo', path)).toMatch(/Title:\s+Mosses/)
    expect(await tool('pdfimages', '-list', path)).toMatch(/image/)
    expect(await tool('pdfinfo', '-url', path)).toContain('https://example.org/')
    expect(await pdfText(path)).toContain('Second')
  })

  test('may set its own paper', async () => {
    const { sizes } = await pdfFacts(
      await toPdf('<!DOCTYPE html><style>@page { size: A5 landscape }</style><p>x', 'html'),
    )
    expect(Math.round(sizes[0]?.height ?? 0)).toBe(420)
  })

  test('is printed with the fonts and pictures that it brings, also those that load when they are scrolled to', async () => {
    const font = (await readFile('/usr/share/fonts/truetype/lato/Lato-Black.ttf')).toString('base64')
    const picture = `data:image/png;base64,${png.toString('base64')}`
    const path = await toPdf(
      `<!DOCTYPE html><style>@font-face { font-family: own; src: url(data:font/ttf;base64,${font}) } p { font-family: own }</style>` +
        `<p>Set in its own font<div style="height: 9000px"></div><img loading="lazy" width="50" src="${picture}">`,
      'html',
    )
    expect(await tool('pdffonts', path)).toMatch(/Lato-Black/)
    expect(await tool('pdfimages', '-list', path)).toMatch(/image/)
  })

  test('in an old encoding is read as it says', async () => {
    const page = Buffer.from('<!DOCTYPE html><meta charset="iso-8859-1"><p>Gr\xfc\xdfe', 'latin1')
    expect(await textOf(page, 'html')).toContain('Grüße')
  })

  test('that refers to things that are not there is printed without them', async () => {
    const page =
      '<p>before <img src="missing.png" alt="a picture"> after<link rel="stylesheet" href="https://example.invalid/a.css">'
    expect(await textOf(page, 'html')).toMatch(/before\s+a picture\s+after/)
  })
})

test('where only the whole Chromium is installed, it prints the same', { tags: 'slow' }, async () => {
  const page = '<!DOCTYPE html><title>Mosses</title><p>First <b>bold</b><p style="break-before: page">Second'
  const whole = await openTestConverter({
    pairs: pairsOf('chromium'),
    engines: [(parts) => createChromiumEngine(parts, '/usr/lib/chromium/chromium')],
  })
  try {
    await whole.converter.prepare()
    const path = await whole.convert(page, 'html', 'pdf')
    expect(whole.converter.waiting()).toMatchObject([{ taken: 1, missed: 0 }])
    expect(await pdfText(path)).toBe(await textOf(page, 'html'))
    expect((await pdfFacts(path)).sizes).toEqual((await pdfFacts(await toPdf(page, 'html'))).sizes)
  } finally {
    await whole.close()
  }
})

describe('documents by way of pandoc', () => {
  const markdown = [
    '---\ntitle: A field guide to moss\nauthor: Ada Lindqvist\ndate: 14 May 2025\n---',
    '# Introduction\n\nMosses are small.[^1]\n\n[^1]: The note.',
    '## Measuring\n\n| Species | Height |\n|---|---:|\n| Bryum | 10 |\n\n```python\nprint("code")\n```',
    '# Growing\n\nText with 世界 and $x^2$.\n',
  ].join('\n\n')

  test('Markdown has a title, contents, a table, code, notes and page numbers', async () => {
    const path = await toPdf(`${markdown}\n${'A long paragraph of text. '.repeat(400)}`, 'md')
    const text = await pdfText(path)
    for (const expected of [
      'A field guide to moss',
      'Ada Lindqvist',
      '14 May 2025',
      'print("code")',
      'The note.',
      '世界',
    ]) {
      expect(text).toContain(expected)
    }
    expect(text).toMatch(/Bryum\s+10/)
    // Once in the contents, once as the heading.
    expect(text.match(/Measuring/g)).toHaveLength(2)
    const { pages } = await pdfFacts(path)
    expect(pages).toBeGreaterThan(1)
    const second = await tool('pdftotext', '-layout', '-f', '2', '-l', '2', path, '-')
    expect(second.trim().split('\n').at(-1)?.trim()).toBe('2')
  })

  test('Markdown shows text that a reader of the page would have to open', async () => {
    const text = await textOf('<details><summary>More</summary>\n\nText inside.\n\n</details>', 'md')
    expect(text.match(/\S.*/g)).toEqual(['More', 'Text inside.'])
  })

  test.each([
    ['# One', '## Two', 1],
    ['# One', '# Two', 1],
    ['# One', '## Two\n\n# Three', 2],
    ['# One', '## Two\n\n### Three', 2],
  ])(
    '%j and %j: a heading is on the page %i times, in contents from three headings on',
    async (first, rest, times) => {
      const text = await textOf(`${first}\n\nText.\n\n${rest}\n\nText.`, 'md')
      expect(text.match(/Two/g)).toHaveLength(times)
    },
  )

  test.each<[FormatName, () => Buffer | string, string]>([
    ['rst', () => 'Mosses\n======\n\nThey *grow*.\n', 'They grow.'],
    [
      'latex',
      () => '\\documentclass{article}\\begin{document}\\section{Mosses}They \\emph{grow}.\\end{document}',
      'They grow.',
    ],
    ['epub', () => epub('<h1>Mosses</h1><p>They <i>grow</i>.</p>'), 'They grow.'],
  ])('%s', async (from, make, expected) => {
    expect(await textOf(make(), from)).toContain(expected)
  })
})
