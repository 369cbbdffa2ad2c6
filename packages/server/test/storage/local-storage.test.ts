import { randomUUID } from 'node:crypto'
import { mkdtemp, readdir, rm, stat, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type LocalStorage,
  openLocalStorage,
  removeStaleParts,
} from '../../src/storage/local/local-storage.ts'
import { inputObject } from '../../src/storage/object-names.ts'
import { storageContract } from '../../src/storage/storage.contract.ts'

describe('files in a folder', () => {
  let folder: string
  let storage: LocalStorage
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kiln-local-'))
    storage = await openLocalStorage(folder, 'http://localhost:1')
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  storageContract(() => storage)

  test('an upload has its name only after it was committed', async () => {
    const object = inputObject(randomUUID())
    const received = await storage.receive(object, Readable.from([Buffer.from('ab'), Buffer.from('c')]))
    expect(received.bytes).toBe(3)
    expect(await storage.size(object)).toBeNull()
    await received.commit()
    expect(await storage.size(object)).toBe(3)
  })

  test('an upload that breaks off or is thrown away leaves nothing', async () => {
    const object = inputObject(randomUUID())
    const broken = new Readable({
      read() {
        this.push('some')
        this.destroy(new Error('gone'))
      },
    })
    await expect(storage.receive(object, broken)).rejects.toMatchObject({ code: 'size-mismatch' })
    await (await storage.receive(object, Readable.from(['x']))).discard()
    expect(await readdir(join(folder, 'part'))).toEqual([])
  })

  test('what a killed process left half-received is removed, what is young is kept', async () => {
    await storage.receive(inputObject(randomUUID()), Readable.from(['old']))
    const [old] = await readdir(join(folder, 'part'))
    await utimes(join(folder, 'part', old ?? ''), new Date(0), new Date(0))
    await storage.receive(inputObject(randomUUID()), Readable.from(['young']))
    await removeStaleParts(folder, new Date(Date.now() - 60_000))
    expect(await readdir(join(folder, 'part'))).toHaveLength(1)
  })

  test('only our own names become paths', () => {
    for (const name of ['../signing-key', 'in/../signing-key', 'signing-key', 'in/x']) {
      expect(() => storage.pathOf(name)).toThrow()
    }
  })

  test('the folders and the signing key are for us alone, and the key stays the same', async () => {
    for (const name of ['in', 'out', 'part', 'signing-key']) {
      expect((await stat(join(folder, name))).mode & 0o077).toBe(0)
    }
    const again = await openLocalStorage(folder, 'http://localhost:1')
    const object = inputObject(randomUUID())
    const link = await again.uploadUrl({ object, bytes: 1, expiresAt: new Date(Date.now() + 60_000) })
    expect(storage.verify('put', object, new URL(link).search.slice(1)).verdict).toBe('valid')
  })
})
