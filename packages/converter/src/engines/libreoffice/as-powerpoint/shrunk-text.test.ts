import { describe, expect, test } from 'vitest'
import { change, changedParts } from './test/change-deck.ts'

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

  test('the spacing of lines is reduced, from single where none is given', () => {
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
