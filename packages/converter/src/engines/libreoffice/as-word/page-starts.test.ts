import { describe, expect, test } from 'vitest'
import { editText } from './as-word.ts'

const start = '<w:lastRenderedPageBreak/>'
const text = (letters: string, before = '') => `<w:r>${before}<w:t>${letters}</w:t></w:r>`
const paragraph = (run: string, properties = '') => `<w:p>${properties}${run}</w:p>`
const edited = (...blocks: readonly string[]) => {
  const around = ['<w:document><w:body>', '</w:body></w:document>'] as const
  return editText(around[0] + blocks.join('') + around[1]).slice(around[0].length, -around[1].length)
}
const line = paragraph(text('A line.'))
const long = 'Ten words are repeated until they fill more than a line. '
const keptWithNext = '<w:pPr><w:keepNext/><w:keepLines/></w:pPr>'
const kept = '<w:pPr><w:keepLines/></w:pPr>'

describe('the first lines of a page of Word', () => {
  test('are kept together', () => {
    const eight = edited(line, paragraph(text('First.', start)), ...Array.from({ length: 8 }, () => line))
    const properties = eight.match(/<w:p>(?:<w:pPr>.*?<\/w:pPr>)?/g)?.map((tag) => tag.slice('<w:p>'.length))
    expect(properties).toEqual(['', ...Array.from({ length: 7 }, () => keptWithNext), kept, ''])
  })

  test('count by the length of the text', () => {
    const [first, second, third] = [4, 4, 1].map((times) => text(long.repeat(times)))
    expect(
      edited(paragraph(text(long.repeat(4), start)), paragraph(second ?? ''), paragraph(third ?? '')),
    ).toBe(
      paragraph(text(long.repeat(4), start), keptWithNext) +
        paragraph(first ?? '', keptWithNext) +
        paragraph(third ?? '', keptWithNext),
    )
  })

  test('are not changed where the page begins inside a paragraph', () => {
    const inside = paragraph(text('The page before.') + text('This page.', start))
    expect(edited(inside, line)).toBe(inside + line)
  })

  test('are not changed in a paragraph of many lines', () => {
    const paragraphs = [paragraph(text(long.repeat(30), start)), line]
    expect(edited(...paragraphs)).toBe(paragraphs.join(''))
  })

  test('keep the settings of the document, after the style', () => {
    const own = '<w:pPr><w:pStyle w:val="Heading1"/><w:keepNext w:val="0"/></w:pPr>'
    expect(edited(paragraph(text('A heading', start), own))).toBe(
      paragraph(
        text('A heading', start),
        '<w:pPr><w:pStyle w:val="Heading1"/><w:keepLines/><w:keepNext w:val="0"/></w:pPr>',
      ),
    )
  })

  test('are not those of a text box', () => {
    const box = `<w:r><w:pict><w:txbxContent>${paragraph(text('In a box', start))}</w:txbxContent></w:pict></w:r>`
    expect(edited(paragraph(box))).toBe(paragraph(box))
  })

  test('are not changed in a table, nor after it', () => {
    const table = `<w:tbl><w:tr><w:tc>${paragraph(text('In a cell', start))}</w:tc></w:tr></w:tbl>`
    expect(edited(table, line)).toBe(table + line)
  })
})
