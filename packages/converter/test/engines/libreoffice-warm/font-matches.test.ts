import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'

const run = promisify(execFile)
const pathOf = (relative: string) => fileURLToPath(new URL(relative, import.meta.url))

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kiln-font-matches-'))
  const sources = [pathOf('./compare-font-matches.c'), pathOf('../../../native/office/font-matches.c')]
  await run('cc', ['-std=c11', '-Wall', '-Wextra', '-Werror', '-o', join(folder, 'compare'), ...sources])
})
afterAll(() => rm(folder, { recursive: true }))

it('answers as fontconfig does, also after rules were added', async () => {
  const rules = join(folder, 'rules.conf')
  const alias =
    '<alias binding="same"><family>Unheard Of</family><prefer><family>DejaVu Sans Mono</family></prefer></alias>'
  await writeFile(rules, `<?xml version="1.0"?><fontconfig>${alias}</fontconfig>`)
  const queries = [
    'Unheard Of',
    'DejaVu Sans',
    'Calibri:weight=200',
    'Arial:lang=ko:charset=ac00 ac01',
    'Arial:lang=ko',
  ]
  const { stdout } = await run(join(folder, 'compare'), [rules, ...queries])
  const answers = stdout
    .trim()
    .split('\n')
    .map((line) => line.split('\t'))
  expect(answers).toHaveLength(4 * queries.length)
  expect(answers.map(([, , equality]) => equality)).toEqual(answers.map(() => 'same'))
  const [before, after] = [answers.slice(0, 2), answers.slice(2 * queries.length, 2 * queries.length + 2)]
  expect(before.map(([, family]) => family)).not.toContain('DejaVu Sans Mono')
  expect(after.map(([, family]) => family)).toEqual(['DejaVu Sans Mono', 'DejaVu Sans Mono'])
})
