import { readFile, writeFile } from 'node:fs/promises'
import { docx, flatDocument, odt, openDocument, png, xlsx } from '@kiln/test-support/documents.ts'
import { type Sibling, siblingOf } from '@kiln/test-support/siblings.ts'
import { officeFile, pairOf, type TestConverter } from '@kiln/test-support/test-converter.ts'
import { useTestConverter } from '@kiln/test-support/use-test-converter.ts'
import { unzip } from '@kiln/test-support/zip.ts'
import { describe, expect, test, vi } from 'vitest'
import type { FormatName } from '../../../src/catalog/pairs.ts'

// Documents that become documents of another program, and templates and documents with macros as sources.

vi.setConfig({ testTimeout: 180_000, hookTimeout: 120_000 })

const kiln = useTestConverter()

const partsOf = async (content: Buffer | string, from: FormatName, to: FormatName) =>
  unzip(await readFile(await kiln.convert(content, from, to)))

/** What the parts say that hold what is shown. */
const shownIn = (parts: Map<string, Buffer>) =>
  [...parts]
    .filter(([name]) =>
      /^(?:word\/document|xl\/sharedStrings|xl\/worksheets\/sheet1|ppt\/slides\/slide1|content)\.xml$/.test(
        name,
      ),
    )
    .map(([, part]) => part.toString().replaceAll(/<[^<>]*>/g, ' '))
    .join(' ')

const macros = (parts: Map<string, Buffer>) =>
  [...parts].filter(([name, part]) => /vba/i.test(name) || part.includes('MACRO RAN')).map(([name]) => name)

const letter = /A letter about mosses/
const table = /Bryum/
const slides = /Slides about mosses/

describe('documents of other programs', () => {
  test.each<[FormatName, FormatName, string, RegExp]>([
    ['doc', 'docx', 'letter.doc', letter],
    ['rtf', 'docx', 'letter.rtf', letter],
    ['doc', 'odt', 'letter.doc', letter],
    ['rtf', 'odt', 'letter.rtf', letter],
    ['xls', 'xlsx', 'table.xls', table],
    ['ods', 'xlsx', 'table.ods', table],
    ['xls', 'ods', 'table.xls', table],
    ['ppt', 'pptx', 'slides.ppt', slides],
    ['odp', 'pptx', 'slides.odp', slides],
    ['pptx', 'odp', 'slides.pptx', slides],
    ['ppt', 'odp', 'slides.ppt', slides],
  ])('%s to %s', async (from, to, name, expected) => {
    expect(shownIn(await partsOf(await officeFile(name), from, to))).toMatch(expected)
  })

  test('formulas stay formulas, with what they show', async () => {
    const cells = '<row r="2"><c r="A2"><f>20+22</f><v>42</v></c></row>'
    const content = (await partsOf(xlsx({ rows: [['Sum']], cells }), 'xlsx', 'ods')).get('content.xml')
    expect(String(content)).toMatch(/table:formula="of:=20\+22"[^<>]*office:value="42"/)
  })

  test('a letter keeps its date field', async () => {
    const parts = await partsOf(await officeFile('dated.doc'), 'doc', 'docx')
    expect(String(parts.get('word/document.xml'))).toMatch(/<w:instrText[^<>]*>\s*DATE/)
  })
})

describe('templates, slide shows and documents with macros', () => {
  const plain = { doc: () => docx('A letter about mosses'), xls: () => xlsx({ rows: [['Bryum', '10']] }) }
  test.each<[Sibling, FormatName, RegExp]>([
    ['docm', 'docx', letter],
    ['docm', 'odt', letter],
    ['dotx', 'docx', letter],
    ['xlsm', 'xlsx', table],
    ['xlsm', 'ods', table],
    ['xltx', 'xlsx', table],
    ['pptm', 'pptx', slides],
    ['pptm', 'odp', slides],
    ['ppsx', 'pptx', slides],
    ['potx', 'odp', slides],
  ])('%s to %s holds its words and no macro', async (from, to, expected) => {
    const source = from.startsWith('do')
      ? plain.doc()
      : from.startsWith('x')
        ? plain.xls()
        : await officeFile('slides.pptx')
    const parts = await partsOf(siblingOf(source, from), from, to)
    expect(shownIn(parts)).toMatch(expected)
    expect(macros(parts)).toEqual([])
  })

  test('that macros were left out is in the report', async () => {
    const { report } = await kiln.converter.convertFile({
      pair: pairOf('xlsm', 'ods'),
      input: (path) => writeFile(path, siblingOf(plain.xls(), 'xlsm')),
      output: async () => {},
    })
    expect(report.leftOut).toEqual([{ what: 'macros', count: 1 }])
    expect(report.warnings.join()).toContain('They did not run, and the output has none.')
  })
})

describe('flat OpenDocument', () => {
  const flatText = flatDocument('text', '<text:p>A letter about mosses</text:p>', { macro: 'MACRO RAN' })

  test('a text becomes a package without its macro, and Markdown with its picture', async () => {
    const parts = await partsOf(flatText, 'fodt', 'odt')
    expect(shownIn(parts)).toMatch(letter)
    expect(macros(parts)).toEqual([])
    const withPicture = flatDocument(
      'text',
      '<text:p>A letter<draw:frame svg:width="1cm" svg:height="1cm"><draw:image><office:binary-data>' +
        `${png.toString('base64')}</office:binary-data></draw:image></draw:frame></text:p>`,
    )
    const markdown = await readFile(await kiln.convert(withPicture, 'fodt', 'md'), 'utf8')
    expect(markdown).toMatch(/^A letter!\[\]\(data:image\/png;base64,iVBORw0KGgo/)
  })

  test('a sheet becomes a workbook', async () => {
    const cell = '<table:table-cell office:value-type="string"><text:p>Bryum</text:p></table:table-cell>'
    const sheet = `<table:table table:name="t"><table:table-row>${cell}</table:table-row></table:table>`
    expect(shownIn(await partsOf(flatDocument('spreadsheet', sheet), 'fods', 'xlsx'))).toMatch(table)
  })

  test('a package under the name of the flat file is taken as what it is', async () => {
    expect(shownIn(await partsOf(odt('A letter about mosses'), 'fodt', 'odt'))).toMatch(letter)
  })

  test('XML of another kind, and a sheet in place of a text, are refused', async () => {
    expect(await kiln.failure('<?xml version="1.0"?><a/>', 'fodt', 'odt')).toMatch(
      /^wrong-format: .*not an FODT file/,
    )
    expect(await kiln.failure(flatDocument('spreadsheet', ''), 'fodt', 'odt')).toMatch(
      /^wrong-format: .*an ODS file/,
    )
  })
})

describe('old text documents', () => {
  test.each(['doc', 'rtf'] as const)('%s becomes Markdown, HTML, plain text and EPUB', async (from) => {
    const source = await officeFile(`letter.${from}`)
    const text = async (to: FormatName) => readFile(await kiln.convert(source, from, to), 'utf8')
    expect(await text('md')).toMatch(/^(?:#+ )?A letter about mosses$/m)
    expect(await text('html')).toMatch(/<(p|h\d)\b[^<>]*>A letter about mosses<\/\1>/)
    expect(await text('txt')).toMatch(/^A letter about mosses$/m)
    const chapters = [...(await partsOf(source, from, 'epub'))].filter(([name]) => name.endsWith('.xhtml'))
    expect(chapters.map(([, part]) => part.toString()).join('')).toMatch(letter)
  })

  test('headings, tables, links and letters of the world stay what they are', async () => {
    const cells = '\\trowd\\cellx3000\\cellx6000\\intbl red\\cell 900\\cell\\row\\pard'
    const link = '{\\field{\\*\\fldinst HYPERLINK "https://example.org/page"}{\\fldrslt a link}}'
    const rtf =
      '{\\rtf1\\ansi{\\stylesheet{\\s0 Normal;}{\\s1\\outlinelevel0 heading 1;}}' +
      `\\pard\\s1\\outlinelevel0 Glazing\\par\\pard\\s0 Gr\\'fc\\'dfe, \\u26085?\\u26412?, {\\b weight}, ${link}\\par${cells}\\par}`
    const markdown = await readFile(await kiln.convert(rtf, 'rtf', 'md'), 'utf8')
    expect(markdown).toContain('# Glazing\n')
    expect(markdown).toContain('Grüße, 日本, **weight**, [a link](https://example.org/page)')
    expect(markdown).toMatch(/\| *red *\| *900 *\|/)
  })
})

describe('sheets and slides as text', () => {
  const textOf = async (...args: Parameters<TestConverter['convert']>) =>
    readFile(await kiln.convert(...args), 'utf8')

  // A date and a share as Excel stores them, a formula with what it showed last, and text on two lines.
  const figures = xlsx(
    {
      rows: [['Name', 'Part']],
      cells:
        '<row r="2"><c r="A2" t="inlineStr"><is><t>Ä|B\n2</t></is></c><c r="B2"><f>1/4</f><v>0.25</v></c></row>',
    },
    { rows: [['Second sheet']] },
  )

  test('a workbook', async () => {
    expect(await textOf(figures, 'xlsx', 'md')).toBe(
      '## Sheet1\n\n| Name | Part |\n| --- | --- |\n| Ä\\|B<br>2 | 0.25 |\n\n## Sheet2\n\n| Second sheet |\n| --- |\n\n',
    )
    expect(await textOf(figures, 'xlsx', 'csv')).toBe('Name,Part\r\n"Ä|B\n2",0.25\r\n')
    expect(await textOf(siblingOf(figures, 'xlsm'), 'xlsm', 'csv', { options: { sheet: 'sheet2' } })).toBe(
      'Second sheet\r\n',
    )
    expect(await textOf(await officeFile('table.xls'), 'xls', 'html')).toMatch(
      /<h2[^<>]*>Sheet1<\/h2>[\s\S]*<td dir="auto">Bryum<\/td><td dir="auto">10<\/td>/,
    )
  })

  test('figures, shares and dates as they are shown', async () => {
    const style = (name: string, data: string) =>
      `<style:style style:name="${name}" style:family="table-cell" style:data-style-name="${data}"/>`
    const styles =
      '<office:automatic-styles><number:percentage-style style:name="p"><number:number number:decimal-places="1" ' +
      'number:min-decimal-places="1"/><number:text>%</number:text></number:percentage-style>' +
      '<number:date-style style:name="d"><number:day/><number:text>. </number:text><number:month number:textual="true"/>' +
      `</number:date-style>${style('share', 'p')}${style('day', 'd')}</office:automatic-styles>`
    const cells =
      '<table:table-cell table:style-name="share" office:value-type="percentage" office:value="0.075"/>' +
      '<table:table-cell table:style-name="day" office:value-type="date" office:date-value="2024-03-02"/>'
    const sheet = `<table:table table:name="t"><table:table-row>${cells}</table:table-row></table:table>`
    const numbers = 'xmlns:number="urn:oasis:names:tc:opendocument:xmlns:datastyle:1.0"'
    const before = styles.replace('<office:automatic-styles', `<office:automatic-styles ${numbers}`)
    expect(await textOf(openDocument('spreadsheet', sheet, { before }), 'ods', 'csv')).toBe('7.5%,2. Mar\r\n')
  })

  test('slides', async () => {
    expect(await textOf(await officeFile('slides.pptx'), 'pptx', 'md')).toBe(
      '## Slide 1\n\nSlides about mosses\n\n',
    )
    expect(await textOf(await officeFile('slides.odp'), 'odp', 'html')).toContain(
      '<p dir="auto">Slides about mosses</p>',
    )
    for (const from of ['pptx', 'ppt', 'odp'] as const) {
      const text = await textOf(await officeFile(`slides.${from}`), from, 'txt')
      expect(text, from).toBe('Slide 1\n\nSlides about mosses\n\n')
    }
  })

  test('CSV, in an old encoding and with semicolons', async () => {
    const csv = Buffer.from('Name;Code\n\xc4pfel;007\n"a;b|c";"1,5"\n', 'latin1')
    expect(await textOf(csv, 'csv', 'md')).toBe(
      '| Name | Code |\n| --- | --- |\n| Äpfel | 007 |\n| a;b\\|c | 1,5 |\n\n',
    )
  })
})
