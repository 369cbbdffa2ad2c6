import { expect, test } from 'vitest'
import { editNumbering, editText } from './as-word.ts'

const within = (edit: (xml: string) => string) => (xml: string) => {
  const [start, end] = ['<w:root>', '</w:root>']
  return edit(start + xml + end).slice(start.length, -end.length)
}
const nameBulletFonts = within(editNumbering)
const removeColour = within(editText)

const level = (sign: string, rest = '', format = 'bullet') =>
  `<w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="${format}"/><w:lvlText w:val="${sign}"/>${rest}</w:lvl>`
const fontsOf = (xml: string) =>
  Array.from(nameBulletFonts(xml).matchAll(/w:ascii="([^"]*)"/g), ([, font]) => font)

test.each([
  ['no properties', ''],
  ['properties without a font', '<w:rPr><w:u w:val="none"/></w:rPr>'],
  ['a font for text', '<w:rPr><w:rFonts w:ascii="Arial" w:hAnsi="Arial"/><w:b/></w:rPr>'],
])('a dingbat with %s gets the font that Word takes', (_, rest) => {
  expect(fontsOf(level('❏', rest))).toEqual(['Segoe UI Symbol label'])
  expect(nameBulletFonts(level('❏', rest))).toMatch(/<w:rPr><w:rFonts [^<>]*\/>.*<\/w:rPr><\/w:lvl>$/)
})

test.each([
  ['a sign that fonts for text have', level('•')],
  ['a sign of Wingdings', level('\uf0a7', '<w:rPr><w:rFonts w:ascii="Wingdings"/></w:rPr>')],
  ['a font that may have the sign', level('❏', '<w:rPr><w:rFonts w:ascii="MS Gothic"/></w:rPr>')],
  ['a number', level('%1.', '', 'decimal')],
])('%s stays as it is', (_, xml) => {
  expect(nameBulletFonts(xml)).toBe(xml)
})

test('a font that is deep below the baseline is replaced by its variant for labels', () => {
  const courier = '<w:rPr><w:rFonts w:ascii="Courier New" w:hAnsi="Courier New" w:hint="default"/></w:rPr>'
  expect(fontsOf(level('o', courier) + level('%1.', courier, 'decimal'))).toEqual([
    'Courier New label',
    'Courier New label',
  ])
})

test('the colour of pages is removed', () => {
  const body = '<w:body><w:p/></w:body>'
  expect(removeColour(`<w:background w:color="F3F3F3"/>${body}`)).toBe(body)
  expect(removeColour(`<w:background w:color="FF0000"><v:background id="a"/></w:background>${body}`)).toBe(
    body,
  )
})

test('each level for itself', () => {
  const xml = level('•') + level('❏') + level('%1.', '', 'decimal') + level('➢', '<w:rPr><w:b/></w:rPr>')
  expect(nameBulletFonts(xml).match(/Segoe UI Symbol label/g)).toHaveLength(8)
})

test('levels that never end stay as they are', () => {
  const levels = '<w:lvl w:ilvl="0">'.repeat(200_000)
  expect(nameBulletFonts(levels)).toBe(levels)
})

test('an emoji does too', () => {
  expect(fontsOf(level('🎉'))).toEqual(['Segoe UI Symbol label'])
})
