import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { readOleRoot } from '../../../catalog/file-types/ole.ts'
import { uploadOf } from '../../../catalog/file-types/upload.ts'
import { hasFacingPagesInBinary, printsBlankPages } from './blank-pages.ts'

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

test('a doc file has a bit for facing pages', async () => {
  const letter = new URL('../../../../../test-support/src/office/letter.doc', import.meta.url)
  const bytes = await readFile(letter)
  expect(await hasFacingPagesInBinary(uploadOf(bytes))).toBe(false)
  const { streams } = await readOleRoot(uploadOf(bytes))
  const fib = await streams.get('WordDocument')?.start(0x200)
  const table = streams.get(((fib?.readUInt16LE(10) ?? 0) & 0x0200) === 0 ? '0Table' : '1Table')
  const at = (await table?.locate(fib?.readUInt32LE(0x192) ?? 0)) ?? 0
  bytes[at] = (bytes[at] ?? 0) | 1
  expect(await hasFacingPagesInBinary(uploadOf(bytes))).toBe(true)
})
