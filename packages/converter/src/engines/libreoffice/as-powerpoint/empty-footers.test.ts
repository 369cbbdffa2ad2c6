import { expect, test } from 'vitest'
import { changedParts, presentation } from './test/change-deck.ts'

const layout = 'ppt/slidelayouts/slidelayout1.xml'
const shape = (type: string, paragraph: string) =>
  `<p:sp><p:nvSpPr><p:nvPr><p:ph type="${type}" idx="11"/></p:nvPr></p:nvSpPr><p:txBody>${paragraph}</p:txBody></p:sp>`
const changed = (xml: string) =>
  changedParts(
    new Map([
      ['ppt/presentation.xml', presentation()],
      [layout, xml],
    ]),
  ).get(layout)

const space = '<a:r><a:rPr/><a:t> </a:t></a:r>'

test('an empty footer of a layout gets a space, which gives it the format of its style', () => {
  const end = '<a:endParaRPr lang="en-US"/>'
  expect(changed(shape('ftr', `<a:p>${end}</a:p>`))).toBe(shape('ftr', `<a:p>${space}${end}</a:p>`))
  expect(changed(shape('ftr', '<a:p/>'))).toBe(shape('ftr', `<a:p>${space}</a:p>`))
})

test('other shapes, and footers with text, stay as they are', () => {
  expect(changed(shape('ftr', '<a:p><a:r><a:t>Text</a:t></a:r></a:p>'))).toBeUndefined()
  expect(changed(shape('body', '<a:p/>'))).toBeUndefined()
})
