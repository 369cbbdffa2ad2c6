import { expect, test } from 'vitest'
import { markChartSheet, markUnscaledHeadings } from './marked-sheets.ts'

test('a sheet whose headings are not scaled is marked', () => {
  const sheet = (properties: string, attributes = ' scaleWithDoc="0"') =>
    `<x:worksheet>${properties}<x:sheetData/><x:headerFooter differentFirst="1"${attributes}/></x:worksheet>`
  expect(markUnscaledHeadings(sheet(''))).toBe(sheet('<x:sheetPr codeName="KilnUnscaledHeadings"/>'))
  expect(markUnscaledHeadings(sheet('<x:sheetPr codeName="Sheet1"><x:tabColor/></x:sheetPr>'))).toBe(
    sheet('<x:sheetPr codeName="KilnUnscaledHeadings"><x:tabColor/></x:sheetPr>'),
  )
  expect(markUnscaledHeadings(sheet('', ''))).toBe(sheet('', ''))
})

test('a chart sheet is marked, and printed in landscape unless it says otherwise', () => {
  const sheet = (properties: string, setup: string) =>
    `<chartsheet>${properties}<sheetViews/><pageMargins left="1"/><drawing/>${setup}</chartsheet>`
  const marked = '<sheetPr codeName="KilnChartSheet"/>'
  expect(markChartSheet(sheet('<sheetPr/>', ''), '9')).toBe(
    sheet(marked, '<pageSetup paperSize="9" orientation="landscape"/>'),
  )
  expect(markChartSheet(sheet('', '<pageSetup/>'))).toBe(
    sheet(marked, '<pageSetup orientation="landscape"/>'),
  )
  const portrait = '<pageSetup orientation="portrait"/>'
  expect(markChartSheet(sheet('<sheetPr codeName="Chart1"/>', portrait))).toBe(sheet(marked, portrait))
})
