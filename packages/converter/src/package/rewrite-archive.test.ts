import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { unzip, zip } from '@kiln/test-support/zip.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openArchive } from './archive.ts'
import { rewriteArchive } from './rewrite-archive.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kiln-parts-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const large = Buffer.alloc(100_000, 'picture')

/** An archive whose directory is changed: `change` gets where each of its records begins. */
function archive(change: (bytes: Buffer, records: number[]) => void): Buffer {
  const bytes = zip([
    { name: 'Text.xml', content: '<old/>' },
    { name: 'media/a.bin', content: large, stored: true },
    ...Array.from({ length: 9 }, (_, n) => ({ name: `media/${n}.bin`, content: 'x', stored: true })),
  ])
  const records: number[] = []
  for (let at = bytes.indexOf('PK\x01\x02'); at !== -1; at = bytes.indexOf('PK\x01\x02', at + 1))
    records.push(at)
  change(bytes, records)
  return bytes
}

async function replaced(name: string, bytes: Buffer) {
  const target = join(folder, `${name}.new`)
  const parts = new Map<string, string | Buffer>([
    ['text.xml', '<new/>'],
    ['media/new.png', Buffer.of(1, 2, 3)],
  ])
  const archive = await openArchive({
    size: bytes.length,
    read: async (position, length) => bytes.subarray(position, position + length),
  })
  return { isReplaced: await rewriteArchive(archive, target, parts), target, names: archive.entries }
}

test('a part is replaced, another added, and the others are as they were', async () => {
  const { isReplaced, target, names } = await replaced(
    'good',
    archive(() => {}),
  )
  expect(isReplaced).toBe(true)
  expect(names).toHaveLength(11)
  const parts = unzip(await readFile(target))
  expect(parts.get('Text.xml')?.toString()).toBe('<new/>')
  expect(parts.get('media/a.bin')?.equals(large)).toBe(true)
  expect(parts.get('media/new.png')).toEqual(Buffer.of(1, 2, 3))
  expect(parts.size).toBe(12)
})

test('an archive whose parts lie in each other, and would become many times as large, is left alone', async () => {
  const bytes = archive((file, [, a = 0, ...others]) => {
    for (const record of others) {
      file.writeUInt32LE(large.length, record + 20)
      file.writeUInt32LE(file.readUInt32LE(a + 42), record + 42)
    }
  })
  const { isReplaced, target } = await replaced('overlapping', bytes)
  expect(isReplaced).toBe(false)
  expect(existsSync(target)).toBe(false)
})

test('an archive whose directory leads out of the file is left alone', async () => {
  const bytes = archive((file, [, , last = 0]) => file.writeUInt32LE(file.length - 4, last + 42))
  expect((await replaced('outside', bytes)).isReplaced).toBe(false)
})
