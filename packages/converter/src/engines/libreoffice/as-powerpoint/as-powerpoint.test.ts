import { describe, expect, test } from 'vitest'
import { powerPointEdit } from './as-powerpoint.ts'

/** The tests' parts are what is inside of their root element. */
const inRoot = (xml: string) => `<root>${xml}</root>`
const withoutRoot = (xml: string) => xml.replace(/^<root>/, '').replace(/<\/root>$/, '')
const changedParts = (parts: ReadonlyMap<string, string>) =>
  new Map(
    Array.from(
      powerPointEdit.apply(
        new Map(
          Array.from(parts, ([name, xml]) => [
            name,
            /^<p:(?:sld|presentation)/.test(xml) ? xml : inRoot(xml),
          ]),
        ),
      ),
      ([name, xml]) => [name, withoutRoot(String(xml))],
    ),
  )

const list = (fonts: string) =>
  `<a:majorFont>${fonts}</a:majorFont><a:minorFont>${fonts.replaceAll('Serif', 'Sans')}</a:minorFont>`
const theme = list(
  '<a:latin typeface="Calibri"/><a:ea typeface=""/><a:cs typeface=""/><a:font script="Jpan" typeface="J Serif"/>' +
    '<a:font script="Hang" typeface="K Serif"/><a:font script="Hans" typeface="C Serif"/>' +
    '<a:font script="Hant" typeface="T Serif"/><a:font script="Hebr" typeface="H Serif"/>',
)
const presentation = (attributes = '') =>
  `<p:presentation xmlns:p="p"${attributes}><p:sldIdLst><p:sldId id="256" r:id="rId9"/><p:sldId id="257" r:id="rId3"/>` +
  '</p:sldIdLst></p:presentation>'
const relations =
  '<Relationships><Relationship Id="rId3" Target="slides/slide1.xml"/>' +
  '<Relationship Target="/ppt/slides/slide2.xml" Id="rId9"/></Relationships>'

const change = (slides: readonly string[], attributes?: string, fonts = theme) =>
  changedParts(
    new Map([
      ['ppt/theme/theme1.xml', fonts],
      ['ppt/presentation.xml', presentation(attributes)],
      ['ppt/_rels/presentation.xml.rels', relations],
      ...slides.map((xml, index) => [`ppt/slides/slide${index + 1}.xml`, xml] as const),
    ]),
  )

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
    // However often a name is told that every object has.
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

  test('Latin text that asks for the East Asian font gets it beside East Asian text only', () => {
    const latin = '<a:latin typeface="+mj-ea"/></a:rPr>'
    const slide =
      `<a:rPr lang="en-US" altLang="ko-KR">${latin}<a:rPr lang="ko-KR" altLang="en-US">${latin}` +
      `<a:rPr b="1">${latin}<a:rPr lang="en-AU" b="1">${latin}`
    const last = slide.lastIndexOf('+mj-ea')
    expect(change([slide]).get('ppt/slides/slide1.xml')).toBe(
      `${slide.slice(0, last)}+mj-lt${slide.slice(last + '+mj-ea'.length)}`,
    )
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

describe('shrunk text', () => {
  const box = (fit: string, paragraphs: string, place = '', style = '') =>
    `<p:sp><p:nvSpPr><p:nvPr>${place}</p:nvPr></p:nvSpPr><p:txBody><a:bodyPr>${fit}</a:bodyPr>` +
    `<a:lstStyle>${style}</a:lstStyle>${paragraphs}</p:txBody></p:sp>`
  const run = (size = '') => `<a:r><a:rPr b="1"${size}/><a:t>x</a:t></a:r>`
  const kept = (slide: string) => change([slide], '', '').get('ppt/slides/slide1.xml')

  test('keeps the size that PowerPoint gave it, in whole points', () => {
    const text = (size: number, spacing: string) =>
      `<a:p>${spacing}${run(` sz="${size}"`)}<a:endParaRPr sz="${size}"/></a:p>`
    const other = box('<a:spAutoFit/>', text(2000, ''))
    const spacing = (value: number) => `<a:pPr algn="r"><a:lnSpc><a:spcPct val="${value}"/></a:lnSpc></a:pPr>`
    const before = box(
      '<a:normAutofit fontScale="92500" lnSpcReduction="10000"/>',
      text(2000, spacing(90_000)),
    )
    expect(kept(other + before + other)).toBe(
      other + box('<a:noAutofit/>', text(1900, spacing(80_000))) + other,
    )
  })

  test('the spacing of lines is reduced, from single where none is told', () => {
    const reduced = kept(box('<a:normAutofit lnSpcReduction="20%"/>', `<a:p>${run(' sz="1000"')}</a:p>`))
    expect(reduced).toContain('<a:p><a:pPr><a:lnSpc><a:spcPct val="80000"/></a:lnSpc></a:pPr>')
    const points = '<a:pPr><a:lnSpc><a:spcPts val="900"/></a:lnSpc></a:pPr>'
    expect(kept(box('<a:normAutofit lnSpcReduction="20%"/>', `<a:p>${points}</a:p>`))).toContain(points)
  })

  test('letters without a size get the one that they inherit, by its share', () => {
    const fit = '<a:normAutofit fontScale="50000"/>'
    const level = (number: number, size: number) =>
      `<a:lvl${number}pPr><a:defRPr sz="${size}"/></a:lvl${number}pPr>`
    const paragraphs = '<a:p><a:r><a:t>x</a:t></a:r><a:br/></a:p><a:p><a:pPr lvl="1"/></a:p>'
    const own = kept(box(fit, paragraphs, '', level(1, 3000)))
    expect(own).toContain(
      '<a:p><a:r><a:rPr sz="1500"/><a:t>x</a:t></a:r><a:br><a:rPr sz="1500"/></a:br><a:endParaRPr sz="1500"/></a:p>' +
        '<a:p><a:pPr lvl="1"/><a:endParaRPr sz="900"/></a:p>',
    )
    const related = (type: string, target: string) =>
      `<Relationships><Relationship Id="rId1" Type="x/${type}" Target="${target}"/></Relationships>`
    const deck = new Map([
      ['ppt/slides/slide1.xml', `<p:sld>${box(fit, paragraphs, '<p:ph idx="7"/>')}</p:sld>`],
      ['ppt/slides/_rels/slide1.xml.rels', related('slideLayout', '../slideLayouts/slideLayout1.xml')],
      [
        'ppt/slidelayouts/slidelayout1.xml',
        `<p:sldLayout>${box('', '', '<p:ph idx="7"/>', level(1, 4000))}</p:sldLayout>`,
      ],
      [
        'ppt/slidelayouts/_rels/slidelayout1.xml.rels',
        related('slideMaster', '../slideMasters/slideMaster1.xml'),
      ],
      [
        'ppt/slidemasters/slidemaster1.xml',
        `<p:sldMaster><p:txStyles><p:bodyStyle>${level(1, 100)}${level(2, 5000)}</p:bodyStyle></p:txStyles></p:sldMaster>`,
      ],
    ])
    const slide = changedParts(deck).get('ppt/slides/slide1.xml')
    expect(slide).toContain('<a:r><a:rPr sz="2000"/>')
    expect(slide).toContain('<a:endParaRPr sz="2500"/>')
  })

  test('text that PowerPoint has not shrunk is not shrunk', () => {
    for (const fit of [
      '<a:normAutofit/>',
      '<a:normAutofit></a:normAutofit>',
      '<a:normAutofit fontScale="x"/>',
    ])
      expect(kept(box(fit, `<a:p>${run()}</a:p>`))).toBe(box('<a:noAutofit/>', `<a:p>${run()}</a:p>`))
    expect(kept(box('<a:spAutoFit/>', ''))).toBeUndefined()
  })

  test('boxes get what their layout and master say', () => {
    const name = 'ppt/slidelayouts/slidelayout1.xml'
    expect(changedParts(new Map([[name, box('<a:normAutofit/>', '')]])).get(name)).toBe(
      box('<a:noAutofit/>', ''),
    )
  })
})

describe('lines of tables', () => {
  const spacing = (points: number) => `<a:lnSpc><a:spcPts val="${points}"/></a:lnSpc>`
  const cell = (paragraph: string) => `<a:tc><a:txBody>${paragraph}</a:txBody></a:tc>`
  const set = (paragraph: string, attributes = '') =>
    change([cell(paragraph)], attributes, '').get('ppt/slides/slide1.xml')
  const run = (size = '') => `<a:r><a:rPr lang="de-DE"${size}/><a:t>x</a:t></a:r>`

  test('are 1.2 times as high as the largest letters, by the share of their spacing', () => {
    expect(set(`<a:p>${run(' sz="950"')}<a:br/></a:p>`)).toBe(
      cell(`<a:p><a:pPr>${spacing(2160)}</a:pPr>${run(' sz="950"')}<a:br/></a:p>`),
    )
    for (const [before, after] of [
      ['<a:pPr algn="r"/>', `<a:pPr algn="r">${spacing(1140)}</a:pPr>`],
      ['<a:pPr><a:spcBef/></a:pPr>', `<a:pPr>${spacing(1140)}<a:spcBef/></a:pPr>`],
      ...['80000', '80%'].map((share) => [
        `<a:pPr><a:lnSpc><a:spcPct val="${share}"/></a:lnSpc></a:pPr>`,
        `<a:pPr>${spacing(912)}</a:pPr>`,
      ]),
    ])
      expect(set(`<a:p>${before}${run(' sz="950"')}</a:p>`)).toBe(
        cell(`<a:p>${after}${run(' sz="950"')}</a:p>`),
      )
  })

  test('without a size get the size of the deck, and empty ones that of their end', () => {
    const deck = new Map([
      ['ppt/slides/slide1.xml', cell(`<a:p><a:pPr lvl="1"/>${run()}</a:p>`)],
      [
        'ppt/presentation.xml',
        '<p:presentation><p:defaultTextStyle><a:lvl1pPr><a:defRPr sz="1000"/></a:lvl1pPr>' +
          '<a:lvl2pPr><a:defRPr lang="x" sz="2000"/></a:lvl2pPr></p:defaultTextStyle></p:presentation>',
      ],
    ])
    expect(changedParts(deck).get('ppt/slides/slide1.xml')).toContain(spacing(2400))
    expect(set('<a:p><a:endParaRPr sz="1500"/></a:p>')).toContain(spacing(1800))
  })

  test('are set in a paragraph of any number of runs', () => {
    const runs = (run(' sz="900"') + run(' sz="950"')).repeat(75_000)
    expect(set(`<a:p>${runs}</a:p>`)).toBe(cell(`<a:p><a:pPr>${spacing(1140)}</a:pPr>${runs}</a:p>`))
  })

  test('stay where they are told in points, and outside of tables', () => {
    const told = `<a:p><a:pPr>${spacing(1000)}</a:pPr>${run()}</a:p>`
    expect(set(told)).toBeUndefined()
    expect(change([`<a:p>${run()}</a:p>`], '', '').size).toBe(0)
  })
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
