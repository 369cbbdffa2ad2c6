import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, it } from 'vitest'
import { removeTree } from '../remove-tree.ts'
import { isOver, maxEntries } from './disk-usage.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kiln-usage-'))
  return () => rm(folder, { recursive: true })
})

it('adds up files in all folders below', async () => {
  await mkdir(join(folder, 'a/b'), { recursive: true })
  await writeFile(join(folder, 'a/b/file'), Buffer.alloc(100_000, 1))
  expect(await isOver([folder], 300_000)).toBe(false)
  expect(await isOver([folder], 90_000)).toBe(true)
})

it('does not follow links', async () => {
  await symlink('/usr', join(folder, 'usr'))
  await symlink(folder, join(folder, 'self'))
  expect(await isOver([folder], 50_000)).toBe(false)
})

it('counts a file that takes no space for something', async () => {
  for (let index = 0; index < 50; index += 1) await writeFile(join(folder, `empty${index}`), '')
  expect(await isOver([folder], 20_000)).toBe(true)
  expect(maxEntries).toBeGreaterThan(1000)
})

it('takes a folder that is gone for empty', async () => {
  expect(await isOver([join(folder, 'gone')], 1)).toBe(false)
})

it('is not put off by a folder that vanished beside a large file', async () => {
  await writeFile(join(folder, 'large'), Buffer.alloc(100_000, 1))
  expect(await isOver([folder, join(folder, 'gone')], 50_000)).toBe(true)
})

it('counts files whose names are not UTF-8, and looks into such folders', async () => {
  const odd = Buffer.from([0xff, 0xfe, 0x80])
  const below = Buffer.concat([Buffer.from(`${folder}/`), odd])
  await mkdir(below)
  await writeFile(Buffer.concat([below, Buffer.from('/'), odd]), Buffer.alloc(100_000, 1))
  expect(await isOver([folder], 300_000)).toBe(false)
  expect(await isOver([folder], 50_000)).toBe(true)
})

it('takes a tree that it cannot look through for over', async () => {
  // Each name is allowed and all together are longer than a path may be.
  const away = process.cwd()
  try {
    process.chdir(folder)
    for (let depth = 0; depth < 20; depth += 1) {
      await mkdir('d'.repeat(250))
      process.chdir('d'.repeat(250))
    }
    await writeFile('large', Buffer.alloc(100_000, 1))
  } finally {
    process.chdir(away)
  }
  expect(await isOver([folder], 1_000_000_000)).toBe(true)
  await removeTree(folder)
  await mkdir(folder)
})
