import { readFile } from 'node:fs/promises'
import { docxWith } from '@kiln/test-support/documents.ts'
import { officeFile } from '@kiln/test-support/test-converter.ts'
import { useTestConverter } from '@kiln/test-support/use-test-converter.ts'
import { unzip } from '@kiln/test-support/zip.ts'
import { expect, test } from 'vitest'

// Pages and slides as pictures.

const kiln = useTestConverter()

const paragraph = (text: string) => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`
const pageBreak = '<w:p><w:r><w:br w:type="page"/></w:r></w:p>'
const threePages = () => docxWith(['First page', 'Second page', 'Third page'].map(paragraph).join(pageBreak))

const sizeOf = (png: Buffer) => {
  expect(png.subarray(1, 4).toString()).toBe('PNG')
  return [png.readUInt32BE(16), png.readUInt32BE(20)]
}
const inches = (png: Buffer, dpi: number) => sizeOf(png).map((dots) => Math.round((dots / dpi) * 10) / 10)

test('the first page of a document, and another one', async () => {
  const file = await threePages()
  const first = await readFile(await kiln.convert(file, 'docx', 'png'))
  const third = await readFile(await kiln.convert(file, 'docx', 'png', { options: { pages: '3', dpi: 50 } }))
  expect(inches(third, 50)).toEqual(inches(first, 150))
  expect(third.length).toBeLessThan(first.length)
})

test('several pages come in an archive, by their numbers', async () => {
  const made = await kiln.convert(await threePages(), 'docx', 'png', { options: { pages: '2-', dpi: 40 } })
  const files = unzip(await readFile(made))
  expect([...files.keys()]).toEqual(['page-2.png', 'page-3.png'])
  for (const png of files.values()) sizeOf(png)
})

test.each([
  ['pptx', 'slides.pptx'],
  ['odp', 'slides.odp'],
  ['ods', 'table.ods'],
] as const)('%s', async (from, name) => {
  sizeOf(await readFile(await kiln.convert(await officeFile(name), from, 'png', { options: { dpi: 40 } })))
})

test('a page that is not there', async () => {
  expect(await kiln.failure(await threePages(), 'docx', 'png', { options: { pages: '9' } })).toMatch(
    /^unsupported: .*3 pages/,
  )
})
