import { describe, expect, test } from 'vitest'
import { editNumbering, editText } from './as-word.ts'

const within = (edit: (xml: string) => string) => (xml: string) => {
  const [start, end] = ['<w:root>', '</w:root>']
  return edit(start + xml + end).slice(start.length, -end.length)
}
const nameBulletFonts = within(editNumbering)
const nameSignFonts = within(editText)

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
  expect(nameSignFonts(`<w:background w:color="F3F3F3"/>${body}`)).toBe(body)
  expect(nameSignFonts(`<w:background w:color="FF0000"><v:background id="a"/></w:background>${body}`)).toBe(
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

describe('signs in text', () => {
  const run = (text: string, properties = '', attributes = '') =>
    `<w:r${attributes}>${properties}<w:t xml:space="preserve">${text}</w:t></w:r>`
  const text = (letters: string) => `<w:t xml:space="preserve">${letters}</w:t>`
  const name = 'Segoe UI Symbol'
  const font = `<w:rFonts w:ascii="${name}" w:hAnsi="${name}" w:eastAsia="${name}" w:cs="${name}" w:hint="default"/>`
  const symbol = `<w:rPr>${font}</w:rPr>`

  test('get the font that Word takes, and the letters beside them keep theirs', () => {
    expect(nameSignFonts(`<w:p>${run('a ✔ b', '', ' w:rsidR="1"')}</w:p>`)).toBe(
      `<w:p>${run('a ', '', ' w:rsidR="1"')}${run('✔', symbol, ' w:rsidR="1"')}${run(' b', '', ' w:rsidR="1"')}</w:p>`,
    )
    const bold = '<w:rPr><w:rStyle w:val="x"/><w:b/></w:rPr>'
    const boldEmoji = bold.replace('<w:b/>', `${font}<w:b/>`)
    expect(nameSignFonts(run('👩‍💻❤️ x', bold))).toBe(run('👩‍💻❤️', boldEmoji) + run(' x', bold))
    const arial = '<w:rPr><w:rFonts w:ascii="Arial" w:hAnsi="Arial"/></w:rPr>'
    expect(nameSignFonts(run('✔', arial))).toContain(run('✔', symbol))
  })

  test('other elements beside the text of a run stay', () => {
    const long = '<w:r><w:tab/><w:t>✔</w:t><w:br/><w:t>x</w:t></w:r>'
    const cut = nameSignFonts(long)
    expect(cut.replaceAll(/<[^<>]*>/g, '')).toBe('✔x')
    expect(cut.match(/<w:tab\/>|<w:br\/>/g)).toEqual(['<w:tab/>', '<w:br/>'])
    expect(cut.match(/<w:r>/g)).toHaveLength(3)
    expect(cut.match(/<\/w:r>/g)).toHaveLength(3)
  })

  test('stay in a font that may have them, and signs that fonts for text have stay', () => {
    for (const xml of [
      run('✔', '<w:rPr><w:rFonts w:ascii="Segoe UI Symbol"/></w:rPr>'),
      run('✔', '<w:rPr><w:rFonts w:hint="eastAsia"/></w:rPr>'),
      run('a • → ★ 한😀'),
      '<w:r><w:delText>✔</w:delText></w:r>',
    ])
      expect(nameSignFonts(xml)).toBe(xml)
  })

  test('runs that never end stay as they are, and a long one is read once', () => {
    const runs = '<w:r><w:rPr>✔'.repeat(200_000)
    expect(nameSignFonts(runs)).toBe(runs)
    const long = `<w:r><w:rPr>${'a'.repeat(20_000_000)}</w:rPr>${text('✔')}</w:r>`
    expect(nameSignFonts(long)).toContain(`${text('✔')}</w:r>`)
  })

  test('every text of a run is split', () => {
    const split = nameSignFonts('<w:r><w:t>a ✔</w:t><w:br/><w:t>b ✔</w:t></w:r>')
    expect(split.match(/<w:rFonts /g)).toHaveLength(2)
    expect(split.replaceAll(/<[^<>]*>/g, '')).toBe('a ✔b ✔')
  })

  test('do not make a document many times as long', () => {
    const properties = `<w:rPr>${'<w:b/>'.repeat(2000)}</w:rPr>`
    const xml = run('✔ '.repeat(20_000), properties)
    expect(nameSignFonts(xml).length).toBeLessThan(xml.length + 5_000_000)
  })
})
