import { createSecretKey } from 'node:crypto'
import { once } from 'node:events'
import { readFile, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { Agent, type IncomingMessage, type RequestOptions, request } from 'node:http'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { beforeAll, describe, expect, test } from 'vitest'
import { signLink } from '../../src/storage/signed-link.ts'
import { useService } from '../support/service.ts'

const service = useService()

const submitted = async (bytes: number) => {
  const answer = await service.call('/v1/conversions', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ pair: 'md-to-html', bytes }),
  })
  return (await answer.json()) as { jobId: string; uploadUrl: string }
}
const put = (url: string, body: string) => fetch(url, { method: 'PUT', body })
const refusalOf = async (answer: Response) => {
  expect(answer.headers.get('content-type')).toMatch(/^application\/json/)
  expect(answer.headers.get('request-id')).toMatch(/\S/)
  const body = (await answer.json()) as { code: string }
  expect(body).toEqual({ error: expect.any(String), code: expect.any(String) })
  return [answer.status, body.code]
}

describe('an upload link', () => {
  test.each(['before', 'after'])(
    'cannot be widened by a second number of bytes %s the first',
    async (place) => {
      const { jobId, uploadUrl } = await submitted(1)
      const [address, query] = uploadUrl.split('?')
      const long = 'x'.repeat(4_000_000)
      const widened =
        place === 'before' ? `${address}?bytes=${long.length}&${query}` : `${uploadUrl}&bytes=${long.length}`
      expect(await refusalOf(await put(widened, long))).toEqual([403, 'forbidden'])
      expect(await service.filesIn('in')).not.toContain(jobId)
      expect((await put(uploadUrl, 'x')).status).toBe(200)
    },
  )

  test('that is refused while a slow client is still sending leaves the connection to the next request', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const send = (path: string, options: RequestOptions) =>
      request(new URL(path, service.base), { agent, ...options })
    const refusedPut = send('/files/in/nothing', { method: 'PUT', headers: { 'content-length': 8 } })
    const answered = once(refusedPut, 'response')
    for (let sent = 0; sent < 8; sent++) {
      refusedPut.write('x')
      await delay(300)
    }
    refusedPut.end()
    const [refusal] = (await answered) as [IncomingMessage]
    expect(refusal.statusCode).toBe(403)
    const { socket } = refusal
    await once(refusal.resume(), 'end')
    const [next] = (await once(send('/healthz', {}).end(), 'response')) as [IncomingMessage]
    expect(next.statusCode).toBe(200)
    expect(next.socket === socket).toBe(true)
    agent.destroy()
  })

  test('with the right signature still takes only the bytes that the job was charged for', async () => {
    const { jobId } = await submitted(1)
    const key = createSecretKey(await readFile(join(service.folder, 'files/signing-key')))
    const expiresAt = new Date(Date.now() + 60_000)
    const link = signLink(key, { verb: 'put', object: `in/${jobId}`, expiresAt, fields: { bytes: '9' } })
    expect(await refusalOf(await put(new URL(service.base).origin + link, 'x'.repeat(9)))).toEqual([
      400,
      'size-mismatch',
    ])
  })
})

describe('a download link', () => {
  let url: string
  beforeAll(async () => {
    const worker = service.startWorker(async ({ outFolder }) => {
      await writeFile(join(outFolder, 'out.html'), '<p>made</p>')
      return 'out.html'
    })
    url = String((await service.ended(await service.convert('hello'))).downloadUrl)
    await worker.drain(0)
  })

  test.each([
    ['another name', 'name=evil.exe'],
    ['another type', 'type=application/x-msdownload'],
    ['a line break as a name', 'name=%0aset-cookie:%20a=b'],
    ['a line break as a type', 'type=%0d%0a'],
    ['a later end', 'expires=99999999999'],
    ['a field that no link has', 'disposition=inline'],
  ])('cannot be given %s', async (_, field) => {
    const [address, query] = url.split('?')
    for (const widened of [`${address}?${field}&${query}`, `${url}&${field}`, `${url}?${field}`])
      expect(await refusalOf(await fetch(widened))).toEqual([403, 'forbidden'])
    expect((await fetch(url)).headers.get('content-disposition')).toMatch(
      /^attachment; filename="[\w.-]+\.html"$/,
    )
  })

  test('answers a failed precondition and a range outside the file with the error body', async () => {
    const get = (headers: Record<string, string>) => fetch(url, { headers })
    expect(await refusalOf(await get({ 'if-match': '"another"' }))).toEqual([412, 'precondition-failed'])
    expect(await refusalOf(await get({ 'if-unmodified-since': 'Thu, 01 Jan 1970 00:00:00 GMT' }))).toEqual([
      412,
      'precondition-failed',
    ])
    expect(await refusalOf(await get({ range: 'bytes=999-' }))).toEqual([416, 'range-not-satisfiable'])
  })

  test('answers with the error body when the file cannot be read', async () => {
    const path = join(service.folder, new URL(url).pathname)
    await rename(path, `${path}.away`)
    await symlink(path, path)
    try {
      expect(await refusalOf(await fetch(url))).toEqual([500, 'internal'])
    } finally {
      await rm(path)
      await rename(`${path}.away`, path)
    }
    expect((await fetch(url)).status).toBe(200)
  })
})
