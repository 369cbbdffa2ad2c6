import { expect, test } from 'vitest'
import { printsBlankPages } from './blank-pages.ts'

const section = (content: string) => `<w:sectPr>${content}</w:sectPr>`
const odd = '<w:type w:val="oddPage"/>'
const restart = '<w:pgNumType w:fmt="decimal" w:start="1"/>'

test.each([
  ['facing pages', '<w:evenAndOddHeaders/>', section(restart), true],
  ['facing pages, written out', '<w:mirrorMargins w:val="1"/>', section(''), true],
  ['no facing pages', '<w:evenAndOddHeaders w:val="false"/>', section(restart), false],
  ['a section on an odd page', '', section('') + section(odd), true],
  ['one that restarts the numbers', '', section('') + section(odd + restart), false],
  ['only the first section', '', section(odd), false],
  ['no section', '', '', false],
])('%s', (_, settings, body, expected) => {
  const parts = new Map([
    ['word/settings.xml', `<w:settings>${settings}</w:settings>`],
    ['word/document.xml', `<w:document>${body}</w:document>`],
  ])
  expect(printsBlankPages(parts)).toBe(expected)
})
