import { field } from '@kiln/test-support/documents.ts'
import { expect, test } from 'vitest'
import { wordEdit } from './as-word.ts'

const footer = 'word/footer1.xml'
const edited = (content: string, formats: readonly string[]) =>
  wordEdit
    .apply(
      new Map([
        [
          'word/document.xml',
          `<w:document>${formats.map((format) => `<w:pgNumType w:fmt="${format}" w:start="1"/>`).join('')}</w:document>`,
        ],
        [footer, `<w:ftr>${content}</w:ftr>`],
      ]),
    )
    .get(footer)
const textOf = (xml: string | Buffer | undefined) =>
  Array.from(String(xml).matchAll(/<w:t[ >][^<]*/g), ([text]) => text.replace(/^[^>]*>/, '')).join('')

test.each(['PAGE', ' PAGE   \\* MERGEFORMAT '])(
  '%s has dashes where the pages are numbered so',
  (instruction) => {
    expect(textOf(edited(field(instruction, '7'), ['numberInDash']))).toBe('- 7 -')
    const simple = `<w:fldSimple w:instr="${instruction}"><w:r><w:t>7</w:t></w:r></w:fldSimple>`
    expect(textOf(edited(simple, ['numberInDash', 'numberInDash']))).toBe('- 7 -')
  },
)

test.each([
  ['PAGE', ['numberInDash', 'upperRoman']],
  ['PAGE \\* roman', ['numberInDash']],
  ['PAGEREF x', ['numberInDash']],
  ['PAGE', []],
])('%s with the formats %s has none', (instruction, formats) => {
  expect(textOf(edited(field(instruction, '7'), formats) ?? field(instruction, '7'))).toBe('7')
})
