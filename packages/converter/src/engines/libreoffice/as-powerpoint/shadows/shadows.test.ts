import { inflateSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { powerPointEdit } from '../as-powerpoint.ts'

const shadow = (
  attributes = 'blurRad="40000"',
  colour = '<a:srgbClr val="000000"><a:alpha val="40000"/></a:srgbClr>',
) => `<a:effectLst><a:outerShdw ${attributes}>${colour}</a:outerShdw></a:effectLst>`
const fill = '<a:solidFill><a:srgbClr val="FF0000"/></a:solidFill>'
const clear = '<a:solidFill><a:srgbClr val="FF0000"><a:alpha val="50000"/></a:srgbClr></a:solidFill>'
const outline = (name = 'rect', adjustments = '') =>
  `<a:prstGeom prst="${name}"><a:avLst>${adjustments}</a:avLst></a:prstGeom>`
const place = (attributes = '', x = 914_400) =>
  `<a:xfrm${attributes}><a:off x="${x}" y="914400"/><a:ext cx="914400" cy="457200"/></a:xfrm>`
const shape = (properties: string, more = '') =>
  `<p:sp><p:nvPr>${more.startsWith('<p:ph') ? more : ''}</p:nvPr><p:spPr>${properties}</p:spPr>${
    more.startsWith('<p:style') ? more : ''
  }</p:sp>`
const style = (effects: number) =>
  `<p:style><a:lnRef idx="0"/><a:fillRef idx="1"/><a:effectRef idx="${effects}"><a:schemeClr val="accent1"/></a:effectRef></p:style>`

const related = (...targets: readonly [type: string, target: string][]) =>
  `<Relationships>${targets.map(([type, target], index) => `<Relationship Id="rId${index}" Type="x/${type}" Target="${target}"/>`).join('')}</Relationships>`
const theme =
  '<a:theme><a:themeElements><a:clrScheme name="x"><a:accent1><a:srgbClr val="204060"/></a:accent1>' +
  '<a:dk1><a:sysClr val="windowText" lastClr="102030"/></a:dk1></a:clrScheme>' +
  '<a:fmtScheme><a:lnStyleLst><a:ln w="9525"></a:ln></a:lnStyleLst>' +
  `<a:effectStyleLst><a:effectStyle>${shadow('blurRad="40000"', '<a:schemeClr val="phClr"/>')}</a:effectStyle></a:effectStyleLst></a:fmtScheme></a:themeElements></a:theme>`

/** The tests' parts are what is inside of their root element. */
const inRoot = (xml: string) => `<root>${xml}</root>`

function paint(slide: string, layout = '', contentTypes = '<Types xmlns="x"></Types>') {
  const parts = new Map([
    ['ppt/slides/slide1.xml', inRoot(slide)],
    ['ppt/slidelayouts/slidelayout1.xml', inRoot(layout)],
    ['ppt/slidemasters/slidemaster1.xml', '<p:sldMaster><p:clrMap bg1="lt1" tx1="dk1"/></p:sldMaster>'],
    ['ppt/theme/theme1.xml', theme],
    ['ppt/slides/_rels/slide1.xml.rels', related(['slideLayout', '../slidelayouts/slidelayout1.xml'])],
    [
      'ppt/slidelayouts/_rels/slidelayout1.xml.rels',
      related(['slideMaster', '../slidemasters/slidemaster1.xml']),
    ],
    ['ppt/slidemasters/_rels/slidemaster1.xml.rels', related(['theme', '../theme/theme1.xml'])],
    ['[content_types].xml', contentTypes],
  ])
  return new Map(
    Array.from(powerPointEdit.apply(parts), ([name, content]) => [
      name,
      typeof content === 'string' ? content.replace(/^<root>|<\/root>$/g, '') : content,
    ]),
  )
}

const painted = (slide: string) => String(paint(slide).get('ppt/slides/slide1.xml'))
const first = 'ppt/media/kiln-shadow-1.png'

/** How opaque each dot is, by rows, and the colour of all. */
function look(png: string | Buffer | undefined) {
  const bytes = Buffer.from(png ?? '')
  const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)]
  const data = bytes.indexOf('IDAT')
  const rows = inflateSync(bytes.subarray(data + 4, data + 4 + bytes.readUInt32BE(data - 4)))
  const colours = bytes.indexOf('PLTE') + 4
  return {
    width,
    height,
    colour: [...bytes.subarray(colours, colours + 3)],
    row: (y: number) => [...rows.subarray(y * (width + 1) + 1, (y + 1) * (width + 1))],
  }
}

describe('a blurred shadow', () => {
  const slide = `<p:spTree><p:grpSpPr/>${shape(place() + outline() + fill + shadow())}</p:spTree>`

  test('becomes a picture behind its shape, which screen readers skip', () => {
    const parts = paint(slide)
    const xml = String(parts.get('ppt/slides/slide1.xml'))
    expect(xml).toMatch(/<p:pic>.*adec:decorative.*r:embed="kilnShadow1".*<\/p:pic><p:sp>/)
    expect(xml).toContain(shape(`${place()}${outline()}${fill}<a:effectLst/>`))
    // The blur goes out by its radius; the last dot may stand out.
    expect(xml).toContain('<a:off x="874400" y="874400"/><a:ext cx="996696" cy="539496"/>')
    expect(parts.get('ppt/slides/_rels/slide1.xml.rels')).toContain(`Id="kilnShadow1"`)
    expect(parts.get('ppt/slides/_rels/slide1.xml.rels')).toContain(`Target="/${first}"`)
    expect(parts.get('[content_types].xml')).toBe(
      '<Types xmlns="x"><Default Extension="png" ContentType="image/png"/></Types>',
    )
  })

  test('has the dots and the curve of PowerPoint', () => {
    const { width, height, colour, row } = look(paint(slide).get(first))
    expect([width, height]).toEqual([109, 59])
    expect(colour).toEqual([0, 0, 0])
    const dots = row(30)
    // What PowerPoint printed for this radius lies within a few steps of 255, from the edge outwards and inwards.
    expect(dots[50]).toBe(102)
    for (const [at, value] of [0, 2, 7, 20, 43, 68, 88, 98, 101].entries())
      expect(Math.abs((dots[at] ?? 0) - value)).toBeLessThan(14)
    expect(dots.slice(0, 50)).toEqual([...dots.slice(0, 50)].sort((a, b) => a - b))
  })

  test('that is moved and scaled lies where it is moved to', () => {
    const moved = shape(place() + outline() + fill + shadow('blurRad="40000" dist="91440" dir="5400000"'))
    expect(painted(moved)).toContain('<a:off x="874400" y="965840"/>')
    const larger = shape(
      place() + outline() + fill + shadow('blurRad="40000" sx="200000" sy="200000" algn="ctr"'),
    )
    expect(painted(larger)).toContain(
      `<a:off x="${914400 - 457200 - 40000}" y="${914400 - 228600 - 40000}"/>`,
    )
    const fromCorner = shape(
      place() + outline() + fill + shadow('blurRad="40000" sx="50000" sy="50000" algn="br"'),
    )
    expect(painted(fromCorner)).toContain(
      `<a:off x="${914400 + 457200 - 40000}" y="${914400 + 228600 - 40000}"/>`,
    )
  })

  test('of shapes that look the same is one picture', () => {
    const twice = [0, 1].map((n) => shape(place('', n * 2_000_000) + outline() + fill + shadow())).join('')
    const parts = paint(twice)
    expect([...parts.keys()].filter((name) => name.endsWith('.png'))).toEqual([first])
    expect(String(parts.get('ppt/slides/slide1.xml')).match(/r:embed="kilnShadow1"/g)).toHaveLength(2)
  })

  test('of the theme is in its colours', () => {
    const parts = paint(shape(place() + outline(), style(1)))
    expect(look(parts.get(first)).colour).toEqual([0x20, 0x40, 0x60])
    expect(String(parts.get('ppt/slides/slide1.xml'))).toContain('<a:effectRef idx="0">')
    const half = '<a:schemeClr val="tx1"><a:lumMod val="50000"/><a:alpha val="50000"/></a:schemeClr>'
    const own = paint(shape(place() + outline() + fill + shadow('blurRad="40000"', half)))
    expect(look(own.get(first)).colour).toEqual([8, 16, 24])
  })

  test('in a group is as large as on the slide', () => {
    const group = (scale: number) =>
      `<p:grpSp><p:grpSpPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="2000" cy="2000"/><a:chOff x="0" y="0"/>` +
      `<a:chExt cx="${2000 * scale}" cy="${2000 * scale}"/></a:xfrm></p:grpSpPr>` +
      `${shape(place() + outline() + fill + shadow())}</p:grpSp>`
    const parts = paint(group(2))
    expect(look(parts.get(first)).width).toBe(59)
    expect(String(parts.get('ppt/slides/slide1.xml'))).toContain(`<a:off x="${914400 - 80000}"`)
    expect(paint(group(1).replace('<p:grpSpPr><a:xfrm', '<p:grpSpPr><a:xfrm rot="60000"')).size).toBe(0)
  })

  test('of a turned shape is turned', () => {
    const parts = paint(
      shape(place(' rot="5400000"') + outline() + fill + shadow('blurRad="40000" rotWithShape="0"')),
    )
    const { width, height } = look(parts.get(first))
    expect([width, height]).toEqual([59, 109])
  })

  test.each([
    'roundRect',
    'ellipse',
    'can',
    'foldedCorner',
    'rightArrow',
    'leftArrow',
    'rightArrowCallout',
    'homePlate',
    'chevron',
    'diamond',
    'triangle',
  ])('of %s leaves a corner free', (name) => {
    const { width, height, row } = look(paint(shape(place() + outline(name) + fill + shadow())).get(first))
    const inset = 6
    const corners = [inset, height - 1 - inset].flatMap((y) => [row(y)[inset], row(y)[width - 1 - inset]])
    const full = look(paint(shape(place() + outline() + fill + shadow())).get(first))
    expect(Math.min(...corners.map(Number))).toBeLessThan((full.row(inset)[inset] ?? 0) * 0.8)
    expect(row(Math.round(height / 2))[Math.round(width / 2)]).toBe(102)
  })
})

describe('a shadow is left to LibreOffice', () => {
  test.each([
    ['without blur', place() + outline() + fill + shadow('dist="10000"')],
    [
      'beside other effects',
      place() + outline() + fill + shadow().replace('<a:effectLst>', '<a:effectLst><a:glow/>'),
    ],
    ['of a shape without fill', `${place()}${outline()}<a:noFill/>${shadow()}`],
    ['of a shape that one looks through', place() + outline() + clear + shadow()],
    ['of an outline of its own', `${place()}<a:custGeom/>${fill}${shadow()}`],
    ['of a rare outline', place() + outline('cloud') + fill + shadow()],
    ['of an outline with a name that objects have', place() + outline('constructor') + fill + shadow()],
    [
      'in a colour that objects have',
      place() + outline() + fill + shadow('blurRad="1"', '<a:schemeClr val="constructor"/>'),
    ],
    ['of a place that the slide does not tell', outline() + fill + shadow()],
    ['that is skewed', place() + outline() + fill + shadow('blurRad="40000" kx="60000"')],
    ['wider than any paper', place() + outline() + fill + shadow('blurRad="999999999"')],
  ])('%s', (_, properties) => {
    expect(paint(shape(properties)).size).toBe(0)
  })
})

describe("a shape's own list of effects", () => {
  test('replaces those of its style, also an empty one', () => {
    const own = shape(`${place()}${outline()}<a:effectLst/>`, style(2))
    expect(painted(own)).toBe(own.replace('idx="2"', 'idx="0"'))
    expect(paint(shape(place() + outline(), style(0))).size).toBe(0)
  })

  test('replaces those of the placeholder; without one it has them', () => {
    const ph = '<p:ph type="body" idx="10"/>'
    const layout = shape(place() + outline() + fill + shadow(), ph)
    const parts = paint(shape('<a:effectLst/>', ph) + shape('', ph), layout)
    expect(parts.get('ppt/slidelayouts/slidelayout1.xml')).toBe(layout.replace(shadow(), '<a:effectLst/>'))
    const slide = String(parts.get('ppt/slides/slide1.xml'))
    expect(slide.match(/<p:pic>/g)).toHaveLength(1)
    expect(slide.endsWith(`</p:pic>${shape('<a:effectLst/>', ph)}`)).toBe(true)
    const plain = layout.replace('rect', 'cloud')
    expect(String(paint(shape('<a:sp3d/>', ph), plain).get('ppt/slides/slide1.xml'))).toBe(
      shape(`${shadow()}<a:sp3d/>`, ph),
    )
  })
})

describe('no deck takes long', () => {
  test('pictures and their dots are bounded', () => {
    const large = Array.from({ length: 600 }, (_, n) =>
      shape(
        place()
          .replace('914400" cy="457200', `${9_144_000 + n} " cy="6858000`)
          .replace(' "', '"') +
          outline() +
          fill +
          shadow(),
      ),
    ).join('')
    const parts = paint(large)
    const pictures = [...parts].filter(([name]) => name.endsWith('.png'))
    const dots = pictures.map(
      ([, png]) => (png as Buffer).readUInt32BE(16) * (png as Buffer).readUInt32BE(20),
    )
    expect(pictures.length).toBeGreaterThan(15)
    expect(dots.reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(2_000_000)
    const small = Array.from({ length: 600 }, (_, n) =>
      shape(place().replace('cx="914400"', `cx="${20_000 + n}"`) + outline() + fill + shadow()),
    ).join('')
    expect([...paint(small).keys()].filter((name) => name.endsWith('.png'))).toHaveLength(500)
  })

  test('shapes that never end are looked through once', () => {
    const never = '<p:sp><p:spPr><a:effectLst>'.repeat(50_000) + '<p:grpSp><p:grpSpPr>'.repeat(50_000)
    expect(paint(never, never).size).toBe(0)
  })
})

test('a long list of effects that many shapes inherit does not make a deck many times as long', () => {
  const long = `<a:effectLst>${' '.repeat(100_000)}</a:effectLst>`
  const slide = shape('', '<p:ph idx="1"/>').repeat(2000)
  const changed = paint(slide, shape(long, '<p:ph idx="1"/>')).get('ppt/slides/slide1.xml')
  expect(changed?.length).toBeGreaterThan(1_000_000)
  expect(changed?.length).toBeLessThan(5_000_000)
})
