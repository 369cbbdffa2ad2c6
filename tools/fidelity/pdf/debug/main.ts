import { readFileSync, writeFileSync } from 'node:fs'
import { debugPage } from './page.ts'

// npm run debug-pdf -- IN.pdf PAGE OUT.html

const [input, page, output] = process.argv.slice(2)
if (!input || !output || !(Number(page) >= 1)) throw new Error('Usage: debug-pdf IN.pdf PAGE OUT.html')
writeFileSync(output, await debugPage(readFileSync(input), Number(page)))
