import { readFile } from 'node:fs/promises'
import { docxWith, openDocument, paragraph, xlsx } from '@kiln/test-support/documents.ts'
import { expect, test } from 'vitest'
import { someClient } from './accounts.ts'
import { askPoppler, convertWith, type Options, pagesOf, photograph, runWith } from './options.ts'
import { pdfText } from './pdf-text.ts'
import { requirement } from './requirements.ts'

// Each option of office documents, verified in the output. One conversion covers several.

const client = someClient()

const toPdf = (pair: string, file: Uint8Array, options: Options) =>
  convertWith(client, pair, new Uint8Array(file), options)

const office = (name: string) =>
  readFile(new URL(`../packages/test-support/src/office/${name}`, import.meta.url))

const by = 'w:author="Ann" w:date="2024-01-01T00:00:00Z"'
const reviewed = docxWith(
  '<w:p><w:commentRangeStart w:id="0"/><w:r><w:t>Kept words</w:t></w:r><w:commentRangeEnd w:id="0"/>' +
    '<w:r><w:commentReference w:id="0"/></w:r>' +
    `<w:ins w:id="1" ${by}><w:r><w:t>inserted</w:t></w:r></w:ins>` +
    `<w:del w:id="2" ${by}><w:r><w:delText>deleted</w:delText></w:r></w:del></w:p>` +
    `<w:p><w:r><w:br w:type="page"/></w:r></w:p>${paragraph('Second sheet')}`,
  {
    relationships: [{ id: 'c1', type: 'comments', target: 'comments.xml' }],
    entries: [
      {
        name: 'word/comments.xml',
        content:
          '<w:comments xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">' +
          `<w:comment w:id="0" ${by}>${paragraph('Remark in the margin')}</w:comment></w:comments>`,
      },
    ],
  },
)

test(`${requirement('office-options.pages', 'office-options.tracked-changes', 'office-options.comments', 'office-options.pdfa', 'office-options.pdfua')} a reviewed text`, async () => {
  const shown = await toPdf('docx-to-pdf', reviewed, {
    pages: '1',
    trackedChanges: 'shown',
    comments: 'shown',
    pdfa: '2b',
    pdfua: true,
  })
  expect(await pagesOf(shown)).toBe(1)
  const text = (await pdfText(shown)).replaceAll(/\s+/g, ' ')
  for (const words of ['Kept words', 'inserted', 'deleted', 'Remark in the margin'])
    expect(text).toContain(words)
  const metadata = await askPoppler('pdfinfo', ['-meta'], shown)
  expect(metadata).toMatch(/<pdfaid:part>2<[\s\S]*<pdfaid:conformance>B</)
  expect(metadata).toMatch(/<pdfuaid:part>1</)
  expect(Buffer.from(shown).toString('latin1')).toContain('/OutputIntent')
  const fonts = (await askPoppler('pdffonts', [], shown)).trim().split('\n').slice(2)
  expect(fonts.length).toBeGreaterThan(0)
  for (const font of fonts) expect(font).toMatch(/ yes (yes|no ) (yes|no ) +\d+ +\d+$/)

  const plain = await toPdf('docx-to-pdf', reviewed, {
    trackedChanges: 'left-out',
    comments: 'as-in-file',
    pdfa: '1b',
  })
  expect(await pagesOf(plain)).toBe(2)
  const final = await pdfText(plain)
  expect(final).toContain('Kept words')
  expect(final).toContain('inserted')
  expect(final).not.toMatch(/deleted|Remark/)
  const bytes = Buffer.from(plain).toString('latin1')
  expect(bytes).toMatch(/\/Subtype ?\/Text\b/)
  expect(bytes).toContain(utf16Hex('Remark'))
  expect(await askPoppler('pdfinfo', ['-meta'], plain)).toMatch(/<pdfaid:part>1</)

  const bare = await toPdf('docx-to-pdf', reviewed, { comments: 'left-out', pages: '2' })
  expect(await pdfText(bare)).toMatch(/^Second sheet\s*$/)
  expect(Buffer.from(bare).toString('latin1')).not.toMatch(/\/Subtype ?\/Text\b/)
  const beyond = await runWith(client, 'docx-to-pdf', new Uint8Array(reviewed), { pages: '7-' })
  expect(beyond.error).toMatch(/^unsupported: .*2 pages.*`pages`/)
}, 120_000)

const utf16Hex = (text: string) => Buffer.from(text, 'utf16le').swap16().toString('hex').toUpperCase()

const presentation = 'xmlns:presentation="urn:oasis:names:tc:opendocument:xmlns:presentation:1.0"'

const note = (text: string) =>
  `<presentation:notes ${presentation}>` +
  '<draw:page-thumbnail presentation:class="page" svg:width="14cm" svg:height="11cm" svg:x="3cm" svg:y="2cm"/>' +
  '<draw:frame presentation:class="notes" svg:width="16cm" svg:height="12cm" svg:x="2cm" svg:y="14cm">' +
  `<draw:text-box><text:p>${text}</text:p></draw:text-box></draw:frame></presentation:notes>`
const slide = (text: string, rest = '') =>
  `<draw:page draw:name="${text}" ${rest}><draw:frame svg:x="2cm" svg:y="2cm" svg:width="12cm" svg:height="3cm">` +
  `<draw:text-box><text:p>${text}</text:p></draw:text-box></draw:frame>${note(`Note on ${text}`)}</draw:page>`

test(`${requirement('office-options.slides')} slides`, async () => {
  const slides = openDocument('presentation', slide('First') + slide('Hidden', 'draw:style-name="hidden"'), {
    before:
      `<office:automatic-styles ${presentation}><style:style style:name="hidden" style:family="drawing-page">` +
      '<style:drawing-page-properties presentation:visibility="hidden"/></style:style></office:automatic-styles>',
  })
  const all = await pdfText(await toPdf('odp-to-pdf', slides, { slides: ['hidden', 'notes'] }))
  expect(all).toMatch(/First[\s\S]*Hidden[\s\S]*Note on First[\s\S]*Note on Hidden/)
  const shown = await pdfText(await toPdf('odp-to-pdf', slides, { comments: 'left-out' }))
  expect(shown).toContain('First')
  expect(shown).not.toMatch(/Hidden|Note/)
}, 120_000)

test(`${requirement('office-options.comments')} comments of a sheet`, async () => {
  const commented =
    '<table:table table:name="Clays"><table:table-row><table:table-cell office:value-type="string">' +
    '<office:annotation><text:p>Remark on the cell</text:p></office:annotation><text:p>Stoneware</text:p>' +
    '</table:table-cell></table:table-row></table:table>'
  const sheet = openDocument('spreadsheet', commented)
  const shown = await toPdf('ods-to-pdf', sheet, { comments: 'shown' })
  expect([await pagesOf(shown), await pdfText(shown)]).toEqual([
    2,
    expect.stringMatching(/Stoneware[\s\S]*A1[\s\S]*Remark on the cell/),
  ])
  const left = await toPdf('ods-to-pdf', sheet, { comments: 'left-out' })
  expect([await pagesOf(left), await pdfText(left)]).toEqual([1, expect.not.stringContaining('Remark')])
}, 120_000)

test(`${requirement('office-options.sheets')} sheets`, async () => {
  const row = Array.from({ length: 30 }, (_, column) => `Column ${column}`)
  const wide = xlsx({ rows: [row], after: '<pageSetup orientation="portrait" paperSize="9"/>' })
  expect(await pagesOf(await toPdf('xlsx-to-pdf', wide, { sheets: 'as-in-file' }))).toBeGreaterThan(1)
  expect(await pagesOf(await toPdf('xlsx-to-pdf', wide, { sheets: 'fit-width' }))).toBe(1)
}, 120_000)

test(`${requirement('office-options.quality')} pictures`, async () => {
  const size = '<wp:extent cx="3000000" cy="3000000"/>'
  const file = docxWith(
    `${paragraph('A photograph')}<w:p><w:r><w:drawing><wp:inline>${size}<wp:docPr id="1" name="p"/><a:graphic>` +
      '<a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/picture"><pic:pic><pic:nvPicPr><pic:cNvPr id="1" name="p"/><pic:cNvPicPr/></pic:nvPicPr>' +
      '<pic:blipFill><a:blip r:embed="p1"/><a:stretch><a:fillRect/></a:stretch></pic:blipFill><pic:spPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="3000000" cy="3000000"/></a:xfrm><a:prstGeom prst="rect"/></pic:spPr></pic:pic>' +
      '</a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>',
    {
      relationships: [{ id: 'p1', type: 'image', target: 'media/p.png' }],
      entries: [{ name: 'word/media/p.png', content: photograph() }],
    },
  )
  const [small, large] = await Promise.all([5, 95].map((quality) => toPdf('docx-to-pdf', file, { quality })))
  expect((small?.length ?? 0) * 2).toBeLessThan(large?.length ?? 0)
  expect(await pdfText(small as Uint8Array)).toContain('A photograph')
}, 120_000)

test(`${requirement('office-options.password', 'failed.password-protected')} a password`, async () => {
  for (const [name, words] of [
    ['docx', 'A letter about mosses'],
    ['xls', 'Bryum'],
  ] as const) {
    const file = new Uint8Array(await office(`protected.${name}`))
    const pair = `${name}-to-pdf`
    expect(await pdfText(await convertWith(client, pair, file, { password: 'secret' }))).toContain(words)
    const wrong = await runWith(client, pair, file, { password: 'Secret' })
    expect(wrong.error).toMatch(/^password-protected: .*`password` does not open/)
    const missing = await runWith(client, pair, file, {})
    expect(missing.error).toMatch(/^password-protected: .*option `password`/)
  }
}, 120_000)
