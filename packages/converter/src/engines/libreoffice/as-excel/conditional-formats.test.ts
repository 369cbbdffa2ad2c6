import { expect, test } from 'vitest'
import { readTree } from '../../../package/edit-xml.ts'
import { combineConditions } from './conditional-formats.ts'
import { createCellFormats } from './tables/cell-formats.ts'

const formats = [
  '<dxf><font><b/><color rgb="FF9C0006"/></font></dxf>',
  '<dxf><font><i/><color rgb="FF000000"/></font><fill><patternFill><bgColor rgb="FFFFC7CE"/></patternFill></fill></dxf>',
  '<dxf><font><color rgb="FF00FF00"/></font></dxf>',
]
const styleSheet = `<styleSheet><fonts><font/></fonts><dxfs>${formats.join('')}</dxfs></styleSheet>`

const combine = (rules: string, range = 'B2:B9') => {
  const root = readTree(styleSheet)
  if (!root) throw new Error('It is well formed.')
  const styles = createCellFormats(styleSheet, root)
  const element = (content: string) =>
    `<conditionalFormatting sqref="${range}">${content}</conditionalFormatting>`
  const sheet = (content: string) => `<worksheet><sheetData/>${element(content)}<pageMargins/></worksheet>`
  const changed = combineConditions(sheet(rules), () => styles)
  const added = styles.styles().slice(styleSheet.indexOf('</dxfs>'), -'</dxfs></styleSheet>'.length)
  return { isChanged: changed !== sheet(rules), rules: changed, added }
}
const cellIs = (format: number, priority: number, operator: string, formula: string, more = '') =>
  `<cfRule type="cellIs" dxfId="${format}" priority="${priority}"${more} operator="${operator}"><formula>${formula}</formula></cfRule>`
const formula = (format: number, priority: number, text: string) =>
  `<cfRule type="expression" dxfId="${format}" priority="${priority}"><formula>${text}</formula></cfRule>`

test('two conditions that hold have both formats, and the first one where they contradict', () => {
  const { rules, added } = combine(formula(1, 7, '$A2=1') + cellIs(0, 5, 'greaterThan', '10'))
  expect(rules).toContain(
    '<cfRule type="expression" dxfId="3" priority="5"><formula>AND(B2&gt;(10),($A2=1))</formula></cfRule>' +
      cellIs(0, 6, 'greaterThan', '10') +
      formula(1, 7, '$A2=1'),
  )
  expect(added).toBe(
    '<dxf><font><b/><color rgb="FF9C0006"/><i/></font>' +
      '<fill><patternFill><bgColor rgb="FFFFC7CE"/></patternFill></fill></dxf>',
  )
})

test('of three conditions every combination has its own rule, larger ones first', () => {
  const { rules } = combine(formula(0, 1, 'A') + formula(1, 2, 'B') + formula(1, 3, 'C'))
  const found = Array.from(rules.matchAll(/<formula>(.*?)<\/formula>/g), ([, text]) => text)
  expect(found).toEqual(['AND((A),(B),(C))', 'AND((A),(B))', 'AND((A),(C))', 'A', 'B', 'C'])
})

test.each([
  ['between', 'AND(B2&gt;=(1),B2&lt;=(9))'],
  ['notBetween', 'OR(B2&lt;(1),B2&gt;(9))'],
])('a value %s two others', (operator, condition) => {
  const limits = cellIs(0, 1, operator, '1</formula><formula>9')
  expect(combine(limits + formula(1, 2, 'A')).rules).toContain(`AND(${condition},(A))`)
})

test.each([
  ['the first format covers the second', cellIs(1, 1, 'equal', '1') + cellIs(2, 2, 'equal', '2'), 'B2:B9'],
  [
    'the first condition ends the search',
    cellIs(0, 1, 'equal', '1', ' stopIfTrue="1"') + formula(1, 2, 'A'),
    'B2',
  ],
  ['several ranges', formula(0, 1, 'A') + formula(1, 2, 'B'), 'B2:B9 D2'],
  [
    'a condition without a formula',
    `<cfRule type="top10" dxfId="0" priority="1" rank="3"/>${formula(1, 2, 'A')}`,
    'B2',
  ],
  ['a format that does not exist', formula(0, 1, 'A') + formula(9, 2, 'B'), 'B2'],
])('%s: nothing is combined', (_, rules, range) => {
  expect(combine(rules, range).isChanged).toBe(false)
})
