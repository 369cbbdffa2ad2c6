import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { configurationTable } from './configuration-table.ts'

test('docs/configuration.md holds the table of all settings', async () => {
  const page = await readFile(new URL('../../../docs/configuration.md', import.meta.url), 'utf8')
  expect(page).toContain(configurationTable())
})
