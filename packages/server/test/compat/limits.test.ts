import { writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { Engine } from '@kiln/converter'
import { freePort } from '@kiln/test-support/free-port.ts'
import { afterEach, describe, expect, test } from 'vitest'
import type { LanesWorker } from '../../src/conversions/work-lanes.ts'
import { findLedgerDrift } from '../../src/db/accounts.ts'
import { createCustomer } from '../support/database.ts'
import { useService } from '../support/service.ts'

// Requests of the compatibility APIs are jobs like any other: authenticated, charged, limited, cancelled and cleaned up.

const port = await freePort()
const service = useService({
  compat: ['gotenberg', 'tika', 'docling'],
  compatPort: port,
  compatMaxBytes: 64 * 1024,
  freeJobsPerMonth: 3,
  submitRatePerMinute: 5,
})
const base = `http://127.0.0.1:${port}`

let worker: LanesWorker | null = null
afterEach(async () => {
  await worker?.drain(0)
  worker = null
  expect(await findLedgerDrift(service.database.kysely)).toEqual([])
})

const good: Engine['convert'] = async ({ outFolder }) => {
  await writeFile(join(outFolder, 'out.md'), 'made')
  return 'out.md'
}
const bearer = (key: string) => ({ authorization: `Bearer ${key}` })
const extract = (headers: Record<string, string>, body = '<p>words</p>', signal?: AbortSignal) =>
  fetch(`${base}/tika`, {
    method: 'PUT',
    headers: { 'content-type': 'text/html', ...headers },
    body,
    ...(signal ? { signal } : {}),
  })
const stored = async () => [...(await service.filesIn('in')), ...(await service.filesIn('out'))]

describe('a request of a compatibility API', () => {
  test('takes the key as a bearer token, as X-Api-Key or as a password, charges it, and leaves no file', async () => {
    worker = service.startWorker(good)
    const { key } = await createCustomer(service.database)
    const basic = `Basic ${Buffer.from(`kiln:${key}`).toString('base64')}`
    for (const headers of [bearer(key), { 'x-api-key': key }, { authorization: basic }]) {
      const answer = await extract(headers)
      expect([answer.status, await answer.text()]).toEqual([200, 'made'])
    }
    expect(await service.freeJobs(key)).toBe(0)
    await expect.poll(stored).toEqual([])
    const refused = await extract(bearer(key))
    expect([refused.status, await refused.text()]).toEqual([402, expect.stringContaining('Add credits')])
  })

  test('without a key or with a wrong one is refused before its body is read', async () => {
    const answers = await Promise.all([extract({}), extract(bearer(`kiln_live_${'0'.repeat(38)}`))])
    expect(answers.map(({ status }) => status)).toEqual([401, 401])
    expect((await fetch(`${base}/health`)).status).toBe(200)
  })

  test('counts against the rate of its account', async () => {
    worker = service.startWorker(good)
    const { key } = await createCustomer(service.database)
    const statuses: number[] = []
    for (let count = 0; count < 6; count++) statuses.push((await extract(bearer(key))).status)
    expect(statuses).toEqual([200, 200, 200, 402, 402, 429])
    const limited = await service.call('/v1/conversions', {
      method: 'POST',
      key,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ pair: 'md-to-html', bytes: 5 }),
    })
    expect(limited.status).toBe(429)
  })

  test('that is too large, no form or of an unknown kind is refused', async () => {
    const { key } = await createCustomer(service.database)
    const form = (body: string | FormData, headers = {}) =>
      fetch(`${base}/forms/libreoffice/convert`, {
        method: 'POST',
        headers: { ...bearer(key), ...headers },
        body,
      })
    expect((await extract(bearer(key), 'x'.repeat(100 * 1024))).status).toBe(413)
    expect((await form('x', { 'content-type': 'text/plain' })).status).toBe(415)
    expect((await form('x', { 'content-type': 'multipart/form-data' })).status).toBe(415)
    expect((await form('x', { 'content-type': 'multipart/form-data; boundary=a' })).status).toBe(400)
    const unknown = await extract({ ...bearer(key), 'content-type': 'application/x' }, '\0\u0001')
    expect(unknown.status).toBe(422)
    // Streamed, so that no length announces how much comes.
    const stream = new Blob(['x'.repeat(100 * 1024)]).stream()
    const options = { method: 'PUT', headers: bearer(key), body: stream, duplex: 'half' } as RequestInit
    const late = await fetch(`${base}/tika`, options)
    expect([late.status, await late.text()]).toEqual([413, expect.anything()])
    expect(await service.freeJobs(key)).toBe(3)
  })

  test('whose body does not arrive ends, and holds nothing', { tags: 'slow' }, async () => {
    const { key } = await createCustomer(service.database)
    const socket = connect(port, '127.0.0.1')
    const ended = text(socket)
    socket.write(
      `PUT /tika HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${key}\r\ncontent-length: 9000\r\n\r\n<p>`,
    )
    const trickle = setInterval(() => socket.write('x'), 5_000)
    expect(await ended).toMatch(/^HTTP\/1.1 408/)
    clearInterval(trickle)
    expect(await service.freeJobs(key)).toBe(3)
  })

  test('with a webhook to this machine or its network is refused', async () => {
    const { key } = await createCustomer(service.database)
    for (const url of [
      'http://127.0.0.1:1/x',
      'http://localhost/x',
      'http://169.254.169.254/',
      'file:///etc/passwd',
    ]) {
      const form = new FormData()
      form.append('files', new Blob(['<p>x']), 'index.html')
      const answer = await fetch(`${base}/forms/chromium/convert/html`, {
        method: 'POST',
        headers: { ...bearer(key), 'gotenberg-webhook-url': url, 'gotenberg-webhook-error-url': url },
        body: form,
      })
      expect(answer.status, url).toBe(400)
    }
    expect(await service.freeJobs(key)).toBe(3)
  })

  test('is cancelled and given back when its caller disconnects', async () => {
    const running = Promise.withResolvers<void>()
    worker = service.startWorker(async ({ signal }) => {
      running.resolve()
      await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
      return ''
    })
    const { key } = await createCustomer(service.database)
    const caller = new AbortController()
    const answer = extract(bearer(key), undefined, caller.signal).catch((error: Error) => error.name)
    await running.promise
    expect(await service.freeJobs(key)).toBe(2)
    caller.abort()
    expect(await answer).toBe('AbortError')
    await expect.poll(() => service.freeJobs(key)).toBe(3)
    await expect.poll(stored).toEqual([])
  })
})
