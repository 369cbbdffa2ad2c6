import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { inputObject, outputObject } from './object-names.ts'
import type { Download, Storage } from './storage.ts'

// The contract of every storage, tested through the links that clients get where they use links.

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

  describe('a download', () => {
    const content = randomBytes(100_000)
    const stored = async () => {
      const object = outputObject(randomUUID(), 1)
      await open().store(await fileOf(content), object)
      return object
    }
    const ask = (object: string, headers: Record<string, string> = {}, method = 'GET') =>
      open().download(object, { method, headers })
    const bytesOf = async ({ body }: Download) =>
      Buffer.concat((await (body?.toArray() ?? [])).map((chunk) => Buffer.from(chunk)))

    test('is the whole output, with its length and a tag', async () => {
      const answer = await ask(await stored())
      expect(answer.status).toBe(200)
      const headers = new Headers(answer.headers)
      expect(headers.get('content-length')).toBe('100000')
      expect(headers.get('etag')).toBeTruthy()
      expect(headers.get('accept-ranges')).toBe('bytes')
      expect(content.equals(await bytesOf(answer))).toBe(true)
    })

    test('can be asked for without its bytes', async () => {
      const answer = await ask(await stored(), {}, 'HEAD')
      expect(answer.status).toBe(200)
      expect(new Headers(answer.headers).get('content-length')).toBe('100000')
      expect(await bytesOf(answer)).toHaveLength(0)
    })

    test('of a range is that part', async () => {
      const answer = await ask(await stored(), { range: 'bytes=10-19' })
      expect(answer.status).toBe(206)
      expect(new Headers(answer.headers).get('content-range')).toBe('bytes 10-19/100000')
      expect(content.subarray(10, 20).equals(await bytesOf(answer))).toBe(true)
    })

    test('that cannot be is refused with the code for it', async () => {
      const object = await stored()
      await expect(ask(object, { range: 'bytes=200000-' })).rejects.toMatchObject({
        code: 'range-not-satisfiable',
        headers: { 'content-range': 'bytes */100000' },
      })
      await expect(ask(object, { 'if-match': '"another"' })).rejects.toMatchObject({
        code: 'precondition-failed',
      })
      await expect(ask(outputObject(randomUUID(), 1))).rejects.toMatchObject({ code: 'not-found' })
      await expect(ask(outputObject(randomUUID(), 1), {}, 'HEAD')).rejects.toMatchObject({
        code: 'not-found',
      })
    })

    test('of what is known already has no bytes', async () => {
      const object = await stored()
      const first = await ask(object, {}, 'HEAD')
      const answer = await ask(object, { 'if-none-match': String(new Headers(first.headers).get('etag')) })
      expect(answer.status).toBe(304)
      expect(await bytesOf(answer)).toHaveLength(0)
    })

    test('needs a link that names it, for as long as it says', async () => {
      const object = await stored()
      const grant = { object, fileName: 'a.md', contentType: 'text/markdown', expiresAt: inAnHour() }
      const query = (await open().downloadUrl(grant)).split('?')[1] as string
      expect(open().verify('get', object, query)).toMatchObject({
        verdict: 'valid',
        fields: { name: 'a.md', type: 'text/markdown' },
      })
      expect(open().verify('put', object, query).verdict).toBe('forged')
      expect(open().verify('get', outputObject(randomUUID(), 1), query).verdict).toBe('forged')
      const past = (await open().downloadUrl({ ...grant, expiresAt: new Date(Date.now() - 1000) })).split(
        '?',
      )[1]
      expect(open().verify('get', object, String(past)).verdict).toBe('expired')
    })
  })

  test('it says when it can be written', async () => {
    await expect(open().check()).resolves.toBeUndefined()
  })
}
