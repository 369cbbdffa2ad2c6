import { expect, test } from 'vitest'
import { markUnscaledHeadings } from './unscaled-headings.ts'

test('a sheet whose headings are not scaled is marked', () => {
  const sheet = (properties: string, attributes = ' scaleWithDoc="0"') =>
    `<x:worksheet>${properties}<x:sheetData/><x:headerFooter differentFirst="1"${attributes}/></x:worksheet>`
  expect(markUnscaledHeadings(sheet(''))).toBe(sheet('<x:sheetPr codeName="KilnUnscaledHeadings"/>'))
  expect(markUnscaledHeadings(sheet('<x:sheetPr codeName="Sheet1"><x:tabColor/></x:sheetPr>'))).toBe(
    sheet('<x:sheetPr codeName="KilnUnscaledHeadings"><x:tabColor/></x:sheetPr>'),
  )
  expect(markUnscaledHeadings(sheet('', ''))).toBe(sheet('', ''))
})
