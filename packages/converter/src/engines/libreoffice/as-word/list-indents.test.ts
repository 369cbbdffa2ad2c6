import { expect, test } from 'vitest'
import { editStyles } from './as-word.ts'
import { partNames } from './word-document.ts'

const level = (style: string, properties: string) =>
  `<w:lvl w:ilvl="1"><w:pStyle w:val="${style}"/><w:pPr>${properties}</w:pPr></w:lvl>`
const style = (id: string, properties: string) =>
  `<w:style w:type="paragraph" w:styleId="${id}"><w:pPr>${properties}</w:pPr><w:rPr/></w:style>`
const editWith = (levels: string, styles: string) => {
  const numbering = `<w:numbering><w:abstractNum>${levels}</w:abstractNum></w:numbering>`
  const edited = editStyles(`<w:styles>${styles}</w:styles>`, new Map([[partNames.numbering, numbering]]))
  return edited.slice('<w:styles>'.length, -'</w:styles>'.length)
}

test('a style has no indents if the level of its list has none', () => {
  const list = '<w:numPr><w:ilvl w:val="1"/></w:numPr>'
  expect(editWith(level('Heading2', '<w:tabs/>'), style('Heading2', list) + style('Normal', list))).toBe(
    style('Heading2', `${list}<w:ind w:left="0" w:firstLine="0"/>`) + style('Normal', list),
  )
})

test.each([
  ['the level has some', level('Heading2', '<w:ind w:left="432"/>'), ''],
  ['the style has its own', level('Heading2', ''), '<w:ind w:left="432"/>'],
  ['the numbering ends inside the level', '<w:lvl ><w:pStyle w:val="Heading2"/>', ''],
])('its indents stay if %s', (_, levels, own) => {
  expect(editWith(levels, style('Heading2', own))).toBe(style('Heading2', own))
})
