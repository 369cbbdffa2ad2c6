import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { settings } from './settings.ts'

test('docs/configuration.md holds the table of all settings', async () => {
  const rows = settings.map(({ name, default: value, meaning }) => `| \`${name}\` | ${value} | ${meaning} |`)
  const table = ['| Setting | Default | Meaning |', '|---|---|---|', ...rows].join('\n')
  const page = await readFile(new URL('../../../../docs/configuration.md', import.meta.url), 'utf8')
  expect(page).toContain(table)
})
