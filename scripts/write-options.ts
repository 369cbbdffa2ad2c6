import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { optionTypes, withOptionTables } from '../packages/converter/src/catalog/options/written.ts'

// What is written from the table of options: the client's types, and the tables of docs/options.md. Run it after a change
// of the table; a test says when it was forgotten.

const root = join(import.meta.dirname, '..')
const docs = join(root, 'docs/options.md')
writeFileSync(join(root, 'packages/contract/src/options.ts'), optionTypes())
writeFileSync(docs, withOptionTables(readFileSync(docs, 'utf8')))
