import { expect, test } from 'vitest'
import { changedParts } from './as-excel.ts'

const change = (text: string, font = 'Noto Sans CJK SC') =>
  changedParts(
    new Map([
      [
        'xl/styles.xml',
        `<fonts><font><b/><name val="${font}"/></font><font><name val="Georgia"/></font></fonts>`,
      ],
      ['xl/sharedstrings.xml', `<sst><si><r><rPr><rFont val="${font}"/></rPr><t>${text}</t></r></si></sst>`],
    ]),
  )

test.each(['Noto Sans CJK SC', 'Noto Sans CJK KR'])(
  'Korean in %s is set in the font that Excel takes',
  (font) => {
    const changed = change('2026년 예산 (億)', font)
    expect(changed.get('xl/styles.xml')).toBe(
      '<fonts><font><b/><name val="Malgun Gothic"/></font><font><name val="Georgia"/></font></fonts>',
    )
    expect(changed.get('xl/sharedstrings.xml')).toContain('<rFont val="Malgun Gothic"/>')
  },
)

test.each([
  ['Japanese', '2026年の予算', undefined],
  ['Chinese with a Korean name', '二〇二六年预算 홍', undefined],
  ['Latin', 'Budget', undefined],
  ['Korean in a chosen font', '예산', 'Noto Serif CJK KR'],
])('%s stays as it is', (_, text, font) => {
  expect(change(text, font).size).toBe(0)
})

test('fonts whose lines are higher in cells are named so, also in parts of a text', () => {
  const changed = changedParts(
    new Map([
      ['xl/styles.xml', '<fonts><x:font><x:name val="Calibri"/></x:font></fonts><cellStyle name="Arial"/>'],
      ['xl/sharedstrings.xml', '<sst><rPr><rFont val="Segoe UI"/></rPr></sst>'],
    ]),
  )
  expect([...changed.values()]).toEqual([
    '<fonts><x:font><x:name val="Calibri cells"/></x:font></fonts><cellStyle name="Arial"/>',
    '<sst><rPr><rFont val="Segoe UI cells"/></rPr></sst>',
  ])
})

test('rows of Excel 2007 with drawings have heights that LibreOffice does not truncate', () => {
  const rows = '<row ht="15"/>'.repeat(50)
  const changed = changedParts(
    new Map([
      [
        'xl/styles.xml',
        '<styleSheet><fonts><font><sz val="11"/><name val="Calibri"/></font></fonts></styleSheet>',
      ],
      ['docprops/app.xml', '<Application>Microsoft Excel</Application><AppVersion>12.0000</AppVersion>'],
      [
        'xl/worksheets/sheet1.xml',
        `<worksheet><sheetData>${rows}</sheetData><drawing r:id="r1"/></worksheet>`,
      ],
    ]),
  )
  const heights = String(changed.get('xl/worksheets/sheet1.xml')).matchAll(/<row ht="([\d.]+)"/g)
  expect(new Set(Array.from(heights, ([, height]) => height))).toEqual(new Set(['14.25', '15']))
})
