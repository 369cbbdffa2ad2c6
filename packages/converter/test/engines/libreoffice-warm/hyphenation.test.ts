import { execFile } from 'node:child_process'
import { mkdtemp, readdir, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'

const run = promisify(execFile)
const dictionaries = '/usr/share/hyphen'
const pathOf = (relative: string) => fileURLToPath(new URL(relative, import.meta.url))

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kiln-hyphenation-'))
  const sources = [pathOf('./compare-hyphenation.c'), pathOf('../../../native/office/hyphenation.c')]
  await run('cc', [
    '-std=c11',
    '-O2',
    '-Wall',
    '-Wextra',
    '-Werror',
    '-o',
    join(folder, 'compare'),
    ...sources,
  ])
})
afterAll(() => rm(folder, { recursive: true }))

async function compare(paths: readonly string[]) {
  const { stdout } = await run(join(folder, 'compare'), paths)
  return stdout
    .trim()
    .split('\n')
    .map((line) => line.split('\t'))
}

it('reads every hyphenation dictionary as libhyphen does', async () => {
  const files = (await readdir(dictionaries)).filter((name) => name.endsWith('.dic'))
  const paths = new Set(await Promise.all(files.map((name) => realpath(join(dictionaries, name)))))
  // libhyphen takes seconds for the German one, which is below.
  paths.delete(join(dictionaries, 'hyph_de_DE.dic'))
  expect(paths.size).toBeGreaterThan(20)
  const compared = await compare([...paths])
  expect(compared.map(([path, difference]) => [path, difference])).toEqual(
    [...paths].map((path) => [path, 'same']),
  )
})

it('reads the German one, which has two levels, in a fraction of the CPU time', {
  tags: ['slow'],
}, async () => {
  const [[, difference, theirs, ours] = []] = await compare([join(dictionaries, 'hyph_de_DE.dic')])
  expect(difference).toBe('same')
  expect(Number(ours)).toBeLessThan(Number(theirs) / 5)
})
