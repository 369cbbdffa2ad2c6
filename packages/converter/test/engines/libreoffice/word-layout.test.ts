import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { type DocxOptions, docxWith, field } from '@kiln/test-support/documents.ts'
import { useTestConverter } from '@kiln/test-support/use-test-converter.ts'
import { beforeAll, expect, test } from 'vitest'

// Layout of Word documents that LibreOffice reads differently.

const run = promisify(execFile)
const namespace = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'

const kiln = useTestConverter()
beforeAll(() => kiln.converter.prepare())

const convert = (body: string, options: DocxOptions) => kiln.convert(docxWith(body, options), 'docx', 'pdf')

const withParts = (parts: Record<'styles' | 'settings', string>): DocxOptions => ({
  relationships: Object.keys(parts).map((type) => ({ id: type, type, target: `${type}.xml` })),
  entries: Object.entries(parts).map(([name, content]) => ({
    name: `word/${name}.xml`,
    content: `<w:${name} ${namespace}>${content}</w:${name}>`,
  })),
})

const chinese =
  '<w:docDefaults><w:rPrDefault><w:rPr><w:rFonts w:eastAsia="SimSun"/><w:sz w:val="20"/>' +
  '<w:lang w:val="en-US" w:eastAsia="zh-CN"/></w:rPr></w:rPrDefault></w:docDefaults>' +
  '<w:style w:type="paragraph" w:default="1" w:styleId="Normal"><w:name w:val="Normal"/></w:style>'

const textOf = async (path: string): Promise<string[]> =>
  (await run('pdftotext', ['-layout', path, '-'])).stdout
    .split('\n')
    .map((line) => line.replaceAll('\f', '').trim())
    .filter((line) => line !== '')

const twenty = '不同的计划治理的范围可能有所不同例如一个。后面的内容'
/** Lines of a paragraph whose twenty-first character, of twenty that fit, is a full-width mark. */
async function linesOf(compression: string, properties = '', text = twenty): Promise<string[]> {
  const body =
    `<w:p><w:pPr>${properties}</w:pPr><w:r><w:t>${text}</w:t></w:r></w:p>` +
    '<w:sectPr><w:pgSz w:w="6000" w:h="8000"/><w:pgMar w:left="1000" w:right="950" w:top="500" w:bottom="500"/></w:sectPr>'
  const settings = `<w:characterSpacingControl w:val="${compression}"/>`
  const path = await convert(body, withParts({ styles: chinese, settings }))
  return textOf(path)
}

const hanging = ['不同的计划治理的范围可能有所不同例如一个。', '后面的内容']
const kept = ['不同的计划治理的范围可能有所不同例如一', '个。后面的内容']

test('a full-width mark hangs over the end of the line only if it may be compressed', async () => {
  expect(await linesOf('compressPunctuation')).toEqual(hanging)
  expect(await linesOf('doNotCompress')).toEqual(kept)
})

test('marks become narrower if that fits another character on the line', async () => {
  const marks = '不，同，的，计，划，治，理，范，围，可能有所不同的计划治理的范围'
  const lengthOf = async (compression: string) => (await linesOf(compression, '', marks))[0]?.length
  expect(await lengthOf('doNotCompress')).toBe(20)
  expect(await lengthOf('compressPunctuation')).toBeGreaterThan(20)
})

test('a paragraph says whether marks hang', async () => {
  expect(await linesOf('compressPunctuation', '<w:overflowPunct w:val="0"/>')).toEqual(kept)
  expect(await linesOf('doNotCompress', '<w:overflowPunct/>')).toEqual(hanging)
})

test('a Korean word with a number in it is not broken', async () => {
  const korean = chinese.replace('SimSun', 'Malgun Gothic').replace('zh-CN', 'ko-KR')
  const runOf = (text: string) => `<w:r><w:t xml:space="preserve">${text}</w:t></w:r>`
  const before = '가나다라마바사아자차 가나다라마바사 '
  const body =
    `<w:p>${runOf(`${before}12년간 누설`)}</w:p><w:p>${runOf(`${before}12`)}${runOf('년간 누설')}</w:p>` +
    '<w:sectPr><w:pgSz w:w="6000" w:h="8000"/><w:pgMar w:left="1000" w:right="950" w:top="500" w:bottom="500"/></w:sectPr>'
  const lines = await textOf(await convert(body, withParts({ styles: korean, settings: '' })))
  expect(lines.map((line) => line.replaceAll(' ', ''))).toEqual(
    Array(2)
      .fill([before.replaceAll(' ', ''), '12년간누설'])
      .flat(),
  )
})

test('headings of a table of contents with a list of styles keep their own layout', async () => {
  const heading =
    '<w:style w:type="paragraph" w:styleId="Heading1"><w:name w:val="heading 1"/><w:pPr><w:outlineLvl w:val="0"/>' +
    '<w:ind w:left="1000"/></w:pPr></w:style>'
  const body =
    `${field('TOC \\o "1-3" \\h \\t "Heading 1;1;Annex;1"', 'Contents')}` +
    '<w:p><w:pPr><w:pStyle w:val="Heading1"/><w:ind w:left="0"/></w:pPr><w:r><w:t>Scope</w:t></w:r></w:p>'
  const path = await convert(body, withParts({ styles: heading, settings: '' }))
  const { stdout } = await run('pdftotext', ['-bbox', path, '-'])
  const left = (text: string) => new RegExp(`xMin="([\\d.]+)"[^>]*>${text}<`).exec(stdout)?.[1]
  expect(left('Contents')).toBeDefined()
  expect(left('Scope')).toBe(left('Contents'))
})

test('tracked changes are accepted, as in a print of Word, unless they are asked for', async () => {
  const by = 'w:author="Ann" w:date="2024-01-01T00:00:00Z"'
  const run = (text: string) => `<w:r><w:t xml:space="preserve">${text} </w:t></w:r>`
  const gone = (id: number, text: string) =>
    `<w:del w:id="${id}" ${by}><w:r><w:delText xml:space="preserve">${text} </w:delText></w:r></w:del>`
  const mark = `<w:pPr><w:rPr><w:del w:id="3" ${by}/></w:rPr></w:pPr>`
  const body =
    `<w:p>${mark}${run('Bryum')}<w:ins w:id="1" ${by}>${run('argenteum')}</w:ins>${gone(2, 'capillare')}</w:p>` +
    `<w:p>${run('Pohlia')}</w:p><w:p>${gone(4, 'nutans')}</w:p>`
  expect(await textOf(await convert(body, {}))).toEqual(['Bryum argenteum Pohlia'])
  const asInFile = await kiln.convert(docxWith(body), 'docx', 'pdf', {
    options: { trackedChanges: 'as-in-file' },
  })
  expect((await textOf(asInFile)).join(' ')).toMatch(/Bryum argenteum capillare\s+Pohlia\s+nutans/)
})

test('a blank page keeps odd pages on the right in a document with facing pages', async () => {
  const section = (more: string) => `<w:sectPr><w:pgSz w:w="6000" w:h="8000"/>${more}</w:sectPr>`
  const body =
    `<w:p><w:pPr>${section('')}</w:pPr><w:r><w:t>Bryum</w:t></w:r></w:p><w:p><w:r><w:t>Pohlia</w:t></w:r></w:p>` +
    section('<w:pgNumType w:start="1"/>')
  const converted = (settings: string) => convert(body, withParts({ styles: '', settings }))
  expect(await countPages(await converted('<w:evenAndOddHeaders/>'))).toBe(3)
  expect(await countPages(await converted(''))).toBe(2)
})

const countPages = async (pdf: string): Promise<number> =>
  Number(/Pages: +(\d+)/.exec((await run('pdfinfo', [pdf])).stdout)?.[1])

test.each([
  ['\\facingp', 3],
  ['', 2],
])('so in rtf with the property %j', async (property, pages) => {
  const text = `{\\rtf1\\ansi${property} Bryum\\par\\sect\\sectd\\pgnrestart\\pgnstarts1 Pohlia\\par}`
  expect(await countPages(await kiln.convert(Buffer.from(text), 'rtf', 'pdf'))).toBe(pages)
})

test('a document whose text is all deleted or moved away is an empty page', async () => {
  const text = 'Eight words that somebody has deleted since the first draft'
  const rtf = `{\\rtf1\\ansi{\\*\\revtbl{Ann;}}{\\deleted\\revauthdel0 ${text}}\\par}`
  const from = '<w:moveFrom w:id="1" w:author="Ann" w:date="2024-01-01T00:00:00Z">'
  const moved = docxWith(`<w:p>${from}<w:r><w:t>${text}</w:t></w:r></w:moveFrom></w:p>`)
  expect(await textOf(await kiln.convert(Buffer.from(rtf), 'rtf', 'pdf'))).toEqual([])
  expect(await textOf(await kiln.convert(moved, 'docx', 'pdf'))).toEqual([])
})

test('a cross-reference keeps its stored text and formatting, and is a link', async () => {
  const mark = (name: string) => `<w:bookmark${name} w:id="1"${name === 'Start' ? ' w:name="_Ref12"' : ''}/>`
  const heading = `<w:p>${mark('Start')}<w:r><w:t>Bryum</w:t></w:r>${mark('End')}</w:p>`
  const reference = field('REF _Ref12 \\h', 'Pohlia').replace('<w:r><w:t>', '<w:r><w:rPr><w:b/></w:rPr><w:t>')
  const path = await convert(heading + reference, {})
  expect(await textOf(path)).toEqual(['Bryum', 'Pohlia'])
  expect((await run('pdffonts', [path])).stdout).toContain('Bold')
  expect((await readFile(path, 'latin1')).match(/\/Subtype ?\/Link/g)).toHaveLength(1)
})

test('content controls are printed, not made fields of a form', async () => {
  const control = (properties: string, shown: string) =>
    `<w:sdt><w:sdtPr>${properties}</w:sdtPr><w:sdtContent><w:r><w:t>${shown}</w:t></w:r></w:sdtContent></w:sdt>`
  const box = '<w14:checkbox xmlns:w14="http://schemas.microsoft.com/office/word/2010/wordml"/>'
  const path = await convert(`<w:p>${control('<w:text/>', 'Name')}${control(box, '☒')}</w:p>`, {})
  expect(await textOf(path)).toEqual(['Name☒'])
  expect((await readFile(path)).includes('/AcroForm')).toBe(false)
})

test('a floating table that is aligned to a margin reaches it', async () => {
  const table = (edge: string) =>
    `<w:tbl><w:tblPr><w:tblpPr w:leftFromText="720" w:rightFromText="720" w:vertAnchor="text" w:horzAnchor="margin" w:tblpXSpec="${edge}" w:tblpY="1"/><w:tblW w:w="2000" w:type="dxa"/></w:tblPr><w:tblGrid><w:gridCol w:w="2000"/></w:tblGrid><w:tr><w:tc><w:p><w:pPr><w:jc w:val="${edge}"/></w:pPr><w:r><w:t>${edge}</w:t></w:r></w:p></w:tc></w:tr></w:tbl><w:p/><w:p/>`
  const { stdout } = await run('pdftotext', ['-bbox', await convert(table('left') + table('right'), {}), '-'])
  const edgeOf = (word: string, side: string) =>
    Number(new RegExp(`${side}="([\\d.]+)"[^<]*>${word}<`).exec(stdout)?.[1])
  // Margins of 72 points, and cells with a padding of 5.4 points that may be before the margin.
  expect(edgeOf('left', 'xMin')).toBeLessThan(72 + 6)
  expect(edgeOf('right', 'xMax')).toBeGreaterThan(612 - 72 - 12)
})
