import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

// `npm run count-lines [-- REPOSITORY]`: lines of code by kind and folder, and the words of the documentation. It counts
// tracked files only, and also classifies the layout of earlier commits, so that two checkouts can be compared.

const repository = resolve(process.argv[2] ?? join(import.meta.dirname, '../..'))
const code = /\.(ts|tsx|mjs|js|c|h|py|lua|css|xba)$/

const kinds: readonly (readonly [kind: string, pattern: RegExp])[] = [
  ['tests', /\.(test|contract)\.(ts|tsx|mjs)$|\/test\/|^e2e\/|^packages\/test-support\//],
  ['tooling', /^(tools|scripts|bench|chaos|fidelity)\/|^deploy\/prove\/|\/evidence\/|^[^/]*$/],
]

const kindOf = (path: string): string => kinds.find(([, pattern]) => pattern.test(path))?.[0] ?? 'product'

/** Packages by their parts, everything else by its first folder. */
const folderOf = (path: string): string =>
  path
    .split('/')
    .slice(0, path.startsWith('packages/') ? 4 : 2)
    .slice(0, -1)
    .join('/') || '.'

const files = execFileSync('git', ['ls-files', '-z'], { cwd: repository, encoding: 'utf8' })
  .split('\0')
  .filter((path) => path !== '')
const textOf = (path: string): string => readFileSync(join(repository, path), 'utf8')

const counts = new Map<string, Map<string, number>>()
for (const path of files.filter((each) => code.test(each))) {
  const folders = counts.get(kindOf(path)) ?? new Map<string, number>()
  counts.set(kindOf(path), folders)
  const folder = folderOf(path)
  folders.set(folder, (folders.get(folder) ?? 0) + textOf(path).split('\n').length - 1)
}

for (const kind of ['product', 'tooling', 'tests']) {
  const folders = [...(counts.get(kind) ?? [])].sort(([a], [b]) => a.localeCompare(b))
  const total = folders.reduce((sum, [, lines]) => sum + lines, 0)
  console.log(`${kind.padEnd(40)} ${String(total).padStart(7)}`)
  for (const [folder, lines] of folders) console.log(`  ${folder.padEnd(38)} ${String(lines).padStart(7)}`)
}
const pages = files.filter((path) => path.endsWith('.md'))
const words = pages.reduce((sum, path) => sum + textOf(path).split(/\s+/).length, 0)
console.log(`${'words of documentation'.padEnd(40)} ${String(words).padStart(7)}`)
