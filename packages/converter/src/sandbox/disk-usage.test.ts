import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, it } from 'vitest'
import { isOver, mostEntries } from './disk-usage.ts'

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
  expect(mostEntries).toBeGreaterThan(1000)
})

it('takes a folder that is gone for empty', async () => {
  expect(await isOver([join(folder, 'gone')], 1)).toBe(false)
})

it('is not put off by a folder that vanished beside a large file', async () => {
  await writeFile(join(folder, 'large'), Buffer.alloc(100_000, 1))
  expect(await isOver([folder, join(folder, 'gone')], 50_000)).toBe(true)
})
