import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { optionTypes, withOptionTables } from '../packages/converter/src/catalog/options/written.ts'
import { withPairTable } from '../packages/converter/src/catalog/pair-table.ts'

// Writes the files that are generated from the catalogue: the client's types of options, the tables of docs/options.md,
// and the table of pairs in docs/formats.md. Run it after a change of the catalogue; a test fails when it was
// forgotten.

const root = join(import.meta.dirname, '..')
writeFileSync(join(root, 'packages/contract/src/options.ts'), optionTypes())
for (const [name, written] of [
  ['docs/options.md', withOptionTables],
  ['docs/formats.md', withPairTable],
] as const) {
  const path = join(root, name)
  writeFileSync(path, written(readFileSync(path, 'utf8')))
}
