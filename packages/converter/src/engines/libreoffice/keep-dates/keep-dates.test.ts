import { describe, expect, test } from 'vitest'
import { editXml } from '../../../package/edit-xml.ts'
import { editText } from '../as-word/as-word.ts'
import { keepInOpenDocument, keepInRtf, wordDateVisitor } from './keep-dates.ts'

const keepInWordXml = (xml: string) => editText(`<w:r>${xml}</w:r>`).slice('<w:r>'.length, -'</w:r>'.length)

describe('Word', () => {
  test.each(['DATE', 'TIME', 'SAVEDATE', 'PRINTDATE', 'FILENAME', 'TITLE', 'NUMWORDS', 'date'])(
    '%s is no field any more',
    (name) => {
      const xml = `<w:r><w:instrText xml:space="preserve"> ${name} \\@ "d MMMM" </w:instrText></w:r>`
      expect(keepInWordXml(xml)).not.toMatch(new RegExp(`> ${name} `))
      const simple = `<w:fldSimple w:dirty="1" w:instr=" ${name} "/>`
      expect(keepInWordXml(simple)).not.toContain(`" ${name} "`)
    },
  )

  test.each(['PAGE', 'NUMPAGES', 'MERGEFIELD Date', 'REF DATE', 'DATED', 'TOC'])(
    '%s stays a field',
    (instruction) => {
      const xml = `<w:instrText>${instruction}</w:instrText><w:fldSimple w:instr="${instruction}"/>`
      expect(keepInWordXml(xml)).toBe(xml)
    },
  )

  test('the number of pages is in plain digits, unless the field says otherwise', () => {
    const edit = (instruction: string) =>
      editXml(
        `<w:p><w:instrText>${instruction}</w:instrText><w:fldSimple w:instr="${instruction}"/></w:p>`,
        wordDateVisitor({ hasPageFormats: () => true, finds: () => true }),
      ).match(/[^">]*NUMPAGES[^"<]*/g)
    for (const plain of ['NUMPAGES', ' NUMPAGES  \\* MERGEFORMAT '])
      expect(edit(plain)).toEqual(Array(2).fill(plain.replace('NUMPAGES', 'NUMPAGES \\* Arabic ')))
    for (const other of [' NUMPAGES \\* roman ', 'NUMPAGES \\* MERGEFORMAT \\* Ordinal'])
      expect(edit(other)).toEqual([other, other])
  })

  test('a cross-reference becomes a link with its stored text', () => {
    const field = (instruction: string) => `<w:instrText>${instruction}</w:instrText>`
    const link = field(' HYPERLINK \\l "_Ref12" ')
    expect(keepInWordXml(field(' REF _Ref12 \\r \\h  \\* MERGEFORMAT '))).toBe(link)
    expect(keepInWordXml(field('REF _Ref12 \\h'))).toBe(link)
    for (const other of ['REF _Ref12', ' PAGEREF _Ref12 \\h ', ' REF _Ref12 \\hx ', ' XREF _Ref12 \\h '])
      expect(keepInWordXml(field(other))).toBe(field(other))
  })

  test('text that speaks of dates stays', () => {
    const xml = '<w:t>DATE TIME FILENAME</w:t>'
    expect(keepInWordXml(xml)).toBe(xml)
  })
})

test('OpenDocument: the shown text takes the place of the field', () => {
  expect(
    keepInOpenDocument('<text:p><text:date text:date-value="2019-02-03">3 Feb</text:date> x</text:p>'),
  ).toBe('<text:p>3 Feb x</text:p>')
  expect(keepInOpenDocument('<text:page-number>3</text:page-number>')).toBe(
    '<text:page-number>3</text:page-number>',
  )
  expect(keepInOpenDocument('<text:date/>')).toBe('<text:date/>')
})

test('RTF: with and without groups and formatting before the name', () => {
  expect(keepInRtf('{\\field{\\*\\fldinst DATE \\\\@ "d"}{\\fldrslt 3}}')).toContain('fldinst XATE')
  expect(keepInRtf('{\\*\\fldinst {\\rtlch\\fcs1 \\af0 \\ltrch  TIME }}')).toContain(' XIME ')
  expect(keepInRtf('{\\*\\fldinst PAGE}')).toBe('{\\*\\fldinst PAGE}')
  const field = (name: string) => `{\\*\\bkmkstart here}{\\*\\fldinst { ${name} \\\\h }}`
  for (const name of ['REF here', 'PAGEREF  here']) expect(keepInRtf(field(name))).toBe(field(name))
  expect(keepInRtf(field('PAGEREF gone')), 'without a target').toBe(field('XAGEREF gone'))
  expect(keepInRtf('The DATE is known.')).toBe('The DATE is known.')
})
