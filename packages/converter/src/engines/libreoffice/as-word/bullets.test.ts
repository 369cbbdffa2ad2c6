import { expect, test } from 'vitest'
import { nameBulletFonts } from './bullets.ts'

const level = (sign: string, rest = '', format = 'bullet') =>
  `<w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="${format}"/><w:lvlText w:val="${sign}"/>${rest}</w:lvl>`
const fontsOf = (xml: string) =>
  Array.from(nameBulletFonts(xml).matchAll(/w:ascii="([^"]*)"/g), ([, font]) => font)

test.each([
  ['no properties', ''],
  ['properties without a font', '<w:rPr><w:u w:val="none"/></w:rPr>'],
  ['a font for text', '<w:rPr><w:rFonts w:ascii="Arial" w:hAnsi="Arial"/><w:b/></w:rPr>'],
])('a dingbat with %s gets the font that Word takes', (_, rest) => {
  expect(fontsOf(level('❏', rest))).toEqual(['Segoe UI Symbol'])
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

test('each level for itself', () => {
  const xml = level('•') + level('❏') + level('%1.', '', 'decimal') + level('➢', '<w:rPr><w:b/></w:rPr>')
  expect(nameBulletFonts(xml).match(/Segoe UI Symbol/g)).toHaveLength(8)
})

test('levels that never end are looked through once', () => {
  const levels = '<w:lvl w:ilvl="0">'.repeat(200_000)
  expect(nameBulletFonts(levels)).toBe(levels)
})
