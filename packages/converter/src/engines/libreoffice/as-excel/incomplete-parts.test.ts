import { expect, test } from 'vitest'
import { completeFonts, fixPrintRanges } from './incomplete-parts.ts'

const styles = (fonts: string) =>
  `<styleSheet><fonts>${fonts}</fonts><dxfs><font><b/></font></dxfs></styleSheet>`
const normal = '<font><sz val="11"/><name val="Calibri"/></font>'

test('a font without a name or size has those of the first', () => {
  const changed = completeFonts(
    styles(`${normal}<font><b val="1"/></font><font><sz val="24"/></font><font/>`),
  )
  expect(changed).toBe(
    styles(
      `${normal}<font><b val="1"/><sz val="11"/><name val="Calibri"/></font>` +
        `<font><sz val="24"/><name val="Calibri"/></font>${normal}`,
    ),
  )
})

test('complete fonts, and those of conditional formats, stay as they are', () => {
  expect(completeFonts(styles(normal))).toBe(styles(normal))
})

test.each([
  [`'Sheet'!1:1,'Sheet'!A:A`, `'Sheet'!$1:$1,'Sheet'!$A:$A`],
  ['Sheet1!A1:L110', 'Sheet1!$A$1:$L$110'],
  [`'a:B1'!$A$1:$B$2`, `'a:B1'!$A$1:$B$2`],
  ['OFFSET(Sheet1!$A$1,0,1)', 'OFFSET(Sheet1!$A$1,0,1)'],
])('%s is printed', (ranges, absolute) => {
  const names = (text: string) =>
    `<definedName name="_xlnm.Print_Titles" localSheetId="0">${text}</definedName><definedName name="Other">Sheet!A1</definedName>`
  expect(fixPrintRanges(names(ranges))).toBe(names(absolute))
})
