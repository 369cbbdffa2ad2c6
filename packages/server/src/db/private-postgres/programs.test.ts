import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { systemBinaries } from './programs.ts'

let root = ''
afterEach(() => rm(root, { recursive: true, force: true }))

test('finds whole versions only', async () => {
  root = await mkdtemp(join(tmpdir(), 'kiln-binaries-'))
  for (const name of ['15', 'postgresql@17', 'readme', '16'])
    await mkdir(join(root, name, 'bin'), { recursive: true })
  for (const name of ['15', 'postgresql@17', 'readme']) {
    for (const program of ['postgres', 'initdb']) await writeFile(join(root, name, 'bin', program), '')
  }
  const found = await systemBinaries([root, join(root, 'absent')])
  expect(found.map((each) => each.major).sort()).toEqual([15, 17])
  expect(found.find((each) => each.major === 15)?.postgres).toBe(join(root, '15/bin/postgres'))
})
