import { readdir, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { ConversionFailed, type Engine } from '@kiln/converter'
import { freePort } from '@kiln/test-support/free-port.ts'
import { onePage } from '@kiln/test-support/pdf-file.ts'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { LanesWorker } from '../../src/conversions/work-lanes.ts'
import { createCustomer } from '../support/database.ts'
import { useService } from '../support/service.ts'

// A request with webhook headers is answered immediately; its result is sent to the caller's address.

const port = await freePort()
const service = useService({ compat: ['gotenberg'], compatPort: port, webhooksToPrivate: true })

interface Received {
  path: string
  method: string
  headers: IncomingMessage['headers']
  body: Buffer
}
const received: Received[] = []
let failing = 0
const receiver = createServer(async (request, response) => {
  const body = await buffer(request)
  received.push({ path: request.url ?? '', method: request.method ?? '', headers: request.headers, body })
  failing -= 1
  response.writeHead(failing >= 0 ? 500 : 200).end()
})
let address = ''
beforeAll(async () => {
  await new Promise<void>((done) => receiver.listen(0, '127.0.0.1', done))
  address = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`
})
afterAll(() => {
  receiver.close()
})

let worker: LanesWorker | null = null
afterEach(async () => {
  await worker?.drain(0)
  worker = null
  received.length = 0
  failing = 0
})

const prints: Engine['convert'] = async ({ outFolder }) => {
  await writeFile(join(outFolder, 'out.pdf'), onePage('BT /F1 12 Tf 72 720 Td (Honest words) Tj ET'))
  return 'out.pdf'
}

const print = (key: string, headers: Record<string, string>) => {
  const form = new FormData()
  form.append('files', new Blob(['<p>Honest words']), 'index.html')
  return fetch(`http://127.0.0.1:${port}/forms/chromium/convert/html`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, ...headers },
    body: form,
  })
}
const folders = async () => {
  const names = (await readdir(service.folder)).filter((name) => name.startsWith('compat-'))
  return (await Promise.all(names.map((name) => readdir(join(service.folder, name))))).flat()
}

describe('a webhook of a request', () => {
  test('gets the file, with the headers that the caller asked for, and the request leaves nothing', async () => {
    worker = service.startWorker(prints)
    const { key } = await createCustomer(service.database)
    failing = 1
    const answer = await print(key, {
      'gotenberg-webhook-url': `${address}/done`,
      'gotenberg-webhook-method': 'PUT',
      'gotenberg-webhook-events-url': `${address}/events`,
      'gotenberg-webhook-extra-http-headers': '{"X-Foo":"bar"}',
      'gotenberg-output-filename': 'letter',
      'gotenberg-trace': 'my-trace',
    })
    expect([answer.status, await answer.text()]).toEqual([204, ''])
    // The first attempt was refused.
    await expect
      .poll(() => received.map(({ path }) => path), { timeout: 30_000 })
      .toEqual(['/done', '/done', '/events'])
    const [, file, event] = received
    expect(file).toMatchObject({
      method: 'PUT',
      headers: {
        'content-type': 'application/pdf',
        'content-disposition': 'attachment; filename="letter.pdf"',
        'x-foo': 'bar',
        'gotenberg-trace': 'my-trace',
      },
    })
    expect(file?.body.subarray(0, 5).toString()).toBe('%PDF-')
    expect(JSON.parse(String(event?.body))).toMatchObject({
      event: 'webhook.success',
      correlationId: 'my-trace',
    })
    await expect.poll(folders).toEqual([])
    await expect.poll(async () => (await service.filesIn('out')).length).toBe(0)
  })

  test('gets the failure at the address for errors', async () => {
    worker = service.startWorker(async () => {
      throw new ConversionFailed('corrupt-input', 'The page is damaged.')
    })
    const { key } = await createCustomer(service.database)
    const answer = await print(key, {
      'gotenberg-webhook-url': `${address}/done`,
      'gotenberg-webhook-error-url': `${address}/error`,
      'gotenberg-webhook-error-method': 'PATCH',
    })
    expect(answer.status).toBe(204)
    await expect.poll(() => received.length, { timeout: 30_000 }).toBe(1)
    const [error] = received
    expect(error).toMatchObject({ path: '/error', method: 'PATCH' })
    expect(JSON.parse(String(error?.body))).toEqual({ status: 400, message: 'The page is damaged.' })
  })

  test('is refused without an address for errors', async () => {
    const { key } = await createCustomer(service.database)
    const answer = await print(key, { 'gotenberg-webhook-url': `${address}/done` })
    expect([answer.status, await answer.text()]).toEqual([
      400,
      expect.stringContaining('Gotenberg-Webhook-Error-Url'),
    ])
  })
})
