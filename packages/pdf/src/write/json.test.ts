import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { convertPdf } from '../convert.ts'
import type { JsonBlock, JsonPage } from './json.ts'

const fixture = (name: string) => readFileSync(new URL(`../../fixtures/${name}.pdf`, import.meta.url))

async function jsonOf(name: string, pages?: string) {
  const options = pages === undefined ? {} : { pages }
  const text = Buffer.from(await convertPdf(fixture(name), 'json', options)).toString('utf8')
  return JSON.parse(text) as { version: number; title: string; pages: JsonPage[]; blocks: JsonBlock[] }
}

it('an invoice: every block has its place on its page, and tables have their cells', async () => {
  const { version, title, pages, blocks } = await jsonOf('invoice-en-36')
  expect({ version, title, pages }).toEqual({
    version: 1,
    title: 'Invoice 36',
    pages: [{ number: 1, width: 612, height: 792 }],
  })
  for (const { page, bbox } of blocks) {
    const [left, top, right, bottom] = bbox
    expect(page).toBe(1)
    expect(left >= 0 && left < right && right <= 612, String(bbox)).toBe(true)
    expect(top >= 0 && top < bottom && bottom <= 792, String(bbox)).toBe(true)
  }
  expect(blocks).toContainEqual(expect.objectContaining({ role: 'heading', text: 'Invoice' }))
  const table = blocks.find(({ text }) => text.includes('Description'))
  if (table?.role !== 'table') throw new Error('no table')
  expect(table.cells).toContainEqual({
    row: 0,
    column: 1,
    rowSpan: 1,
    columnSpan: 1,
    isHeader: true,
    text: 'Description',
  })
  expect(table.cells.every(({ row, column }) => row < table.rows && column < table.columns)).toBe(true)
})

it('a paper: headings have levels, and pages keep their numbers', async () => {
  const { pages, blocks } = await jsonOf('paper-pdflatex-48', '2-')
  expect(pages[0]?.number).toBe(2)
  expect(Math.min(...blocks.map(({ page }) => page))).toBe(2)
  const roles = new Set(blocks.map(({ role }) => role))
  expect([...roles]).toEqual(expect.arrayContaining(['heading', 'paragraph']))
  for (const block of blocks) if (block.role === 'heading') expect(block.level).toBeGreaterThan(0)
})
