import { expect, test } from 'vitest'
import { editText } from './as-word.ts'
import { readWordDocument } from './word-document.ts'

const styles = (defaults: string, rest = '') =>
  `<w:styles><w:docDefaults><w:rPrDefault><w:rPr>${defaults}</w:rPr></w:rPrDefault></w:docDefaults>${rest}</w:styles>`
const edit = (xml: string, stylesXml: string) =>
  editText(xml, readWordDocument(new Map([['word/styles.xml', stylesXml]])))
const run = (text: string, properties = '') =>
  `<w:r>${properties}<w:t xml:space="preserve">${text}</w:t></w:r>`
const paragraph = (content: string, style = '') =>
  `<w:p>${style && `<w:pPr><w:pStyle w:val="${style}"/></w:pPr>`}${content}</w:p>`
const themed = styles('<w:rFonts w:asciiTheme="minorHAnsi" w:eastAsiaTheme="minorEastAsia"/>')

test('a space after an East Asian character has the width of the Latin font', () => {
  const font = '<w:rPr><w:rFonts w:eastAsiaTheme="minorHAnsi"/></w:rPr>'
  expect(edit(paragraph(run('정책 자료')), themed)).toBe(
    paragraph(run('정책') + run(' ', font) + run('자료')),
  )
})

test('also when it begins a run, and the fonts of the run count first', () => {
  const own = '<w:rPr><w:rFonts w:ascii="Arial" w:eastAsia="Batang"/><w:b/></w:rPr>'
  const changed = '<w:rPr><w:rFonts w:ascii="Arial" w:eastAsia="Arial"/><w:b/></w:rPr>'
  expect(edit(paragraph(run('정책') + run(' 자료', own)), themed)).toBe(
    paragraph(run('정책') + run(' ', changed) + run('자료', own)),
  )
})

test('the styles of the paragraph and what they are based on count', () => {
  const rest =
    '<w:style w:type="paragraph" w:styleId="a"><w:rPr><w:rFonts w:ascii="Georgia"/></w:rPr></w:style>' +
    '<w:style w:type="paragraph" w:styleId="b"><w:basedOn w:val="a"/></w:style>'
  const edited = edit(paragraph(run('정책 자료'), 'b'), styles('<w:rFonts w:ascii="Arial"/>', rest))
  expect(edited).toContain('<w:rFonts w:eastAsia="Georgia"/>')
})

test('a document that balances the widths of its scripts keeps the space of the East Asian font', () => {
  const settings = '<w:settings><w:compat><w:balanceSingleByteDoubleByteWidth/></w:compat></w:settings>'
  const parts = new Map([
    ['word/styles.xml', themed],
    ['word/settings.xml', settings],
  ])
  const xml = paragraph(run('正 確'))
  expect(editText(xml, readWordDocument(parts))).toBe(xml)
})

test.each([
  [
    'one font for both scripts',
    paragraph(run('정책 자료')),
    styles('<w:rFonts w:ascii="A" w:eastAsia="A"/>'),
  ],
  ['a space after Latin text', paragraph(run('정책 KS 자료').replace('책 ', '책')), themed],
  [
    'styles based on one another',
    paragraph(run('text'), 'a'),
    styles('', '<w:style w:styleId="a"><w:basedOn w:val="a"/></w:style>'),
  ],
])('%s: nothing changes', (_, xml, stylesXml) => {
  expect(edit(xml, stylesXml)).toBe(xml)
})

test('paths and addresses are not broken after a slash', () => {
  expect(edit(paragraph(run('GET /api/auth, and/or https://a.b/c?d=1')), themed)).toBe(
    paragraph(run('GET /api/\u2060auth, and/\u2060or https://\u2060a.b/\u2060c?\u2060d=1')),
  )
  expect(edit(paragraph(run('a/') + run('b')), themed)).toBe(paragraph(run('a/') + run('\u2060b')))
  const apart = paragraph(run('1 / 2. Why? Because!'))
  expect(edit(apart, themed)).toBe(apart)
})

const own = '<w:rPr><w:rFonts w:ascii="A" w:eastAsia="B"/></w:rPr>'
const spaces = '<w:rPr><w:rFonts w:ascii="A" w:eastAsia="A"/></w:rPr>'

test('other elements beside the text of a run stay, and every text of a run is split', () => {
  const content = (properties: string, text: string) => `<w:r>${properties}${text}</w:r>`
  const text = (letters: string) => `<w:t xml:space="preserve">${letters}</w:t>`
  const runs = content(own, `<w:tab/>${text('책 자')}<w:br/>${text('료 x')}`)
  expect(edit(runs, themed)).toBe(
    content(own, `<w:tab/>${text('책')}`) +
      content(spaces, text(' ')) +
      content(own, `${text('자')}<w:br/>${text('료')}`) +
      content(spaces, text(' ')) +
      content(own, text('x')),
  )
  const deleted = '<w:r><w:delText>책 자</w:delText></w:r>'
  expect(edit(deleted, themed)).toBe(deleted)
})

test('runs that never end stay as they are, and a long one is read once', () => {
  const runs = '<w:r><w:rPr>책 자'.repeat(200_000)
  expect(edit(runs, themed)).toBe(runs)
  const long = run('책 자', `<w:rPr>${'a'.repeat(20_000_000)}</w:rPr>`)
  expect(edit(long, themed) === long).toBe(true)
})

test('spaces do not make a document many times as long', () => {
  const xml = run('책 '.repeat(20_000), `<w:rPr>${'<w:b/>'.repeat(2000)}</w:rPr>`)
  expect(edit(xml, themed).length).toBeLessThan(xml.length + 5_000_000)
})
