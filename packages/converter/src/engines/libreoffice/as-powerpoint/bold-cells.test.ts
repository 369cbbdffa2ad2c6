import { expect, test } from 'vitest'
import { changedParts, presentation } from './test/change-deck.ts'

const medium = '{5C22544A-7EE6-4342-B048-85BDC9FD1C3A}'
const run = (properties = '') => `<a:r>${properties}<a:t>x</a:t></a:r>`
const table = (flags: string, runs: readonly (readonly string[])[], style = medium) =>
  `<a:tbl><a:tblPr ${flags}><a:tableStyleId>${style}</a:tableStyleId></a:tblPr>` +
  `${runs.map((row) => `<a:tr>${row.map((text) => `<a:tc><a:txBody>${text}</a:txBody></a:tc>`).join('')}</a:tr>`).join('')}</a:tbl>`
const changed = (slide: string, styles = '') =>
  changedParts(
    new Map([
      ['ppt/presentation.xml', presentation()],
      ['ppt/tablestyles.xml', styles],
      ['ppt/slides/slide1.xml', slide],
    ]),
  ).get('ppt/slides/slide1.xml')

const bold = run('<a:rPr b="1"/>')

test('the first row and column of a built-in style are bold, unless a run says otherwise', () => {
  const rows = (own: string, otherRow: string) => [
    [own, run('<a:rPr b="0"/>')],
    [otherRow, run()],
  ]
  expect(changed(table('firstRow="1"', rows(run(), run())))).toBe(table('firstRow="1"', rows(bold, run())))
  const flags = 'firstRow="1" firstCol="1"'
  expect(changed(table(flags, rows(run('<a:rPr/>'), run())))).toBe(table(flags, rows(bold, bold)))
})

test('styles that the deck defines, and those without bold text, stay as they are', () => {
  const own = table('firstRow="1"', [[run()]])
  expect(changed(own, `<a:tblStyleLst><a:tblStyle styleId="${medium}"/></a:tblStyleLst>`)).toBeUndefined()
  expect(changed(table('firstRow="1"', [[run()]], '{5940675A-B579-460E-94D1-54222C63F5DA}'))).toBeUndefined()
})
