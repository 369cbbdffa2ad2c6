import { expect, test } from 'vitest'
import { wordEdit } from './as-word.ts'

const section = (width: number) =>
  `<w:sectPr><w:pgSz w:w="${width}" w:h="11906"/><w:pgMar w:left="1400" w:right="1438" w:gutter="0"/></w:sectPr>`
const styles =
  '<w:styles><w:style w:styleId="Footer"><w:pPr><w:tabs><w:tab w:val="center" w:pos="4536"/><w:tab w:val="right" ' +
  'w:pos="9072"/></w:tabs></w:pPr></w:style></w:styles>'
const tab = (alignment: string, relativeTo = 'margin') =>
  `<w:r><w:ptab w:relativeTo="${relativeTo}" w:alignment="${alignment}" w:leader="dot"/></w:r>`
const footer = (content: string) => `<w:ftr>${content}</w:ftr>`
const edited = (content: string, sections = section(16838)) =>
  wordEdit
    .apply(
      new Map([
        ['word/document.xml', `<w:document><w:body>${sections}</w:body></w:document>`],
        ['word/styles.xml', styles],
        ['word/footer1.xml', footer(content)],
      ]),
    )
    .get('word/footer1.xml')

const columns = `${tab('center')}<w:r><w:t>1</w:t></w:r>${tab('right')}`
const plain = '<w:r><w:tab/></w:r><w:r><w:t>1</w:t></w:r><w:r><w:tab/></w:r>'
const stops =
  '<w:tabs><w:tab w:val="center" w:leader="dot" w:pos="7000"/><w:tab w:val="right" w:leader="dot" w:pos="14000"/>' +
  '<w:tab w:val="clear" w:pos="4536"/><w:tab w:val="clear" w:pos="9072"/></w:tabs>'

test('tabs that are aligned to the margins stop in the middle and at the end of the text area', () => {
  const style = '<w:pStyle w:val="Footer"/>'
  expect(edited(`<w:p><w:pPr>${style}</w:pPr>${columns}</w:p>`)).toBe(
    footer(`<w:p><w:pPr>${style}${stops}</w:pPr>${plain}</w:p>`),
  )
  expect(edited(`<w:p>${columns}</w:p>`)).toBe(footer(`<w:p><w:pPr>${stops}</w:pPr>${plain}</w:p>`))
  expect(edited(`<w:p><w:pPr/>${columns}</w:p>`)).toBe(footer(`<w:p><w:pPr>${stops}</w:pPr>${plain}</w:p>`))
  expect(edited(`<w:p><w:pPr><w:tabs><w:tab w:pos="1"/></w:tabs></w:pPr>${columns}</w:p>`)).toBe(
    footer(`<w:p><w:pPr>${stops}</w:pPr>${plain}</w:p>`),
  )
})

test.each([
  ['in a paragraph with other tabs', `<w:p>${columns}<w:r><w:tab/></w:r></w:p>`],
  ['relative to an indent', `<w:p>${tab('right', 'indent')}</w:p>`],
  ['in a cell', `<w:tbl><w:tr><w:tc><w:p>${columns}</w:p></w:tc></w:tr></w:tbl>`],
  ['in a text box', `<w:p><w:txbxContent><w:p>${columns}</w:p></w:txbxContent></w:p>`],
])('not %s', (_, content) => {
  expect(edited(content)).toBeUndefined()
})

test('not where the widths of the sections differ', () => {
  expect(edited(`<w:p>${columns}</w:p>`, section(16838) + section(11906))).toBeUndefined()
})
