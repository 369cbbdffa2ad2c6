import { expect, test } from 'vitest'
import { wordEdit } from '../as-word/as-word.ts'

const parts = (field: string) =>
  new Map([
    [
      'word/document.xml',
      `<w:document><w:p><w:pPr><w:pStyle w:val="berschrift1"/></w:pPr><w:bookmarkStart w:id="1" w:name="here"/></w:p>${field}</w:document>`,
    ],
    [
      'word/styles.xml',
      '<w:styles><w:style w:type="paragraph" w:styleId="berschrift1"><w:name w:val="heading 1"/></w:style>' +
        '<w:style w:type="paragraph" w:styleId="Titel"><w:name w:val="Title"/></w:style></w:styles>',
    ],
  ])

const simple = (instruction: string) => `<w:fldSimple w:instr="${instruction}"/>`
const isKept = (instruction: string) => {
  const fields = `${simple(instruction.replaceAll('"', '&quot;'))}<w:r><w:instrText>${instruction}</w:instrText></w:r>`
  return wordEdit.apply(parts(fields)).get('word/document.xml') === undefined
}

test.each([
  'REF here',
  ' PAGEREF here \\h ',
  'STYLEREF "heading 1"',
  'STYLEREF 1',
  'STYLEREF "Heading 1" \\l',
])('%s is computed', (instruction) => expect(isKept(instruction)).toBe(true))

test.each([
  'REF gone',
  ' PAGEREF gone \\h ',
  'NOTEREF gone',
  'STYLEREF "Überschrift 1"',
  'STYLEREF Title',
  'STYLEREF 2',
])('%s shows its stored text, not an error', (instruction) => {
  expect(isKept(instruction)).toBe(false)
})

test('so in footnotes', () => {
  const notes = '<w:footnotes><w:r><w:instrText> PAGEREF gone </w:instrText></w:r></w:footnotes>'
  expect(wordEdit.reads('word/footnotes.xml')).toBe(true)
  const changed = wordEdit.apply(new Map([...parts(''), ['word/footnotes.xml', notes]]))
  expect(changed.get('word/footnotes.xml')).toBe(notes.replace('PAGEREF', 'XAGEREF'))
})
