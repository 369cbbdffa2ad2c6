import { readFileSync, writeFileSync } from 'node:fs'
import { readArguments } from '../../../read-arguments.ts'
import { debugPage } from './page.ts'

const usage = `npm run debug-pdf -- IN.pdf PAGE OUT.html

Shows what the engine finds on a page.
`

const [input = '', page, output = ''] = readArguments(usage, {}, 3).positionals
writeFileSync(output, await debugPage(readFileSync(input), Number(page)))
