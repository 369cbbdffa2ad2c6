import { expect, test } from 'vitest'
import { editText } from '../as-word.ts'

const document = (body: string) => `<w:document><w:body>${body}<w:sectPr/></w:body></w:document>`
const cell = (text: string) => `<w:tc><w:p><w:r><w:t>${text}</w:t></w:r></w:p></w:tc>`
const table = (row: string) =>
  `<w:tbl><w:tblPr/><w:tblGrid><w:gridCol w:w="1"/></w:tblGrid><w:tr>${row}</w:tr></w:tbl>`

test('a column whose stored width is too narrow for its word is widened', () => {
  const [, width = '0'] = /<w:gridCol w:w="(\d+)"\/>/.exec(editText(document(table(cell('Words'))))) ?? []
  expect(Number(width)).toBeGreaterThan(400)
})

test('tables in tables stay as they are, and however deep they are each is read once', () => {
  const depth = 200_000
  const nested = document(`${'<w:tbl><w:tr><w:tc>'.repeat(depth)}${'</w:tc></w:tr></w:tbl>'.repeat(depth)}`)
  expect(editText(nested)).toBe(nested)
})
