import { expect, test } from 'vitest'
import { editFormulas } from './formulas.ts'
import { readWordDocument } from './word-document.ts'

const styles = (size: number) =>
  `<w:styles><w:docDefaults><w:rPrDefault><w:rPr><w:sz w:val="${2 * size}"/></w:rPr></w:rPrDefault></w:docDefaults></w:styles>`
const run = (text: string, properties = '') => `<m:r>${properties}<m:t>${text}</m:t></m:r>`
const inParagraph = (formula: string) => `<w:p><m:oMath>${formula}</m:oMath></w:p>`

function edited(formula: string, size = 12): string {
  const document = readWordDocument(new Map([['word/styles.xml', styles(size)]]))
  const xml = editFormulas(inParagraph(formula), document)
  return xml.replace('<w:p><m:oMath>', '').replace('</m:oMath></w:p>', '')
}

const nary = (properties: string, sub = run('0'), sup = run('n')) =>
  `<m:nary><m:naryPr>${properties}</m:naryPr><m:sub>${sub}</m:sub><m:sup>${sup}</m:sup><m:e>${run('x')}</m:e></m:nary>`
const words = (text: string) => `<m:r><m:t xml:space="preserve">${text} </m:t></m:r>`
const applied = (word: string, operand: string) =>
  `<m:func><m:fName>${words(word)}</m:fName><m:e>${operand}</m:e></m:func>`

test('a formula has the size of its text', () => {
  expect(edited(run('x'))).toBe(run('x'))
  expect(edited(run('x'), 10.5)).toBe(applied('size 10.5', run('x')))
  const large = run('x', '<w:rPr><w:sz w:val="40"/></w:rPr>')
  expect(edited(large)).toBe(applied('size 20', large))
})

test('limits are beside their symbol, where Word places them', () => {
  const beside = words('int') + applied('rsub', run('0')) + applied('rsup', run('n')) + run('x')
  expect(edited(nary('<m:limLoc m:val="subSup"/>'))).toBe(beside)
  expect(edited(nary('')), 'of an integral by default').toBe(beside)
  expect(edited(nary('<m:limLoc m:val="subSup"/><m:supHide m:val="1"/>', run('0'), ''))).toBe(
    words('int') + applied('rsub', run('0')) + run('x'),
  )
  for (const properties of ['<m:limLoc m:val="undOvr"/>', '<m:chr m:val="∑"/>'])
    expect(edited(nary(properties))).toBe(nary(properties))
})

test('symbols that LibreOffice does not know are large', () => {
  expect(edited(nary('<m:chr m:val="⋃"/>'))).toBe(
    words('oper ⋃') + applied('from', run('0')) + applied('to', run('n')) + run('x'),
  )
})

test('sums in sums keep their order', () => {
  const inner = nary('<m:chr m:val="⋂"/>')
  expect(edited(nary('', run('0'), inner))).toBe(
    words('int') + applied('rsub', run('0')) + applied('rsup', edited(inner)) + run('x'),
  )
})
