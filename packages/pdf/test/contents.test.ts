import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { pdfFile } from '@kiln/test-support/pdf-file.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { convertPdf } from '../src/convert.ts'
import { flatDocument, heading, list, note, paragraph, span, table } from './flat-document.ts'
import { openWorkshop, pdfWith, unzip, type Workshop } from './office.ts'

// What a Word file must hold, one document with a little of everything: with tags and bookmarks in the PDF,
// and without them.

let shop: Workshop
beforeAll(() => {
  shop = openWorkshop()
})
afterAll(() => shop.close())

const long =
  'A sentence that is long enough to fill more than one line of the page when it is set in an ordinary size. '

const everything = flatDocument({
  title: 'All of it',
  author: 'Ada Lovelace',
  language: 'de-AT',
  header: 'Running head',
  footer: 'Page <text:page-number text:select-page="current">1</text:page-number>',
  body:
    heading(1, 'First part') +
    paragraph(long.repeat(3)) +
    paragraph(
      `Plain, ${span('B', 'bold')}, ${span('I', 'italic')}, ${span('U', 'underlined')}, ${span('S', 'struck')}, H${span('Sub', '2')}O and x${span('Sup', '7')}.`,
    ) +
    paragraph(`A claim${note(1, 'The proof of it.')} and another${note(2, 'See elsewhere.')}. ${long}`) +
    heading(2, 'Lists') +
    list(
      'Bullets',
      paragraph('one'),
      paragraph('two') + list('Bullets', paragraph('inner one'), paragraph('inner two')),
      paragraph('three'),
    ) +
    list(
      'Numbers',
      paragraph('alpha'),
      paragraph('beta') + list('Numbers', paragraph('inner alpha'), paragraph('inner beta')),
      paragraph('gamma'),
    ) +
    heading(2, 'Table') +
    table([
      ['Name', 'Count'],
      ['Apples', '12'],
      ['Pears', '7'],
    ]) +
    paragraph(
      'Now <text:a xlink:type="simple" xlink:href="#there">jump to the end</text:a> or see <text:a xlink:type="simple" xlink:href="https://example.org/a?b=1&amp;c=2">the site</text:a>.',
    ) +
    `<text:section text:style-name="Two" text:name="s">${paragraph(long.repeat(5))}${paragraph(long.repeat(5))}</text:section>` +
    paragraph(long.repeat(2)) +
    paragraph('مرحبا بالعالم هذا نص عربي قصير في سطر واحد', 'Rtl') +
    paragraph('日本語の段落です。改行されるほど長くはありません。') +
    paragraph(`Wide page. ${long}`, 'Land') +
    paragraph(`Back again. ${long}`, 'Back') +
    heading(1, '<text:bookmark text:name="there"/>The end') +
    paragraph(long),
})

const textOf = (xml: string): string =>
  [...xml.matchAll(/<w:t(?: [^>]*)?>([^<]*)<\/w:t>/g)].map((m) => m[1]).join('')
const paragraphsIn = (xml: string): string[] => xml.match(/<w:p>.*?<\/w:p>/gs) ?? []

describe.each([
  { name: 'without tags', tags: false },
  { name: 'with tags and bookmarks', tags: true },
])('$name', ({ tags }) => {
  let parts: Map<string, Buffer>
  let body: string
  const part = (name: string): string => parts.get(name)?.toString('utf8') ?? ''
  const withText = (text: string): string => paragraphsIn(body).find((p) => textOf(p).includes(text)) ?? ''
  const exactly = (text: string): string => paragraphsIn(body).find((p) => textOf(p) === text) ?? ''
  const runWith = (text: string): string =>
    body.match(/<w:r>.*?<\/w:r>/gs)?.find((r) => textOf(r).trim() === text) ?? ''

  beforeAll(() => {
    const source = shop.write(`everything-${tags}.fodt`, everything)
    const pdf = shop.office(source, pdfWith({ UseTaggedPDF: tags, ExportBookmarks: tags }))
    parts = unzip(shop.convert(pdf, `everything-${tags}.docx`))
    body = part('word/document.xml')
  }, 180_000)

  it('headings by level', () => {
    expect(withText('First part')).toContain('<w:pStyle w:val="Heading1"/>')
    expect(withText('The end')).toContain('<w:pStyle w:val="Heading1"/>')
    expect(withText('Lists')).toContain('<w:pStyle w:val="Heading2"/>')
    expect(body.match(/<w:pStyle w:val="(Heading\d|Title)"\/>/g)).toHaveLength(4)
  })

  it('bold, italic, underlined, struck, raised and lowered', () => {
    expect(runWith('bold')).toContain('<w:b/>')
    expect(runWith('italic')).toContain('<w:i/>')
    expect(runWith('underlined')).toContain('<w:u w:val="single"/>')
    expect(runWith('struck')).toContain('<w:strike/>')
    expect(runWith('2')).toContain('subscript')
    expect(runWith('7')).toContain('superscript')
  })

  it('footnotes with their marks', () => {
    expect(body.match(/<w:footnoteReference /g)).toHaveLength(2)
    expect(textOf(part('word/footnotes.xml'))).toMatch(/The proof of it\..*See elsewhere\./)
    expect(textOf(body)).not.toContain('The proof of it')
  })

  it('lists, nested, as numbering', () => {
    for (const item of ['one', 'three', 'alpha', 'gamma'])
      expect(exactly(item), item).toMatch(/<w:numPr><w:ilvl w:val="0"\/>/)
    for (const item of ['inner one', 'inner two', 'inner alpha', 'inner beta'])
      expect(exactly(item), item).toMatch(/<w:numPr><w:ilvl w:val="1"\/>/)
    for (const pattern of ['•', '%1.', '%2)'])
      expect(part('word/numbering.xml')).toContain(`w:val="${pattern}"`)
  })

  it('a table of its cells', () => {
    const cells = body.match(/<w:tc>.*?<\/w:tc>/gs) ?? []
    expect(cells.map(textOf)).toEqual(['Name', 'Count', 'Apples', '12', 'Pears', '7'])
  })

  it('links to other places and within the document', () => {
    expect(part('word/_rels/document.xml.rels')).toContain('Target="https://example.org/a?b=1&amp;c=2"')
    const anchor = /<w:hyperlink w:anchor="([^"]+)"[^>]*>(?:(?!<\/w:hyperlink>).)*jump to the end/.exec(
      body,
    )?.[1]
    expect(withText('The end')).toContain(` w:name="${anchor}"/>`)
  })

  it('sections with columns and orientation', () => {
    expect(body).toMatch(/<w:cols w:num="2"/)
    expect(body).toMatch(/<w:pgSz w:w="16838" w:h="11906" w:orient="landscape"\/>/)
    expect(body.match(/<w:pgSz w:w="11906" w:h="16838"\/>/g)?.length).toBeGreaterThan(1)
  })

  it('running lines with a page number that counts', () => {
    const running = [...parts.keys()].filter((n) => /^word\/(header|footer)\d/.test(n)).map(part)
    expect(running.some((x) => textOf(x) === 'Running head')).toBe(true)
    expect(running.some((x) => /<w:instrText[^>]*> PAGE </.test(x))).toBe(true)
    expect(textOf(body)).not.toContain('Running head')
  })

  it('right-to-left and Japanese text', () => {
    const arabic = withText('مرحبا بالعالم هذا نص عربي قصير في سطر واحد')
    expect(arabic).toContain('<w:bidi/>')
    expect(arabic).toContain('<w:rtl/>')
    expect(textOf(withText('日本語'))).toBe('日本語の段落です。改行されるほど長くはありません。')
  })

  it('properties and language', () => {
    expect(part('docProps/core.xml')).toContain(
      '<dc:title>All of it</dc:title><dc:creator>Ada Lovelace</dc:creator>',
    )
    expect(part('docProps/core.xml')).toContain('<dc:language>de-AT</dc:language>')
    expect(part('word/styles.xml')).toContain('<w:lang w:val="de-AT"')
  })

  it('no frames, and the text once and in order', () => {
    expect(body).not.toMatch(/<w:framePr|txbxContent/)
    const text = textOf(body)
    expect(text.split('long enough').length - 1).toBe(19)
    expect(text.indexOf('First part')).toBeLessThan(text.indexOf('Wide page'))
    expect(text.indexOf('Wide page')).toBeLessThan(text.indexOf('The end'))
  })
})

describe('form fields', () => {
  const widget = (more: string, y: number, width = 200): string =>
    `<< /Type /Annot /Subtype /Widget /F 4 /DA (/Helv 12 Tf 0 g) /P 3 0 R /Rect [140 ${y - 6} ${140 + width} ${y + 14}] ${more} >>`
  const ticks = '/AP << /N << /Yes 11 0 R /Off 12 0 R >> >>'
  const form = pdfFile([
    '<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [6 0 R 7 0 R 8 0 R 9 0 R 10 0 R] /NeedAppearances true /DR << /Font << /Helv 5 0 R >> >> /DA (/Helv 12 Tf 0 g) >> >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> /Annots [6 0 R 7 0 R 8 0 R 9 0 R 10 0 R] >>',
    {
      dictionary: '',
      stream:
        'BT /F1 12 Tf 72 700 Td (Name:) Tj 0 -30 Td (Country:) Tj 0 -30 Td (Member:) Tj 0 -30 Td (Guest:) Tj 0 -30 Td (Remarks:) Tj ET',
    },
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    widget('/FT /Tx /T (name) /V (Ada Lovelace)', 700),
    widget('/FT /Ch /Ff 131072 /T (country) /V (Norway) /Opt [(Norway) (Chile) (Japan)]', 670),
    widget(`/FT /Btn /T (member) /V /Yes /AS /Yes ${ticks}`, 640, 20),
    widget(`/FT /Btn /T (guest) /V /Off /AS /Off ${ticks}`, 610, 20),
    widget('/FT /Tx /T (remarks)', 580),
    {
      dictionary: '/Type /XObject /Subtype /Form /BBox [0 0 20 20] /Resources << /Font << /ZaDb 13 0 R >> >>',
      stream: 'q BT /ZaDb 12 Tf 2 2 Td (4) Tj ET Q',
    },
    { dictionary: '/Type /XObject /Subtype /Form /BBox [0 0 20 20]', stream: 'q Q' },
    '<< /Type /Font /Subtype /Type1 /BaseFont /ZapfDingbats >>',
  ])

  it('become controls with their values', () => {
    const body =
      unzip(shop.convert(shop.write('form.pdf', form), 'form.docx'))
        .get('word/document.xml')
        ?.toString('utf8') ?? ''
    const controls = new Map(
      (body.match(/<w:sdt>.*?<\/w:sdt>/gs) ?? []).map((x) => [/<w:tag w:val="([^"]+)"/.exec(x)?.[1], x]),
    )
    expect([...controls.keys()]).toEqual(['name', 'country', 'member', 'guest', 'remarks'])
    expect(textOf(controls.get('name') ?? '')).toBe('Ada Lovelace')
    expect(textOf(controls.get('country') ?? '')).toBe('Norway')
    expect(controls.get('country')).toContain('<w:listItem w:displayText="Chile" w:value="Chile"/>')
    expect(controls.get('member')).toContain('<w14:checked w14:val="1"/>')
    expect(controls.get('guest')).toContain('<w14:checked w14:val="0"/>')
    expect(textOf(controls.get('remarks') ?? '').trim()).toBe('')
  })

  it('are readable in Markdown', () => {
    const text = readFileSync(shop.convert(shop.write('form.pdf', form), 'form.md'), 'utf8')
    expect(text).toMatch(/Name:.*Ada Lovelace/)
    expect(text).toMatch(/Member:.*☒/)
    expect(text).toMatch(/Guest:.*☐/)
  })

  it('come out of LibreOffice as they went in', { timeout: 120_000 }, () => {
    const docx = shop.convert(shop.write('form.pdf', form), 'form-again.docx')
    const text = execFileSync('pdftotext', ['-layout', shop.office(docx, 'pdf'), '-'], { encoding: 'utf8' })
    expect(text).toMatch(/Name:\s+Ada Lovelace/)
  })
})

// Browsers and TeX put fonts without a name into PDFs; those of TeX have no map of their letters.
describe('a font without a name', () => {
  const letters = [28, 76, 97, 98, 111, 115, 117, 255]
  const map = `1 begincodespacerange <00> <ff> endcodespacerange
    2 beginbfrange <41> <7a> <0041> <ff> <ff> <00ff> endbfrange`
  const file = (isMapped: boolean): Buffer =>
    pdfFile([
      '<< /Type /Catalog /Pages 2 0 R >>',
      '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
      '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
      { dictionary: '', stream: 'BT /F1 20 Tf 50 700 Td <4c6f75ff73> Tj 0 -50 Td <611c62> Tj ET' },
      `<< /Type /Font /Subtype /Type3 /FontBBox [0 0 500 700] /FontMatrix [0.001 0 0 0.001 0 0] /FirstChar 28 /LastChar 255
        /Widths [${'500 '.repeat(228)}] /Encoding << /Differences [${letters.map((code) => `${code} /a${code}`).join(' ')}] >>
        /CharProcs << ${letters.map((code) => `/a${code} 6 0 R`).join(' ')} >> ${isMapped ? '/ToUnicode 7 0 R' : ''} >>`,
      { dictionary: '', stream: '500 0 0 0 400 700 d1 0 0 400 700 re f' },
      { dictionary: '', stream: map },
    ])
  it.each([
    ['what its map says', true, 'Louÿs'],
    ['TeX’s codes, where it has no map', false, 'Loußs'],
  ])('gives %s', async (_, isMapped, word) => {
    const made = Buffer.from(await convertPdf(file(isMapped), 'md')).toString('utf8')
    expect(made).toContain(word)
    expect(made).toContain('afib')
  })
})
