import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { withPairTable } from '../pair-table.ts'
import { allOptions } from './index.ts'
import { optionTypes, withOptionTables } from './written.ts'

const read = (path: string) => readFileSync(new URL(`../../../../../${path}`, import.meta.url), 'utf8')

it('the types of the contract and the documentation say what the table says', () => {
  expect(read('packages/contract/src/options.ts'), 'run `npm run generate`').toBe(optionTypes())
  const docs = read('docs/options.md')
  expect(docs, 'run `npm run generate`').toBe(withOptionTables(docs))
  for (const { name } of allOptions) expect(docs).toContain(`| \`${name}\` |`)
})

it('the documentation lists the pairs of the catalogue', () => {
  const docs = read('docs/formats.md')
  expect(docs, 'run `npm run generate`').toBe(withPairTable(docs))
  expect(docs).toMatch(/\| docx, docm \(also to docx\).* \| pdf, .*txt.* \|/)
})
