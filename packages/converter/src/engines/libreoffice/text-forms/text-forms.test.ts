import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Row } from './content.ts'
import { csvLines, records } from './csv.ts'
import { htmlLines } from './html.ts'
import { markdownLines } from './markdown.ts'
import { type TextJob, writeText } from './write-text.ts'

let folder: string
let count = 0
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kiln-text-forms-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function written(source: string, job: Pick<TextJob, 'kind' | 'to'> & { options?: TextJob['options'] }) {
  count += 1
  const [path, target] = [join(folder, `${count}.xml`), join(folder, `${count}.out`)]
  await writeFile(path, source)
  const findings = await writeText({ options: {}, ...job, source: path, target })
  return { text: await readFile(target, 'utf8'), findings }
}

const flat = (kind: string, body: string, styles = '') =>
  `<?xml version="1.0"?><office:document><office:automatic-styles>${styles}</office:automatic-styles>` +
  `<office:body><office:${kind}>${body}</office:${kind}></office:body></office:document>`
const cell = (text: string, attributes = '') =>
  `<table:table-cell ${attributes}><text:p>${text}</text:p></table:table-cell>`
const row = (...cells: string[]) => `<table:table-row>${cells.join('')}</table:table-row>`
const sheet = (name: string, rows: string, style = '') =>
  `<table:table table:name="${name}" table:style-name="${style}">${rows}</table:table>`
const hiddenStyle =
  '<style:style style:name="gone"><style:table-properties table:display="false"/><style:drawing-page-properties presentation:visibility="hidden"/></style:style>'

const book = flat(
  'spreadsheet',
  sheet(
    'Prices',
    row(cell('Prices of the year')) +
      row(cell('Name'), cell('Price')) +
      '<table:table-row table:number-rows-repeated="1000000"><table:table-cell table:number-columns-repeated="16384"/></table:table-row>' +
      row(cell('a | b'), cell('12.50 €')) +
      row(
        '<table:table-cell><text:p>two</text:p><text:p>lines</text:p><office:annotation><text:p>a remark</text:p></office:annotation></table:table-cell>',
        cell('50 %'),
      ),
  ) +
    sheet('Secret', row(cell('hidden words')), 'gone') +
    sheet('مرحبا', row(cell('世界'), cell('"quoted", said'))),
  hiddenStyle,
)

test('elements that are called as something that every object has are passed over', async () => {
  const odd = ['constructor', 'toString', '__proto__', '__defineGetter__', 'hasOwnProperty']
  const body = odd.map((name) => `<${name} presentation:class="${name}">`).join('')
  const ends = odd.toReversed().map((name) => `</${name}>`)
  const source = flat('spreadsheet', `${body}${ends.join('')}${sheet('One', row(cell('the text')))}`)
  const { text } = await written(source, { kind: 'sheet', to: 'csv' })
  expect(text).toBe('the text\r\n')
})

describe('sheets', () => {
  test('Markdown has a heading and a table for each that is shown', async () => {
    const { text, findings } = await written(book, { kind: 'sheet', to: 'md' })
    expect(text).toBe(
      '## Prices\n\nPrices of the year\n\n| Name | Price |\n| --- | --- |\n| a \\| b | 12.50 € |\n' +
        '| two<br>lines | 50 % |\n\n## مرحبا\n\n| 世界 | "quoted", said |\n| --- | --- |\n\n',
    )
    expect(findings.leftOut).toMatchObject({ sheets: 1 })
  })

  test('CSV has the first one, with cells in their places', async () => {
    const small = book.replace('"1000000"', '"1"')
    const { text, findings } = await written(small, { kind: 'sheet', to: 'csv' })
    expect(text).toBe('Prices of the year,\r\nName,Price\r\n,\r\na | b,12.50 €\r\n"two\nlines",50 %\r\n')
    expect(findings.leftOut).toMatchObject({ sheets: 2 })
  })

  test.each([
    ['its name', 'مرحبا'],
    ['its number', '3'],
  ])('one is chosen by %s', async (_, wanted) => {
    const { text } = await written(book, { kind: 'sheet', to: 'csv', options: { sheet: wanted } })
    expect(text).toBe('世界,"""quoted"", said"\r\n')
  })

  test('one that is not there fails with the names of those that are', async () => {
    const asked = written(book, { kind: 'sheet', to: 'md', options: { sheet: 'Costs' } })
    await expect(asked).rejects.toThrow('There are 3: "Prices", "Secret", "مرحبا".')
  })

  test('merged cells stay merged in HTML, also across rows and columns that say nothing, and are in their first place in Markdown', async () => {
    const merged = flat(
      'spreadsheet',
      sheet(
        'S',
        row(
          cell('wide', 'table:number-columns-spanned="3"'),
          '<table:covered-table-cell table:number-columns-repeated="2"/>',
          cell('tall', 'table:number-rows-spanned="2"'),
        ) + row(cell('1'), '<table:table-cell/>', cell('2'), '<table:covered-table-cell/>'),
      ),
    )
    const { text } = await written(merged, { kind: 'sheet', to: 'html' })
    expect(text).toContain(
      '<tr><th colspan="2" dir="auto">wide</th><th rowspan="2" dir="auto">tall</th></tr></thead>',
    )
    expect(text).toContain('<tr><td dir="auto">1</td><td dir="auto">2</td></tr>')
    const markdown = await written(merged, { kind: 'sheet', to: 'md' })
    expect(markdown.text).toContain('| wide |  | tall |\n| --- | --- | --- |\n| 1 | 2 |  |\n')
  })

  test('a few cells far apart are no reason to write billions of commas', async () => {
    const far = flat(
      'spreadsheet',
      sheet(
        'S',
        row(cell('a')) +
          '<table:table-row table:number-rows-repeated="1000000"/>' +
          row('<table:table-cell table:number-columns-repeated="16000"/>', cell('b')),
      ),
    )
    await expect(written(far, { kind: 'sheet', to: 'csv' })).rejects.toThrow(/too large/)
    expect((await written(far, { kind: 'sheet', to: 'md' })).text).toContain(
      '| a |  |\n| --- | --- |\n|  | b |',
    )
  })

  test('a row that says something a million times over is refused before it fills the memory', async () => {
    const repeated = `<table:table-row table:number-rows-repeated="1000000">${cell('x', 'table:number-columns-repeated="1000"')}</table:table-row>`
    await expect(
      written(flat('spreadsheet', sheet('S', repeated)), { kind: 'sheet', to: 'md' }),
    ).rejects.toThrow(/2,000,000 cells/)
  })

  test('an empty book says so', async () => {
    await expect(written(flat('spreadsheet', sheet('S', '')), { kind: 'sheet', to: 'md' })).rejects.toThrow(
      /empty/,
    )
  })
})

describe('slides', () => {
  const frame = (content: string, attributes = '') => `<draw:frame ${attributes}>${content}</draw:frame>`
  const box = (content: string, presentationClass: string) =>
    frame(`<draw:text-box>${content}</draw:text-box>`, `presentation:class="${presentationClass}"`)
  const item = (text: string, more = '') => `<text:list-item><text:p>${text}</text:p>${more}</text:list-item>`
  const picture = '<draw:image><office:binary-data>iVBORw0K\nGgoAAAA=</office:binary-data></draw:image>'
  const deck = flat(
    'presentation',
    `<draw:page draw:name="p">${box('<text:p>A title</text:p>', 'title')}` +
      box(
        `<text:list text:style-name="L">${item('one', `<text:list>${item('inner')}</text:list>`)}${item('two')}</text:list>`,
        'outline',
      ) +
      box('<text:p>page 1 of 9</text:p>', 'footer') +
      frame(`${picture}<svg:desc>A moss</svg:desc>`) +
      frame(`<table:table>${row(cell('a'), cell('b'))}</table:table><draw:image/>`) +
      '<draw:custom-shape><text:p>See <text:a xlink:href="https://example.org/a_(b)">this_page</text:a> or ' +
      '<text:a xlink:href="javascript:run()">that</text:a></text:p></draw:custom-shape>' +
      `<presentation:notes>${box('<text:p>Say it slowly.</text:p>', 'notes')}</presentation:notes></draw:page>` +
      `<draw:page draw:style-name="gone">${box('<text:p>Hidden</text:p>', 'title')}</draw:page>` +
      '<draw:page><draw:custom-shape><text:p># 1. not a heading</text:p></draw:custom-shape></draw:page>',
    `${hiddenStyle}<text:list-style style:name="L"><text:list-level-style-number text:level="1" style:num-format="1"/></text:list-style>`,
  )

  test('Markdown has title, lists, pictures, tables and notes of each that is shown', async () => {
    const { text, findings } = await written(deck, { kind: 'slides', to: 'md' })
    expect(text).toBe(
      '## A title\n\n1. one\n    - inner\n2. two\n\n![A moss][picture-1]\n\n| a | b |\n| --- | --- |\n\n' +
        'See [this_page](https://example.org/a_%28b%29) or that\n\n### Notes\n\nSay it slowly.\n\n' +
        '## Slide 3\n\n\\# 1. not a heading\n\n[picture-1]: data:image/png;base64,iVBORw0KGgoAAAA=\n',
    )
    expect(findings).toMatchObject({ input: { pages: 3 }, leftOut: { slides: 1 } })
  })

  test('plain text has a line for each paragraph, item and row, and pictures as their descriptions', async () => {
    const { text, findings } = await written(deck, { kind: 'slides', to: 'txt' })
    expect(text).toBe(
      'A title\n\n1. one\n  - inner\n2. two\n\nA moss\n\na\tb\n\nSee this_page or that\n\n' +
        'Notes\n\nSay it slowly.\n\nSlide 3\n\n# 1. not a heading\n\n',
    )
    expect(findings).toMatchObject({ input: { pages: 3 }, leftOut: { slides: 1 } })
  })

  test('hidden slides come, and notes and pictures go, when that was asked for', async () => {
    const options = { slides: { hidden: true, notes: false }, pictures: 'left-out' } as const
    const { text } = await written(deck, { kind: 'slides', to: 'md', options })
    expect(text).toContain('\n\nA moss\n\n')
    expect(text).toContain('## Hidden\n')
    expect(text).not.toMatch(/Notes|slowly|data:/)
  })

  test('HTML nests lists, embeds pictures and runs nothing', async () => {
    const { text } = await written(deck, { kind: 'slides', to: 'html' })
    expect(text).toContain(
      '<ol><li dir="auto">one<ul><li dir="auto">inner</li></ul></li><li dir="auto">two</li></ol>',
    )
    expect(text).toContain('<img alt="A moss" src="data:image/png;base64,iVBORw0KGgoAAAA=">')
    expect(text).not.toContain('javascript:')
  })

  test('a chart brings its title and its figures', async () => {
    const chart =
      '<draw:object><office:document><office:body><office:chart><chart:chart><chart:title><text:p>Sales</text:p>' +
      '</chart:title><chart:axis><chart:title><text:p>Axis</text:p></chart:title></chart:axis><table:table>' +
      `${row(cell('Q1'), cell('8.2'))}</table:table></chart:chart></office:chart></office:body></office:document>` +
      '</draw:object><draw:image><office:binary-data>VkNMTVRG</office:binary-data></draw:image>'
    const page = flat('presentation', `<draw:page>${frame(chart)}</draw:page>`)
    const { text, findings } = await written(page, { kind: 'slides', to: 'md' })
    expect(text).toBe('## Slide 1\n\nSales\n\n| Q1 | 8.2 |\n| --- | --- |\n\n')
    expect(findings.leftOut).toMatchObject({ 'missing-pictures': 0 })
  })
})

test('symbols in the private area are shown as what Wingdings has there', async () => {
  const table = flat('spreadsheet', sheet('A', row(cell('one \uf0e0 two \uf0fe'))))
  expect((await written(table, { kind: 'sheet', to: 'txt' })).text).toContain('one → two ☑')
})

describe('whatever the cells say', () => {
  const text = fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: 12 })
    .map((each) => each.replaceAll('\r', '\n'))
  const table = fc.array(fc.array(text, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 5 })
  const rowsOf = (texts: readonly (readonly string[])[]): Row[] =>
    texts.map((cells, index) => ({
      row: index,
      cells: cells.map((each, column) => ({ column, text: [each], columns: 1, rows: 1 })),
    }))
  const partOf = (texts: readonly (readonly string[])[]) => [
    {
      number: 1,
      title: '',
      isHidden: false,
      blocks: [{ kind: 'table' as const, rows: rowsOf(texts) }],
      notes: [],
    },
  ]

  test('CSV gives back the same cells', () => {
    fc.assert(
      fc.property(table, fc.constantFrom(',', ';', '\t', '|'), (texts, separator) => {
        const width = Math.max(...texts.map((each) => each.length))
        const padded = texts.map((each) => [
          ...each,
          ...Array.from({ length: width - each.length }, () => ''),
        ])
        expect([...records([...csvLines(rowsOf(texts))].join(''), ',')]).toEqual(padded)
        const quoted = padded.map((each) =>
          each.map((one) => `"${one.replaceAll('"', '""')}"`).join(separator),
        )
        expect([...records(quoted.join('\n'), separator)]).toEqual(padded)
      }),
    )
  })

  test('every line of a Markdown table has as many cells', () => {
    fc.assert(
      fc.property(table, (texts) => {
        const width = Math.max(...texts.map((each) => each.length))
        const lines = [...markdownLines(partOf(texts))].join('').trimEnd().split('\n')
        for (const line of lines) expect(line.replaceAll(/\\./g, '').split('|').length, line).toBe(width + 2)
      }),
    )
  })

  test('no text becomes a tag of the page', () => {
    fc.assert(
      fc.property(table, (texts) => {
        const page = [...htmlLines(partOf(texts), '')].join('')
        const tags = page.slice(page.indexOf('<table')).match(/<[^<>]*>/g) ?? []
        for (const tag of tags)
          expect(tag).toMatch(/^<\/?(?:table|thead|tbody|tr|th|td|br|section|body|html)(?: dir="auto")?>$/)
        expect(page.slice(page.indexOf('<table')).replaceAll(/<[^<>]*>/g, '')).not.toMatch(/[<>]/)
      }),
    )
  })
})
