import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { optionTypes, withOptionTables } from '../packages/converter/src/catalog/options/written.ts'
import { withPairTable } from '../packages/converter/src/catalog/pair-table.ts'
import { withSettingsTable } from '../packages/server/src/config/settings.ts'

// `npm run generate` writes what is generated from tables: the client's types of options, the tables of docs/options.md
// and docs/formats.md from the catalogue, and that of docs/configuration.md from the settings. Run it after a change of
// a table; a test fails when it was forgotten.

const root = join(import.meta.dirname, '..')
writeFileSync(join(root, 'packages/contract/src/options.ts'), optionTypes())
for (const [name, written] of [
  ['docs/options.md', withOptionTables],
  ['docs/formats.md', withPairTable],
  ['docs/configuration.md', withSettingsTable],
] as const) {
  const path = join(root, name)
  writeFileSync(path, written(readFileSync(path, 'utf8')))
}
