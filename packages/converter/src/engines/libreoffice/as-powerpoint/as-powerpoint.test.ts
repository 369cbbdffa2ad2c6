import { describe, expect, test } from 'vitest'
import { change, changedParts, presentation, relations, theme } from './test/change-deck.ts'

describe('fonts of the theme', () => {
  test.each([
    ['ja-JP', 'ea', 'J'],
    ['ko-KR', 'ea', 'K'],
    ['zh-CN', 'ea', 'C'],
    ['zh-Hant-HK', 'ea', 'T'],
    ['zh-TW', 'ea', 'T'],
    ['he-IL', 'cs', 'H'],
  ])('%s: the font of its script, for headings and for text', (language, slot, letter) => {
    const fonts = change([`<a:rPr lang="en-US"/><a:rPr lang="en-US" altLang="${language}"/>`]).get(
      'ppt/theme/theme1.xml',
    )
    expect(fonts).toContain(`<a:${slot} typeface="${letter} Serif"/>`)
    expect(fonts).toContain(`<a:${slot} typeface="${letter} Sans"/>`)
    expect(fonts?.match(/typeface=""/g)).toHaveLength(2)
  })

  test('the language of most of the text decides', () => {
    const slide = '<a:rPr lang="ja-JP"/><a:rPr lang="ko-KR"/>'
    expect(change([slide, '<a:rPr lang="ko-KR"/>']).get('ppt/theme/theme1.xml')).toContain(
      'ea typeface="K Serif"',
    )
    // However often a name occurs that every object has.
    const inherited = '<a:rPr lang="constructor"/><a:rPr lang="__proto__"/>'.repeat(3)
    expect(change([slide, inherited, '<a:rPr lang="ko-KR"/>'])).toEqual(
      change([slide, '<a:rPr lang="ko-KR"/>', '']),
    )
  })

  test('a font that the theme names stays, and so does a deck in Latin or in a script without a font', () => {
    expect(
      change(['<a:rPr lang="ko-KR"/>'], '', theme.replaceAll('<a:ea typeface=""', '<a:ea typeface="Own"'))
        .size,
    ).toBe(0)
    expect(change(['<a:rPr lang="de-DE" altLang="ru-RU"/>']).size).toBe(0)
    expect(change(['<a:rPr lang="th-TH"/>']).size).toBe(0)
  })
})

describe('numbers of slides', () => {
  const number =
    '<a:fld id="{1}" type="slidenum"><a:rPr lang="en-US" b="1"><a:latin typeface="Arial"/></a:rPr><a:pPr/><a:t>‹#›</a:t></a:fld>'
  const text = (value: number) =>
    `<a:r><a:rPr lang="en-US" b="1"><a:latin typeface="Arial"/></a:rPr><a:t>${value}</a:t></a:r>`

  test('counted from the number that the deck says, in the order of the deck', () => {
    const changed = change([number, number.replace('<a:pPr/>', '<a:pPr lvl="0"/>')], ' firstSlideNum="0"')
    expect(changed.get('ppt/slides/slide2.xml')).toBe(text(0))
    expect(changed.get('ppt/slides/slide1.xml')).toBe(text(1))
  })

  test('a number that the layout or the master bears is put on every slide that shows it', () => {
    const shape = (inner: string) => `<p:sp><p:nvPr/><p:spPr/>${inner}</p:sp>`
    const tree = (inner: string, attributes = '') =>
      `<p:sld${attributes}><p:cSld><p:spTree><p:grpSpPr/>${inner}</p:spTree></p:cSld></p:sld>`
    const master = (inner: string) => `<p:sldMaster>${inner}</p:sldMaster>`
    const related = (type: string, target: string) =>
      `<Relationship Id="rId1" Type="x/${type}" Target="${target}"/>`
    const placeholder = `<p:sp><p:ph type="sldNum"/>${number}</p:sp>`
    const change = (first: number, layout = '<p:sldLayout>') =>
      changedParts(
        new Map([
          ['ppt/presentation.xml', presentation(` firstSlideNum="${first}"`)],
          ['ppt/_rels/presentation.xml.rels', relations],
          ['ppt/slides/slide1.xml', tree('<p:sp>1</p:sp>')],
          ['ppt/slides/slide2.xml', tree('<p:sp>2</p:sp>', ' showMasterSp="0"')],
          ['ppt/slides/_rels/slide1.xml.rels', related('slideLayout', '../slideLayouts/slideLayout4.xml')],
          ['ppt/slides/_rels/slide2.xml.rels', related('slideLayout', '../slideLayouts/slideLayout4.xml')],
          [
            'ppt/slidelayouts/slidelayout4.xml',
            `${layout}${placeholder}${shape(number)}${shape('date')}</p:sldLayout>`,
          ],
          [
            'ppt/slidelayouts/_rels/slidelayout4.xml.rels',
            related('slideMaster', '/ppt/slideMasters/slideMaster1.xml'),
          ],
          ['ppt/slidemasters/slidemaster1.xml', master(shape(`<b/>${number}`))],
        ]),
      )
    const both = shape(`<b/>${text(8)}`) + shape(text(8))
    expect(change(7)).toEqual(
      new Map([
        ['ppt/slides/slide1.xml', tree(`${both}<p:sp>1</p:sp>`)],
        ['ppt/slidelayouts/slidelayout4.xml', `<p:sldLayout>${placeholder}${shape('date')}</p:sldLayout>`],
        ['ppt/slidemasters/slidemaster1.xml', master('')],
      ]),
    )
    expect(change(7, '<p:sldLayout showMasterSp="0">').get('ppt/slides/slide1.xml')).toBe(
      tree(`${shape(text(8))}<p:sp>1</p:sp>`),
    )
    expect(change(1).size).toBe(0)
  })

  test('counted from 1 they stay fields, and so do dates', () => {
    expect(change([number, number]).size).toBe(0)
    expect(change([number.replace('slidenum', 'datetime1')], ' firstSlideNum="7"').size).toBe(0)
  })
})

describe('runs', () => {
  const run = (text: string, properties = '') => `<a:r>${properties}<a:t>${text}</a:t></a:r>`
  const joined = (slide: string) => change([slide], '', '').get('ppt/slides/slide1.xml')
  const bold = '<a:rPr lang="de-DE" b="1"><a:latin typeface="Arial"/></a:rPr>'

  test('that look the same become one', () => {
    expect(joined(`<a:p>${run('a &amp; ')}${run('b')}<a:br/>${run('c')}</a:p>`)).toBe(
      `<a:p>${run('a &amp; b')}<a:br/>${run('c')}</a:p>`,
    )
    const checked = bold.replace(' b=', ' dirty="0" err="1" b=')
    expect(
      joined(`<a:p>${run('x')}${run('a', bold)}${run('b', checked)}${run('c', bold)}${run('y')}</a:p>`),
    ).toBe(`<a:p>${run('x')}${run('abc', bold)}${run('y')}</a:p>`)
  })

  test('that differ, that belong to two paragraphs and that are links stay', () => {
    const link = '<a:rPr><a:hlinkClick r:id="rId2"/></a:rPr>'
    for (const slide of [
      `<a:p>${run('a', bold)}${run('b', bold.replace('Arial', 'Courier'))}</a:p>`,
      `<a:p>${run('a')}</a:p><a:p>${run('b')}</a:p>`,
      `<a:p>${run('a', link)}${run('b', link)}</a:p>`,
    ])
      expect(joined(slide)).toBeUndefined()
  })
})

test.each([
  ['many', 100_000, ''],
  ['one that is long', 1, 'x'.repeat(2_000_000)],
])('elements that never end are looked through once: %s', (_, count, text) => {
  const never = (tag: string) => (tag + text).repeat(count)
  const slides = [
    never('<a:fld type="slidenum"><a:rPr>'),
    never('<p:spTree><a:r><a:rPr>'),
    never('<p:sp><a:normAutofit '),
  ]
  expect(change(slides, ' firstSlideNum="0"', never('<a:majorFont>')).size).toBe(0)
})

test('links are underlined, also those that say they are not', () => {
  const run = (line: string, inner: string) =>
    `<a:r><a:rPr lang="en-GB" u="${line}" b="1">${inner}</a:rPr><a:t>x</a:t></a:r>`
  const link = '<a:latin typeface="Arial"/><a:hlinkClick r:id="rId2"/>'
  const plain = run('none', '<a:latin typeface="Arial"/>')
  expect(change([plain + run('none', link) + run('dbl', link)], '', '').get('ppt/slides/slide1.xml')).toBe(
    plain + run('sng', link) + run('dbl', link),
  )
  expect(change([plain], '', '').size).toBe(0)
})
