import { expect, test } from 'vitest'
import { powerPointEdit } from './as-powerpoint.ts'

const changedParts = (parts: ReadonlyMap<string, string>) =>
  new Map(Array.from(powerPointEdit.apply(parts), ([name, xml]) => [name, String(xml)]))

const run = (font = '') => `<a:r><a:rPr lang="de-DE" sz="900">${font}</a:rPr><a:t>x</a:t></a:r>`
const arial = '<a:latin typeface="Arial"/>'
const paragraph = (bullet: string, text = run(arial)) => `<a:p><a:pPr marL="8">${bullet}</a:pPr>${text}</a:p>`
const shape = (text: string, before = '') => `<p:sp>${before}<p:txBody>${text}</p:txBody></p:sp>`
const sign = '<a:buChar char="•"/>'
const named = (font: string) => `<a:buFont typeface="${font}"/>${sign}`

const change = (xml: string, name = 'ppt/slides/slide1.xml', presentation = '') =>
  changedParts(
    new Map([
      [name, `<root>${xml}</root>`],
      ['ppt/presentation.xml', presentation],
    ]),
  )
    .get(name)
    ?.slice('<root>'.length, -'</root>'.length)

test('a bullet in the font of its text gets the name of that font, or of the theme', () => {
  const asText = `<a:buFontTx/>${sign}`
  expect(change(shape(paragraph(asText), '<p:ph/>'))).toBe(shape(paragraph(named('Arial')), '<p:ph/>'))
  expect(change(shape(paragraph(asText, run())))).toBe(shape(paragraph(named('+mn-lt'), run())))
  const layout = 'ppt/slidelayouts/slidelayout1.xml'
  expect(change(`<a:lvl1pPr>${asText}</a:lvl1pPr>`, layout)).toBe(`<a:lvl1pPr>${named('+mn-lt')}</a:lvl1pPr>`)
})

test('so does one without a font, in boxes, tables and diagrams', () => {
  expect(change(shape(paragraph(sign)))).toBe(shape(paragraph(named('Arial'))))
  const diagram = `<dsp:sp>${paragraph(sign)}</dsp:sp>`
  expect(change(diagram, 'ppt/diagrams/drawing1.xml')).toBe(`<dsp:sp>${paragraph(named('Arial'))}</dsp:sp>`)
  expect(change(shape(paragraph(named('Symbol')), '<p:ph/>') + shape(paragraph(sign)))).toContain(
    shape(paragraph(named('Arial'))),
  )
})

test('a font that is named here or elsewhere stays', () => {
  for (const slide of [
    shape(paragraph(named('Wingdings'))),
    shape(paragraph(sign), '<p:nvPr><p:ph type="body"/></p:nvPr>'),
    shape(paragraph(sign), '<a:lstStyle><a:lvl1pPr><a:buFont typeface="Symbol"/></a:lvl1pPr></a:lstStyle>'),
    shape(paragraph('<a:buFontTx/><a:buNone/>')),
  ])
    expect(change(slide)).toBeUndefined()
  expect(change(shape(paragraph(sign)), undefined, '<a:buFont typeface="Symbol"/>')).toBeUndefined()
})

test('paragraphs that never end are looked through once', () => {
  const never = `<a:p><a:pPr>${sign}<a:r><a:rPr x="">`.repeat(100_000)
  expect(change(never)).toBeUndefined()
})
