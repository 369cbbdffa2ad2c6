import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inputObject, outputObject } from './object-names.ts'
import type { Storage } from './storage.ts'

// What every storage must do, judged through the links that clients get where it concerns them.

export function storageContract(open: () => Storage): void {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kiln-storage-'))
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))
  const fileOf = async (content: Buffer) => {
    const path = join(folder, randomUUID())
    await writeFile(path, content)
    return path
  }
  const inAnHour = () => new Date(Date.now() + 3_600_000)
  const names = async () => {
    const found: string[] = []
    for await (const { object } of open().list()) found.push(object)
    return found
  }

  test('what is stored comes back whole, and is listed until it is removed', async () => {
    const storage = open()
    const object = outputObject(randomUUID(), 1)
    const content = randomBytes(300_000)
    expect(await storage.size(object)).toBeNull()
    await storage.store(await fileOf(content), object)
    expect(await storage.size(object)).toBe(content.length)
    expect(await names()).toContain(object)
    const path = join(folder, randomUUID())
    await storage.fetch(object, path)
    expect(content.equals(await readFile(path))).toBe(true)
    await storage.remove(object)
    expect(await storage.size(object)).toBeNull()
    expect(await names()).not.toContain(object)
    await storage.remove(object)
  })

  test('a fetched file can be read by another user, and outlives its object', async () => {
    const storage = open()
    const object = inputObject(randomUUID())
    await storage.store(await fileOf(Buffer.from('input')), object)
    const path = join(folder, randomUUID())
    await storage.fetch(object, path)
    expect((await stat(path)).mode & 0o444).toBe(0o444)
    await storage.remove(object)
    expect(await readFile(path, 'utf8')).toBe('input')
  })

  test('fetching what is not there fails', async () => {
    await expect(open().fetch(inputObject(randomUUID()), join(folder, randomUUID()))).rejects.toThrow()
  })

  test('a later attempt does not overwrite an earlier one', async () => {
    const storage = open()
    const jobId = randomUUID()
    await storage.store(await fileOf(Buffer.from('one')), outputObject(jobId, 1))
    await storage.store(await fileOf(Buffer.from('three')), outputObject(jobId, 2))
    expect(await storage.size(outputObject(jobId, 1))).toBe(3)
    expect(await storage.size(outputObject(jobId, 2))).toBe(5)
  })

  test('links are absolute, and name neither a key nor a path of the host', async () => {
    const storage = open()
    const jobId = randomUUID()
    const links = [
      await storage.uploadUrl({ object: inputObject(jobId), bytes: 5, expiresAt: inAnHour() }),
      await storage.downloadUrl({
        object: outputObject(jobId, 1),
        fileName: 'a.md',
        contentType: 'text/markdown; charset=utf-8',
        expiresAt: inAnHour(),
      }),
    ]
    for (const link of links) {
      expect(new URL(link).protocol).toMatch(/^https?:$/)
      expect(link).toContain(jobId)
      expect(link).not.toContain(tmpdir())
    }
  })

  test('it says when it can be written', async () => {
    await expect(open().check()).resolves.toBeUndefined()
  })
}
