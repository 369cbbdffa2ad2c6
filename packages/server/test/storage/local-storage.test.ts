import { randomUUID } from 'node:crypto'
import { mkdtemp, readdir, rm, stat, statfs, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
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

  const receive = async (object: string, body: Readable, bytes = 3) => {
    const room = await storage.reserve(bytes)
    return room.receive(object, body, new AbortController().signal).finally(room.release)
  }

  test('an upload has its name only after it was committed', async () => {
    const object = inputObject(randomUUID())
    const received = await receive(object, Readable.from([Buffer.from('ab'), Buffer.from('c')]))
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
    await expect(receive(object, broken)).rejects.toMatchObject({ code: 'size-mismatch' })
    await (await receive(object, Readable.from(['x']))).discard()
    expect(await readdir(join(folder, 'part'))).toEqual([])
  })

  test('what a killed process left half-received is removed, what is young is kept', async () => {
    await receive(inputObject(randomUUID()), Readable.from(['old']))
    const [old] = await readdir(join(folder, 'part'))
    await utimes(join(folder, 'part', old ?? ''), new Date(0), new Date(0))
    await receive(inputObject(randomUUID()), Readable.from(['young']))
    await removeStaleParts(folder, new Date(Date.now() - 60_000))
    expect(await readdir(join(folder, 'part'))).toHaveLength(1)
  })

  test('space reserved for uploads in progress is not promised twice', async () => {
    const { bavail, bsize } = await statfs(folder)
    const available = bavail * bsize - 256 * 1024 * 1024
    await expect(storage.reserve(available + 100e9)).rejects.toMatchObject({ code: 'unavailable' })
    const first = await storage.reserve(Math.floor(available * 0.6))
    await expect(storage.reserve(Math.floor(available * 0.6))).rejects.toMatchObject({ code: 'unavailable' })
    first.release()
    const second = await storage.reserve(Math.floor(available * 0.6))
    second.release()
  })

  test('an upload that is stopped early leaves its sender a connection to read the answer from', async () => {
    const before = await readdir(join(folder, 'part'))
    const stop = new AbortController()
    const body = new PassThrough()
    const room = await storage.reserve(100)
    const received = room.receive(inputObject(randomUUID()), body, stop.signal)
    body.write('some')
    await expect.poll(room.written).toBe(4)
    stop.abort(new Error('too slow'))
    await expect(received).rejects.toThrow('too slow')
    room.release()
    expect(body.destroyed).toBe(false)
    expect(await readdir(join(folder, 'part'))).toEqual(before)
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
