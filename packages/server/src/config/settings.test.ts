import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { settings, withSettingsTable } from './settings.ts'

test('docs/configuration.md holds the table of all settings', async () => {
  const page = await readFile(new URL('../../../../docs/configuration.md', import.meta.url), 'utf8')
  expect(page, 'run `npm run generate`').toBe(withSettingsTable(page))
  for (const { name } of settings) expect(page).toContain(`| \`${name}\` |`)
})
