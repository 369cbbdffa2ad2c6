import { expect, test } from 'vitest'
import { markChartSheet } from './chart-sheets.ts'

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
