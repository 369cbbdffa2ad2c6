import { expect, test } from 'vitest'
import { withoutWrappers } from './wrappers.ts'

const word = (text: string) =>
  withoutWrappers(`<w:body xmlns:w="w">${text}</w:body>`).slice(
    '<w:body xmlns:w="w">'.length,
    -'</w:body>'.length,
  )
const run = '<w:r><w:t>One</w:t></w:r>'

test.each([
  ['a field', `<w:p><w:fldSimple w:instr=" SEQ Figure ">${run}</w:fldSimple></w:p>`, `<w:p>${run}</w:p>`],
  [
    'custom XML',
    `<w:customXml><w:p><w:customXml>${run}</w:customXml></w:p></w:customXml>`,
    `<w:p>${run}</w:p>`,
  ],
  [
    'a direction',
    `<w:p><w:bdo w:val="rtl">${run}</w:bdo><w:fldSimple w:instr="PAGE"/></w:p>`,
    `<w:p>${run}</w:p>`,
  ],
])('%s of DOCX', (_, xml, expected) => expect(word(xml)).toBe(expected))

test('a link of DOCX remains a field', () => {
  const link = `<w:p><w:fldSimple w:instr=' HYPERLINK "x" '>${run}</w:fldSimple><w:dir/></w:p>`
  expect(word(link)).toBe(link.replace('<w:dir/>', ''))
})

test('furigana in DOCX follow their text in parentheses', () => {
  const ruby = `<w:r><w:ruby><w:rubyPr/><w:rt><w:r><w:t>ka</w:t></w:r></w:rt><w:rubyBase><w:r><w:t>KA</w:t></w:r></w:rubyBase></w:ruby></w:r>`
  expect(word(ruby).replace(/<w:rubyPr\/><w:rt>.*<\/w:rt>/, '')).toBe(
    '<w:r></w:r><w:r><w:t>KA</w:t></w:r><w:r><w:t>(ka)</w:t></w:r><w:r></w:r>',
  )
})

const openDocument = (text: string) => withoutWrappers(`<x>${text}</x>`).slice('<x>'.length, -'</x>'.length)

test.each([
  [
    'sections',
    '<text:section><text:section text:name="a > b"><text:p>One</text:p></text:section></text:section>',
    '<text:p>One</text:p>',
  ],
  [
    'a numbered paragraph',
    '<text:numbered-paragraph><text:h>One</text:h></text:numbered-paragraph>',
    '<text:h>One</text:h>',
  ],
  [
    'heading rows',
    '<table:table><table:table-header-rows><table:table-row><table:table-cell><text:p/></table:table-cell></table:table-row></table:table-header-rows></table:table>',
    '<table:table><table:table-row><table:table-cell><text:p/></table:table-cell></table:table-row></table:table>',
  ],
  [
    'a list, a heading and a table in a cell',
    '<table:table-cell><text:h>A</text:h><text:list><text:list-item><text:p>B</text:p></text:list-item></text:list><table:table><table:table-row><table:table-cell><text:p>C</text:p></table:table-cell></table:table-row></table:table></table:table-cell>',
    '<table:table-cell><text:p>A</text:p><text:p>B</text:p><text:p>C</text:p></table:table-cell>',
  ],
  [
    'a list in a note',
    '<text:note-body><text:list><text:list-item><text:p>A</text:p></text:list-item></text:list></text:note-body>',
    '<text:note-body><text:p>A</text:p></text:note-body>',
  ],
  [
    'furigana',
    '<text:ruby><text:ruby-base>KA</text:ruby-base><text:ruby-text>ka</text:ruby-text></text:ruby>',
    'KA<text:span>(ka)</text:span>',
  ],
])('%s of ODT', (_, xml, expected) => expect(openDocument(xml)).toBe(expected))

test('a hidden section and lists outside of tables of ODT stay as they are', () => {
  const xml =
    '<text:section text:display="none"><text:p>One</text:p></text:section><text:list><text:list-item/></text:list>'
  expect(openDocument(xml)).toBe(xml)
})
