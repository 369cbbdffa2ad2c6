import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Swift, startSwift } from '@kiln/test-support/swift.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { inputObject, outputObject } from '../../src/storage/object-names.ts'
import { createBucket } from '../../src/storage/s3/create-bucket.ts'
import { openS3Storage } from '../../src/storage/s3/s3-storage.ts'
import { storageContract } from '../../src/storage/storage.contract.ts'

describe('an S3 bucket', () => {
  let swift: Swift
  let storage: ReturnType<typeof openS3Storage>
  let folder: string
  beforeAll(async () => {
    swift = await startSwift()
    storage = openS3Storage({ ...swift.settings, prefix: 'kiln/' }, 'http://localhost:1')
    folder = await mkdtemp(join(tmpdir(), 'kiln-s3-'))
  }, 120_000)
  afterAll(async () => {
    storage?.close()
    await swift?.stop()
    await rm(folder, { recursive: true, force: true })
  })
  const inAnHour = () => new Date(Date.now() + 3_600_000)

  storageContract(() => storage)

  test('the upload link takes exactly the declared bytes, and may be used again', async () => {
    const object = inputObject(randomUUID())
    const url = await storage.uploadUrl({ object, bytes: 5, expiresAt: inAnHour() })
    const put = (body: string) => fetch(url, { method: 'PUT', body })
    expect((await put('four')).status).toBe(403)
    expect((await put('sixsix')).status).toBe(403)
    expect(await storage.size(object)).toBeNull()
    const first = await put('five!')
    expect(first.status).toBe(200)
    expect(first.headers.get('etag')).toBeTruthy()
    expect((await put('again')).status).toBe(200)
    expect(await storage.size(object)).toBe(5)
  })

  test('a link is good for its own object, verb and time alone', async () => {
    const object = inputObject(randomUUID())
    const url = await storage.uploadUrl({ object, bytes: 1, expiresAt: inAnHour() })
    expect(
      (await fetch(url.replace(object, inputObject(randomUUID())), { method: 'PUT', body: 'x' })).status,
    ).toBe(403)
    expect((await fetch(url)).status).toBe(403)
    const short = await storage.uploadUrl({ object, bytes: 1, expiresAt: new Date(Date.now() + 1000) })
    await new Promise((resolve) => setTimeout(resolve, 2500))
    expect((await fetch(short, { method: 'PUT', body: 'x' })).status).toBe(403)
  })

  test('a bucket is created once; a store without CORS settings of its own is reported', async () => {
    const settings = { ...swift.settings, bucket: 'created-by-kiln' }
    expect(await createBucket(settings, 'https://kiln.example.com')).toEqual({
      created: true,
      corsOrigin: null,
    })
    expect(await createBucket(settings, 'https://kiln.example.com')).toMatchObject({ created: false })
  })

  test('the origin that browsers upload to is that of the links', async () => {
    const url = await storage.uploadUrl({
      object: inputObject(randomUUID()),
      bytes: 1,
      expiresAt: inAnHour(),
    })
    expect(new URL(url).origin).toBe(storage.uploadOrigin)
  })

  test('a slow store is an error where a client waits, and only there', async () => {
    const { hostname, port } = new URL(swift.settings.endpoint ?? '')
    // Longer than a client is kept waiting.
    const slow = createServer((client) => {
      const upstream = connect(Number(port), hostname).on('error', () => {})
      client.on('error', () => {}).pipe(upstream)
      upstream.on('data', (bytes) => setTimeout(() => client.write(bytes), 3000))
    })
    await once(slow.listen(0, '127.0.0.1'), 'listening')
    const endpoint = `http://127.0.0.1:${(slow.address() as AddressInfo).port}`
    const far = openS3Storage({ ...swift.settings, prefix: 'kiln/', endpoint }, 'http://localhost:1')
    try {
      const object = inputObject(randomUUID())
      await expect(far.size(object)).rejects.toMatchObject({ code: 'unavailable' })
      expect(await far.size(object, { isPatient: true })).toBeNull()
    } finally {
      far.close()
      slow.close()
    }
  })

  test('inputs and outputs are listed apart', async () => {
    const jobId = randomUUID()
    for (const object of [inputObject(jobId), outputObject(jobId, 1)]) {
      const path = join(folder, randomUUID())
      await writeFile(path, 'x')
      await storage.store(path, object)
    }
    const listed: string[] = []
    for await (const { object } of storage.list('in')) listed.push(object)
    expect(listed).toContain(inputObject(jobId))
    expect(listed).not.toContain(outputObject(jobId, 1))
  })
})
