import { readFile } from 'node:fs/promises'
import {
  docx,
  docxWith,
  docxWithChart,
  field,
  odt,
  openDocument,
  paragraph,
  sheetMain,
  wordMain,
  xlsx,
} from '@kiln/test-support/documents.ts'
import { pdfFacts, pdfText } from '@kiln/test-support/pdf-facts.ts'
import { officeFile, openTestConverter, pairsOf } from '@kiln/test-support/test-converter.ts'
import { useTestConverter } from '@kiln/test-support/use-test-converter.ts'
import { describe, expect, test, vi } from 'vitest'
import type { FormatName } from '../../../src/catalog/pairs.ts'

// Each starts programs; a busy machine takes its time.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 120_000 })

const kiln = useTestConverter()

const toPdf = (content: Buffer | string, from: FormatName) => kiln.convert(content, from, 'pdf')
const textOf = async (content: Buffer | string, from: FormatName) => pdfText(await toPdf(content, from))

const a4 = { width: 595, height: 842 }

test('the version is known', async () => {
  const { engines } = await kiln.converter.describe()
  expect(engines.find(({ name }) => name === 'libreoffice')?.detail).toMatch(/^LibreOffice \d+\.\d+/)
})

describe('every office format becomes a PDF that says the same', () => {
  test.each<[string, FormatName, () => Buffer | Promise<Buffer>, RegExp]>([
    ['docx', 'docx', () => docx('A letter about mosses'), /A letter about mosses/],
    ['doc', 'doc', () => officeFile('letter.doc'), /A letter about mosses/],
    ['odt', 'odt', () => odt('A letter about mosses'), /A letter about mosses/],
    ['rtf', 'rtf', () => officeFile('letter.rtf'), /A letter about mosses/],
    ['xlsx', 'xlsx', () => xlsx({ rows: [['Bryum', '10']] }), /Bryum\s+10/],
    ['xls', 'xls', () => officeFile('table.xls'), /Bryum\s+10/],
    ['ods', 'ods', () => officeFile('table.ods'), /Bryum\s+10/],
    ['pptx', 'pptx', () => officeFile('slides.pptx'), /Slides about mosses/],
    ['ppt', 'ppt', () => officeFile('slides.ppt'), /Slides about mosses/],
    ['odp', 'odp', () => officeFile('slides.odp'), /Slides about mosses/],
    ['odg', 'odg', () => officeFile('drawing.odg'), /A drawing of mosses/],
  ])('%s', async (_, from, make, expected) => {
    expect(await textOf(await make(), from)).toMatch(expected)
  })

  test('documents with macros and templates, under the plain format', async () => {
    const macros = docxWith(paragraph('With macros'), {
      mainType: 'application/vnd.ms-word.document.macroEnabled.main+xml',
    })
    const template = docxWith(paragraph('A template'), {
      mainType: wordMain.replace('document.main', 'template.main'),
    })
    expect(await textOf(macros, 'docx')).toContain('With macros')
    expect(await textOf(template, 'docx')).toContain('A template')
    expect(sheetMain).toContain('sheet.main')
  })
})

test('a chart is drawn, with its title and its labels', async () => {
  expect(await textOf(docxWithChart('Heights', ['Bryum', 'Sphagnum']), 'docx')).toMatch(
    /Heights[\s\S]*Sphagnum/,
  )
})

describe('plain text and tables', () => {
  test('text in UTF-8 and in an old encoding', async () => {
    expect(await textOf('Grüße aus Köln, 世界', 'txt')).toContain('Grüße aus Köln, 世界')
    expect(await textOf(Buffer.from('Gr\xfc\xdfe aus K\xf6ln', 'latin1'), 'txt')).toContain('Grüße aus Köln')
  })

  test('a table with semicolons says what the file says', async () => {
    const text = await textOf('Name;Code;Price\nÄpfel;007;1.50\n"with; semicolon";010;2,75\n', 'csv')
    expect(text).toMatch(/Äpfel\s+007\s+1\.50/)
    expect(text).toMatch(/with; semicolon\s+010\s+2,75/)
  })

  const long = 'a comment that goes on and on '.repeat(12)
  const tableOfLongText = `Name,Comment,Last\nBryum,${long},end\n`
  const expectWrapped = async (path: string) => {
    const { pages, sizes } = await pdfFacts(path)
    expect(pages).toBe(1)
    expect(Math.round(sizes[0]?.width ?? 0)).toBe(a4.width)
    expect((await pdfText(path)).match(/a comment/g)?.length).toBeGreaterThan(1)
    expect(await pdfText(path)).toMatch(/Bryum .* end/)
  }

  test('long text is wrapped in its column, so that the rest keeps its size', async () => {
    await expectWrapped(await toPdf(tableOfLongText, 'csv'))
  })

  test('long text is wrapped by a LibreOffice that starts for it', async () => {
    const cold = await openTestConverter({ pairs: pairsOf('libreoffice'), waiting: 0 })
    try {
      await expectWrapped(await cold.convert(tableOfLongText, 'csv', 'pdf'))
    } finally {
      await cold.close()
    }
  })

  test('a formula in a table stays text', async () => {
    const text = await textOf('a,b\n=1+1,"=WEBSERVICE(""http://127.0.0.1:9/"")"\n', 'csv')
    expect(text).toContain('=1+1')
    expect(text).toContain('=WEBSERVICE')
  })
})

describe('what a person put into a document stays', () => {
  test('a letter keeps its date, its time and its file name', async () => {
    const letter = docxWith(
      field('DATE \\@ "d MMMM yyyy"', '3 February 2019') +
        field('TIME', '04:05') +
        field('FILENAME', 'letter.docx'),
    )
    const text = await textOf(letter, 'docx')
    expect(text).toContain('3 February 2019')
    expect(text).toContain('04:05')
    expect(text).toContain('letter.docx')
  })

  test('in OpenDocument and RTF too', async () => {
    const letter = odt('<text:date text:date-value="2019-02-03">3 February 2019</text:date>')
    expect(await textOf(letter, 'odt')).toContain('3 February 2019')
    const rich = '{\\rtf1 On {\\field{\\*\\fldinst DATE \\\\@ "d MMMM yyyy"}{\\fldrslt 3 February 2019}}}'
    expect(await textOf(rich, 'rtf')).toContain('3 February 2019')
  })

  test('in a binary document too', async () => {
    expect(await textOf(await officeFile('dated.doc'), 'doc')).toContain('2019-02-03')
  })

  test('so do fields of properties in a binary document', async () => {
    const [date, title] = [Buffer.from([0x13, 31]), Buffer.from([0x13, 15])]
    const titled = Buffer.from(await officeFile('dated.doc'))
    titled.set(title, titled.indexOf(date))
    expect(await textOf(titled, 'doc')).toContain('2019-02-03')
  })

  test('headings become bookmarks, and the PDF is tagged', async () => {
    const styles =
      '<?xml version="1.0"?><w:styles xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">' +
      '<w:style w:type="paragraph" w:styleId="Heading1"><w:name w:val="heading 1"/><w:pPr><w:outlineLvl w:val="0"/></w:pPr></w:style></w:styles>'
    const letter = docxWith(
      `<w:p><w:pPr><w:pStyle w:val="Heading1"/></w:pPr><w:r><w:t>First part</w:t></w:r></w:p>${paragraph('text')}`,
      {
        relationships: [{ id: 's', type: 'styles', target: 'styles.xml' }],
        entries: [{ name: 'word/styles.xml', content: styles }],
      },
    )
    const path = await toPdf(letter, 'docx')
    expect((await pdfFacts(path)).tagged).toBe(true)
    expect(await outlineOf(path)).toContain('First part')
  })

  test('text in Calibri keeps its line breaks: a metric-compatible font stands in', async () => {
    const run = (text: string) =>
      `<w:p><w:r><w:rPr><w:rFonts w:ascii="Calibri" w:hAnsi="Calibri"/></w:rPr><w:t>${text}</w:t></w:r></w:p>`
    const path = await toPdf(docxWith(run('Mosses grow')), 'docx')
    expect(await fontsOf(path)).toMatch(/KilnSans1/)
  })

  test('a font that comes with the document is used', async () => {
    const path = await toPdf(await odtWithOwnFont(), 'odt')
    expect(await fontsOf(path)).toMatch(/KilnVuSansMono/)
    expect(await pdfText(path)).toContain('In a font of its own')
  })
})

/** DejaVu under a name that no system has: a program that draws with it has it from the document. */
async function odtWithOwnFont(): Promise<Buffer> {
  const font = await readFile('/usr/share/fonts/truetype/dejavu/DejaVuSansMono.ttf')
  for (const encoding of ['latin1', 'utf16le'] as const) {
    const [known, own] = [Buffer.from('DejaVu', encoding), Buffer.from('KilnVu', encoding)]
    // Names in fonts have the high byte first.
    if (encoding === 'utf16le') for (const name of [known, own]) name.swap16()
    for (let at = font.indexOf(known); at !== -1; at = font.indexOf(known, at + 1)) own.copy(font, at)
  }
  const fonts =
    '<office:font-face-decls><style:font-face style:name="Own" svg:font-family="KilnVu Sans Mono"><svg:font-face-src>' +
    '<svg:font-face-uri xlink:href="Fonts/own.ttf" xlink:type="simple"><svg:font-face-format svg:string="truetype"/>' +
    '</svg:font-face-uri></svg:font-face-src></style:font-face></office:font-face-decls><office:automatic-styles>' +
    '<style:style style:name="P" style:family="paragraph"><style:text-properties style:font-name="Own"/></style:style>' +
    '</office:automatic-styles>'
  const body = '<text:p text:style-name="P">In a font of its own</text:p>'
  return openDocument('text', body, {
    before: fonts,
    entries: [{ name: 'Fonts/own.ttf', content: font, type: 'application/x-font-ttf' }],
  })
}

async function outlineOf(path: string): Promise<string> {
  const { execFileSync } = await import('node:child_process')
  return execFileSync('pdftohtml', ['-xml', '-stdout', '-i', path], { encoding: 'utf8' })
}

async function fontsOf(path: string): Promise<string> {
  const { execFileSync } = await import('node:child_process')
  return execFileSync('pdffonts', [path], { encoding: 'utf8' })
}
