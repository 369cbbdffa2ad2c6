import { randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Engine } from '@kiln/converter'
import { optionsSchema, pairs } from '@kiln/converter/catalog'
import { docxWith } from '@kiln/test-support/documents.ts'
import { longestBlock, measureEventLoop } from '@kiln/test-support/event-loop.ts'
import { freePort } from '@kiln/test-support/free-port.ts'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { packFiles } from '../../src/compat/outputs.ts'
import { adoptPassword } from '../../src/console/operator.ts'
import { openConsole, password } from '../console/console-client.ts'
import { originOf } from '../support/page-client.ts'
import { useService } from '../support/service.ts'
import type { ReceivedResponse, SentRequest } from './request-thread.ts'

// Every route, option and agent tool with the largest hostile input that it accepts: none may block the event loop. All
// routes and tools get the same inputs, so that a new one is covered as soon as it exists.

vi.setConfig({ testTimeout: 300_000 })

const unlimited = 1_000_000
const compatPort = await freePort()
const service = useService({
  submitRatePerMinute: unlimited,
  pollRatePerMinute: unlimited,
  agentCpuSecondsPerMinute: unlimited,
  compat: ['docling', 'tika'],
  compatPort,
})

let client: Worker
let headers: Record<string, string>
beforeAll(async () => {
  client = new Worker(new URL('./request-thread.ts', import.meta.url))
  await adoptPassword(service.database, password)
  const { cookie } = await openConsole(service)
  headers = { cookie, origin: originOf(service), authorization: `Bearer ${service.customer.key}` }
})
afterAll(async () => void (await client.terminate()))

interface Request {
  method: string
  path: string
  body?: string | Buffer
  headers?: Record<string, string>
}

/** The request, its answer, and the longest turn of the event loop in milliseconds of CPU time. */
interface Measured extends Request {
  block: number
  answer: ReceivedResponse
}

async function measure(request: Request): Promise<Measured> {
  const bytes = request.body === undefined ? null : new Uint8Array(Buffer.from(request.body))
  const sent: SentRequest = {
    url: new URL(request.path, originOf(service)).href,
    method: request.method,
    headers: { ...headers, ...request.headers },
    body: bytes,
  }
  const received = new Promise<ReceivedResponse>((resolve) => client.once('message', resolve))
  const loop = measureEventLoop()
  client.postMessage(sent, bytes ? [bytes.buffer] : [])
  const answer = await received
  return { ...request, answer, block: loop.longest() }
}

/** Measured again if it was long: what blocks the loop always does, unlike a first use or a garbage collection. */
async function expectFreeLoop(request: Request): Promise<ReceivedResponse> {
  let measured = await measure(request)
  for (let run = 0; measured.block > longestBlock && run < 3; run += 1) measured = await measure(request)
  const { block, path, method, body = '' } = measured
  const what = `${method} ${path.slice(0, 100)} ${body.slice(0, 100)} (${body.length} bytes)`
  expect(block, what).toBeLessThan(longestBlock)
  return measured.answer
}

const kibibyte = 1024
const mebibyte = 1024 * kibibyte

const repeated = (piece: string, length: number) => piece.repeat(Math.floor(length / piece.length))

/** Bodies of about this size, each hard on another part of what reads them. */
const bodiesOf = (bytes: number): string[] => [
  `{"a":${repeated('[', bytes / 2)}${repeated(']', bytes / 2)}}`,
  `[${repeated('{},', bytes)}{}]`,
  `{${Array.from({ length: bytes / 16 }, (_, index) => `"k${index}":0`).join(',')}}`,
  `{"name":"${repeated('\\u00e9', bytes)}"}`,
  repeated('"', bytes),
]

const longText = repeated('a-%20', 3000)

test('no route is blocked by what a caller sends', async () => {
  const routes = service.routes().filter((route) => !route.startsWith('HEAD'))
  expect(routes.length).toBeGreaterThan(30)
  for (const route of routes) {
    const [method = '', pattern = ''] = route.split(' ')
    const withId = pattern.replaceAll(/:\w+|\*/g, randomUUID())
    const withText = pattern.replaceAll(/:\w+|\*/g, longText)
    for (const path of new Set([withId, withText])) {
      const query = ['search', 'pair', 'reason', 'before', 'account', 'x'].map(
        (name) => `${name}=${longText}`,
      )
      await expectFreeLoop({ method, path: `${path}?${query.slice(0, 3).join('&')}` })
      await expectFreeLoop({ method, path, headers: { accept: repeated('a/b;q=0.1,', 8 * kibibyte) } })
    }
    if (method !== 'POST' && method !== 'PUT') continue
    // Signing out would end the session that the others need.
    const session = pattern.endsWith('/sign-out') ? { cookie: '' } : {}
    const typed = { 'content-type': 'application/json', ...session }
    // Larger ones are refused without a look at them, except where large files are expected.
    const isLarge = (await measure({ method, path: withId, headers: typed, body: repeated(' ', mebibyte) }))
      .answer.status
    const sizes = isLarge === 413 || isLarge === 0 ? [15 * kibibyte] : [15 * kibibyte, mebibyte]
    for (const body of sizes.flatMap(bodiesOf))
      await expectFreeLoop({ method, path: withId, headers: typed, body })
  }
})

test('no option is blocked by its value', async () => {
  const seen = new Set<string>()
  for (const pair of pairs) {
    for (const name of Object.keys((optionsSchema(pair).properties ?? {}) as object)) {
      if (seen.has(name)) continue
      seen.add(name)
      for (const piece of ['1-', '1,', ' ', 'a', '{{', 'é', '1:', '-', 'a-', '$', '0']) {
        const options = { [name]: repeated(piece, 15 * kibibyte) }
        await expectFreeLoop({
          method: 'POST',
          path: '/api/v1/conversions',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ pair: pair.slug, bytes: 1, options }),
        })
      }
    }
  }
  expect(seen.size).toBeGreaterThan(20)
})

test('no house style blocks the console', async () => {
  const path = `/console/api/accounts/${service.customer.accountId}/style`
  for (const piece of ['\\41 ', '/*', 'data:', '@', '{', '\\'])
    await expectFreeLoop({ method: 'PUT', path: `${path}/css`, body: repeated(piece, 64 * kibibyte) })
  for (const piece of ['<Relationship ', '<Relationship Type="', 'x'])
    await expectFreeLoop({
      method: 'PUT',
      path: `${path}/reference`,
      body: docxWith(repeated(piece, 32 * mebibyte)),
    })
})

const agentHeaders = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }

const agentCall = (body: string): Request => ({
  method: 'POST',
  path: '/api/mcp',
  headers: agentHeaders,
  body,
})

const rpc = (method: string, params: object) => JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })

const toolCall = (name: string, args: object) => agentCall(rpc('tools/call', { name, arguments: args }))

test('no agent tool is blocked by its arguments', async () => {
  const listed = await measure(agentCall(rpc('tools/list', {})))
  const tools = [...listed.answer.text.matchAll(/"name":"(\w+)","title"/g)].map(([, name]) => name ?? '')
  expect(tools).toContain('check_conversion')
  // Longer messages are refused before a tool sees them.
  const size = 30 * kibibyte
  // As deep as it can still be written.
  const arrays = JSON.parse(`${'['.repeat(2000)}${']'.repeat(2000)}`)
  const keys = Object.fromEntries(Array.from({ length: size / 16 }, (_, index) => [`k${index}`, 0]))
  for (const name of tools) {
    const text = repeated('é', size / 2)
    await expectFreeLoop(toolCall(name, { from: text, to: 'pdf', bytes: 1, job_id: text }))
    for (const options of [{ a: arrays }, keys, { a: text }])
      await expectFreeLoop(toolCall(name, { from: 'md', to: 'pdf', bytes: 1, job_id: 'x', options }))
  }
  const message = rpc('tools/list', {})
  await expectFreeLoop(agentCall(`[${repeated(`${message},`, size)}${message}]`))
})

const longestCall = 12 * mebibyte - kibibyte
const longestText = 8 * mebibyte - kibibyte

test('no agent tool is blocked by a message, a document or an output', { tags: 'slow' }, async () => {
  let output = 'Some words.'
  const made: Engine['convert'] = async ({ outFolder }) => {
    await writeFile(join(outFolder, 'out.md'), output)
    return 'out.md'
  }
  const worker = service.startWorker(made)
  // It would take the jobs of later tests as well.
  onTestFinished(() => worker.drain(1))
  const bodies = [
    ...bodiesOf(longestCall),
    rpc('tools/call', {
      name: 'list_formats',
      arguments: { from: repeated('"', longestCall / 2 - kibibyte) },
    }),
  ]
  for (const body of bodies) {
    const { status } = await expectFreeLoop(agentCall(body))
    expect(status).toBe(400)
  }
  const documents = [
    { text: repeated('"', longestText / 2) },
    { base64: repeated('QUJD\n', longestCall * 0.8) },
    { base64: repeated('!', longestCall - kibibyte) },
  ]
  for (const document of documents) {
    const { status } = await expectFreeLoop(toolCall('convert_file', { from: 'html', to: 'md', ...document }))
    expect(status).toBe(200)
  }
  for (const piece of ['# a\n', '<h1>']) {
    output = repeated(piece, longestText)
    const jobId = await service.convert('<p>x</p>', 'html-to-md')
    expect(await service.ended(jobId)).toMatchObject({ status: 'done' })
    const { text } = await expectFreeLoop(
      toolCall('check_conversion', { job_id: jobId, max_characters: 200 }),
    )
    expect(text).toContain('Page 1 of')
  }
})

test('no request of a compatibility API is blocked by its body or an output', { tags: 'slow' }, async () => {
  const base = `http://127.0.0.1:${compatPort}`
  const source = { method: 'POST', path: `${base}/v1/convert/source` }
  const bodies = [
    ...bodiesOf(15 * mebibyte),
    `{"sources":[${repeated('{},', 15 * mebibyte)}{}]}`,
    `{"options":{"a":[${repeated('1,', 15 * mebibyte)}1]}}`,
    `{"file_sources":[{"filename":"a.x","base64_string":"${repeated('QUJD', 15 * mebibyte)}"}]}`,
  ]
  for (const body of bodies) {
    const { status } = await expectFreeLoop({ ...source, body })
    expect([400, 422]).toContain(status)
  }
  let output = ''
  const properties = [{ name: 'properties.json', data: Buffer.from('{"document":{"dc:title":"A"}}') }]
  service.startWorker(async ({ outFolder, pair }) => {
    if (pair.to === 'file-results') return basename(await packFiles(outFolder, 'out.zip', properties))
    await writeFile(join(outFolder, 'out.md'), output)
    return 'out.md'
  })
  const file = { base64_string: Buffer.from('<p>x</p>').toString('base64'), filename: 'a.html' }
  const body = JSON.stringify({ file_sources: [file], options: { to_formats: ['md', 'json'] } })
  for (const piece of ['- a\n\n', '<!-- page 1 -->\n']) {
    output = repeated(piece, longestText)
    expect((await expectFreeLoop({ ...source, body })).status).toBe(200)
    const page = { method: 'PUT', path: `${base}/process`, body: '<p>x</p>' }
    const named = { 'x-filename': 'a.html', 'content-type': 'text/html' }
    expect((await expectFreeLoop({ ...page, headers: named })).status).toBe(200)
  }
  output = repeated('"a ', 32 * mebibyte)
  for (const path of ['/tika/text', '/rmeta/text']) {
    const request = { method: 'PUT', path: base + path, body: '<p>x</p>' }
    const { status, text } = await expectFreeLoop({ ...request, headers: { 'content-type': 'text/html' } })
    expect([status, text.includes('"dc:title":"A"')]).toEqual([200, true])
  }
})
