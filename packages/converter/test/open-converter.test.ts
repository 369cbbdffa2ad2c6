import { execFileSync } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findPair, type Pair } from '../src/catalog/index.ts'
import { openConverter } from '../src/index.ts'

let root: string
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'kiln-open-'))
  // Engines run as another user, who has to get there.
  await chmod(root, 0o755)
})
afterAll(() => rm(root, { recursive: true, force: true }))

const pair = findPair('md-to-html') as Pair
const open = (offered: Pair) =>
  openConverter({
    log: { info: () => {}, warn: () => {} },
    waiting: 0,
    pairs: [offered],
    scratch: join(root, 'work'),
    cache: join(root, 'cache'),
  })

test('what was opened is closed again when a later part cannot be opened', async () => {
  await expect(open({ ...pair, engine: 'nobody' })).rejects.toThrow('needs exactly one engine named nobody')
  expect(await readdir(join(root, 'work'))).toEqual([])
})

test('an output that cannot be put in its place leaves nothing beside it', async () => {
  const converter = await open(pair)
  try {
    const [input, output] = [join(root, 'letter.md'), join(root, 'out', 'folder')]
    await writeFile(input, '# A letter\n')
    await mkdir(join(output, 'not-empty'), { recursive: true })
    await expect(converter.convertFile({ pair, input, output })).rejects.toThrow(/EISDIR|ENOTEMPTY|EEXIST/)
    expect(await readdir(join(root, 'out'))).toEqual(['folder'])
  } finally {
    await converter.close()
  }
  expect(await readdir(join(root, 'work'))).toEqual([])
})

test('other local users cannot read the files of a conversion', async () => {
  const converter = await open(pair)
  let own = ''
  try {
    await converter.convertFile({
      pair,
      async input(path) {
        await writeFile(path, '# A secret letter\n', { mode: 0o644 })
        // The directory of the process, above those of its conversions.
        own = dirname(dirname(dirname(path)))
        expect((await stat(own)).mode & 0o007).toBe(0)
        const asAnother = process.getuid?.() === 0 ? { uid: 54_321, gid: 54_321 } : null
        if (asAnother) expect(() => execFileSync('cat', [path], { ...asAnother, stdio: 'ignore' })).toThrow()
      },
      output: async () => {},
    })
  } finally {
    await converter.close()
  }
  expect(own).toContain(join(root, 'work'))
})
