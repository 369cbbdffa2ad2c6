import { beforeAll, describe, expect, test } from 'vitest'
import { someClient } from './accounts.ts'
import { expectError } from './expectations.ts'
import { requirement } from './requirements.ts'
import { bytesOf, type Client, send } from './service.ts'

let client: Client
let url: string
let whole: Buffer

const get = (headers: Record<string, string> = {}, method = 'GET') => fetch(url, { method, headers })
const bytes = async (response: Response) => Buffer.from(await response.arrayBuffer())

beforeAll(async () => {
  client = someClient()
  url = (await client.run('md-to-html', bytesOf('# Download me\n\nSome words.\n'))).downloadUrl ?? ''
  whole = await bytes(await get())
})

describe('the download', () => {
  test(`${requirement('download.plain-get', 'base.presigned-urls')} is a plain GET`, async () => {
    const response = await get()
    expect(response.status).toBe(200)
    expect((await bytes(response)).toString()).toContain('Download me')
    expect(url.startsWith(`${client.baseUrl}/`)).toBe(false)
  })

  test(`${requirement('download.content-type', 'download.attachment', 'download.no-store', 'download.nosniff', 'errors.request-id')} carries the headers that keep it a file`, async () => {
    const { headers } = await get()
    expect(headers.get('content-type')).toMatch(/^text\/html\b/)
    expect(headers.get('content-disposition')).toMatch(/^attachment; filename="?[\w.-]+\.html"?/)
    expect(headers.get('cache-control')).toContain('no-store')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('content-length')).toBe(String(whole.length))
    expect(headers.get('request-id')).toMatch(/^\S+$/)
  })

  test(`${requirement('download.content-type', 'download.attachment')} of a Word file says so`, async () => {
    const job = await client.run('md-to-docx', bytesOf('# Word\n'))
    const { headers } = await fetch(job.downloadUrl ?? '', { method: 'HEAD' })
    expect(headers.get('content-type')).toBe(
      'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    )
    expect(headers.get('content-disposition')).toMatch(/^attachment; filename="?[\w.-]+\.docx"?/)
  })

  test(`${requirement('download.get-and-head')} answers HEAD like GET, without the bytes`, async () => {
    const response = await get({}, 'HEAD')
    expect(response.status).toBe(200)
    expect(response.headers.get('content-length')).toBe(String(whole.length))
    expect(response.headers.get('content-type')).toMatch(/^text\/html\b/)
    expect((await bytes(response)).length).toBe(0)
  })

  const ranges: [string, (all: Buffer) => Buffer, (size: number) => string][] = [
    ['bytes=0-0', (all) => all.subarray(0, 1), (size) => `bytes 0-0/${size}`],
    ['bytes=3-9', (all) => all.subarray(3, 10), (size) => `bytes 3-9/${size}`],
    ['bytes=10-', (all) => all.subarray(10), (size) => `bytes 10-${size - 1}/${size}`],
    ['bytes=-5', (all) => all.subarray(-5), (size) => `bytes ${size - 5}-${size - 1}/${size}`],
    ['bytes=0-999999999', (all) => all, (size) => `bytes 0-${size - 1}/${size}`],
  ]
  test.each(ranges)(`${requirement('download.ranges')} serves %s`, async (range, part, contentRange) => {
    const response = await get({ range })
    expect(response.status).toBe(206)
    expect(response.headers.get('content-range')).toBe(contentRange(whole.length))
    expect(await bytes(response)).toEqual(part(whole))
  })

  test(`${requirement('download.ranges')} refuses a range past the end`, async () => {
    const answer = await send(url, { headers: { range: 'bytes=99999999-' } })
    expectError(answer, 'range-not-satisfiable')
    expect(answer.headers.get('content-range')).toBe(`bytes */${whole.length}`)
    expect(answer.headers.get('content-disposition')).toBeNull()
  })

  test(`${requirement('download.ranges')} announces that it serves ranges`, async () => {
    expect((await get()).headers.get('accept-ranges')).toBe('bytes')
  })

  test(`${requirement('base.presigned-urls')} is closed without the right signature`, async () => {
    expectError(await send(`${url}0`), 'forbidden')
    expectError(await send(url.split('?')[0] ?? ''), 'forbidden')
    const other = await client.run('md-to-html', bytesOf('# Another\n'))
    const job = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/
    const crossed = url.replace(job, job.exec(other.downloadUrl ?? '')?.[0] ?? '')
    expect(crossed).not.toBe(url)
    expectError(await send(crossed), 'forbidden')
  })

  test.each([
    'name=evil.exe',
    'type=application/x-msdownload',
    'name=%0aset-cookie:a',
    'expires=99999999999',
    'signature=x',
    'more=1',
  ])(`${requirement('links.not-widened', 'links.error-body')} is closed with a further %s`, async (field) => {
    const [address, query] = url.split('?')
    for (const widened of [`${address}?${field}&${query}`, `${url}&${field}`, `${url}?${field}`])
      expectError(await send(widened), 'forbidden')
  })

  test(`${requirement('links.error-body')} answers a failed precondition with the error body`, async () => {
    expectError(await send(url, { headers: { 'if-match': '"another"' } }), 'precondition-failed')
    const longAgo = { 'if-unmodified-since': 'Thu, 01 Jan 1970 00:00:00 GMT' }
    expectError(await send(url, { headers: longAgo }), 'precondition-failed')
  })

  test(`${requirement('base.presigned-urls')} is no leave to write`, async () => {
    for (const method of ['PUT', 'POST', 'DELETE', 'PATCH']) {
      const { status } = await send(url, { method })
      expect(status).toBeGreaterThanOrEqual(400)
      expect(status).toBeLessThan(500)
    }
    expect(await bytes(await get())).toEqual(whole)
  })

  test('may be fetched many times at once', async () => {
    const copies = await Promise.all(Array.from({ length: 20 }, async () => bytes(await get())))
    for (const copy of copies) expect(copy).toEqual(whole)
  })
})
