import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { pairs } from '@kiln/converter/catalog'
import { onePage } from '@kiln/test-support/pdf-file.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTracing, type Tracing } from '../../src/telemetry/tracing.ts'
import { useService } from '../support/service.ts'

// A real collector: it takes OTLP over HTTP, and the test reads what arrived.

interface Span {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  kind: number
  startTimeUnixNano: string
  endTimeUnixNano: string
  attributes: { key: string; value: { stringValue?: string; intValue?: number | string } }[]
  status?: { code?: number }
}

const received: { span: Span; service: string | undefined }[] = []
let collector: Server
let tracing: Tracing

async function startCollector(): Promise<string> {
  collector = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    expect(request.url).toBe('/v1/traces')
    const body = JSON.parse(Buffer.concat(chunks).toString('utf8'))
    for (const { resource, scopeSpans } of body.resourceSpans) {
      const service = resource.attributes.find(({ key }: { key: string }) => key === 'service.name')?.value
        .stringValue
      for (const { spans } of scopeSpans) for (const span of spans) received.push({ span, service })
    }
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  })
  collector.listen(0, '127.0.0.1')
  await once(collector, 'listening')
  return `http://127.0.0.1:${(collector.address() as AddressInfo).port}`
}

const service = useService({}, pairs, async () => {
  tracing = await openTracing(await startCollector(), 'all')
  return tracing
})

afterAll(async () => {
  collector.closeAllConnections()
  collector.close()
})

const named = (name: string, traceId: string) =>
  received.map(({ span }) => span).find((span) => span.name === name && span.traceId === traceId)

describe('the trace of a job', () => {
  const clientTrace = '0af7651916cd43dd8448eb211c80319c'
  const clientSpan = 'b7ad6b7169203331'
  let own: string
  let joined: string
  let locked: string
  const password = 'opens-nothing-but-this'

  const submitWith = async (
    headers: Record<string, string>,
    file: Uint8Array<ArrayBuffer> = Buffer.from('hi'),
    order: object = { pair: 'md-to-html' },
  ) => {
    const answer = await service.call('/v1/conversions', {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ ...order, bytes: file.length }),
    })
    const { jobId, uploadUrl } = (await answer.json()) as { jobId: string; uploadUrl: string }
    await fetch(uploadUrl, { method: 'PUT', body: file })
    await service.ended(jobId)
    return jobId
  }

  beforeAll(async () => {
    const worker = service.startWorker(async (run) => {
      await writeFile(join(run.outFolder, 'output.html'), '<!doctype html><html><body>fired</body></html>')
      return 'output.html'
    })
    own = await submitWith({})
    joined = await submitWith({ traceparent: `00-${clientTrace}-${clientSpan}-01` })
    const page = new Uint8Array(onePage('BT /F1 24 Tf 72 700 Td (fired) Tj ET'))
    locked = await submitWith({}, page, { pair: 'pdf-to-html', options: { password } })
    await worker.drain(5)
    await tracing.close()
  })

  test('has nothing of a password', () => {
    const all = JSON.stringify(received)
    expect(all).toContain(locked)
    expect(all).not.toContain(password)
  })

  test('is one: submit, upload, queue, convert with fetch, engine, check and store, settle', () => {
    const submits = received.map(({ span }) => span).filter(({ name }) => name === 'submit')
    expect(submits).toHaveLength(3)
    const submit = submits.find(({ traceId }) => traceId !== clientTrace) as Span
    expect(submit.parentSpanId ?? '').toBe('')
    for (const name of ['upload', 'queue', 'convert', 'settle']) {
      expect([name, named(name, submit.traceId)?.parentSpanId]).toEqual([name, submit.spanId])
    }
    const convert = named('convert', submit.traceId) as Span
    for (const name of ['fetch', 'engine', 'check', 'store']) {
      expect([name, named(name, submit.traceId)?.parentSpanId]).toEqual([name, convert.spanId])
    }
    const attribute = (span: Span, key: string) => {
      const found = span.attributes.find((each) => each.key === key)?.value
      return found?.stringValue ?? Number(found?.intValue)
    }
    expect(attribute(convert, 'kiln.job')).toBe(own)
    expect(attribute(named('engine', submit.traceId) as Span, 'kiln.engine')).toBe('pandoc')
    expect(new Set(received.map((each) => each.service))).toEqual(new Set(['kiln']))
    for (const { span } of received) {
      expect(BigInt(span.endTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(span.startTimeUnixNano))
    }
  })

  test('joins the trace of the client that submitted it', () => {
    expect(named('submit', clientTrace)?.parentSpanId).toBe(clientSpan)
    expect(named('convert', clientTrace)?.attributes).toContainEqual({
      key: 'kiln.job',
      value: { stringValue: joined },
    })
  })

  test('holds no key and no link', () => {
    expect(JSON.stringify(received)).not.toMatch(/kiln_live_|signature=/)
  })
})

test('without a collector nothing is loaded and the work goes on', async () => {
  const none = await openTracing(null, 'all')
  expect(none.enabled).toBe(false)
  expect(await none.span('x', { parent: null }, async (parent) => parent)).toBeNull()
})

test('a collector that is away holds nothing up', async () => {
  const away = await openTracing('http://127.0.0.1:9', 'all')
  expect(await away.span('submit', { parent: 'nonsense' }, async (parent) => parent)).toMatch(
    /^00-[0-9a-f]{32}-/,
  )
  const began = performance.now()
  await away.close()
  expect(performance.now() - began).toBeLessThan(4000)
})
