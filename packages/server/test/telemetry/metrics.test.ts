import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import { ConversionFailed } from '@kiln/converter'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parseConfig } from '../../src/config/config.ts'
import { serveMetrics } from '../../src/wiring/run-worker.ts'
import { useService } from '../support/service.ts'

const service = useService()
const origin = () => new URL(service.base).origin

interface Sample {
  name: string
  labels: Record<string, string>
  value: number
}

const read = async (): Promise<Sample[]> => {
  const answer = await fetch(`${origin()}/metrics`)
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-type')).toContain('text/plain')
  return parse(await answer.text())
}

function parse(text: string): Sample[] {
  return text
    .split('\n')
    .filter((line) => line && !line.startsWith('#'))
    .map((line) => {
      const [, name = '', labels = '', value] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? []
      const pairs = [...labels.matchAll(/(\w+)="([^"]*)"/g)].map(([, key, text]) => [key, text])
      return { name, labels: Object.fromEntries(pairs) as Record<string, string>, value: Number(value) }
    })
}

const sum = (samples: Sample[], name: string, labels: Record<string, string> = {}) =>
  samples
    .filter((sample) => sample.name === name)
    .filter((sample) => Object.entries(labels).every(([key, value]) => sample.labels[key] === value))
    .reduce((total, { value }) => total + value, 0)

beforeAll(async () => {
  const page = '<!doctype html><html><body>fired</body></html>'
  let runs = 0
  const worker = service.startWorker(async (run) => {
    runs++
    if (run.to === 'rst') throw new ConversionFailed('corrupt-input', 'The file is damaged.')
    if (run.to === 'html' && runs === 1) throw new Error('broke down')
    await writeFile(join(run.outFolder, 'output.html'), page)
    return 'output.html'
  })
  service.metrics.watchSlots(worker.load)
  await service.ended(await service.convert('one'))
  await service.ended(await service.convert('two'))
  await service.ended(await service.convert('three', 'md-to-rst'))
  await worker.drain(0)
  await service.convert('four')
})

describe('metrics', () => {
  test('count what was submitted and how it ended, by pair, engine and reason', async () => {
    const samples = await read()
    expect(sum(samples, 'kiln_submits_total', { pair: 'md-to-html', outcome: 'created' })).toBe(3)
    const ended = { pair: 'md-to-html', engine: 'pandoc', result: 'done' }
    expect(sum(samples, 'kiln_jobs_ended_total', ended)).toBe(2)
    expect(sum(samples, 'kiln_jobs_ended_total', { pair: 'md-to-rst', result: 'corrupt-input' })).toBe(1)
    expect(sum(samples, 'kiln_attempts_failed_total', { lane: 'document' })).toBe(1)
    expect(sum(samples, 'kiln_attempts_total', { lane: 'document', try: 'again' })).toBe(1)
    expect(sum(samples, 'kiln_converted_bytes_total', { direction: 'in' })).toBe(6)
    expect(sum(samples, 'kiln_free_conversions_total', { kind: 'used' })).toBe(2)
    expect(sum(samples, 'kiln_free_conversions_total', { kind: 'returned' })).toBe(1)
  })

  test('have durations and waits as histograms', async () => {
    const samples = await read()
    const labels = { pair: 'md-to-html', engine: 'pandoc' }
    expect(sum(samples, 'kiln_conversion_duration_seconds_count', labels)).toBe(2)
    expect(sum(samples, 'kiln_conversion_duration_seconds_bucket', { ...labels, le: '+Inf' })).toBe(2)
    expect(sum(samples, 'kiln_queue_wait_seconds_count', { lane: 'document' })).toBe(3)
    const route = { route: '/api/v1/conversions', method: 'POST', status: '201' }
    expect(sum(samples, 'kiln_http_request_duration_seconds_count', route)).toBe(4)
  })

  test('cover the queue, storage, credits and this process', async () => {
    const samples = await read()
    expect(sum(samples, 'kiln_queue_jobs', { lane: 'document' })).toBe(1)
    expect(sum(samples, 'kiln_queue_oldest_seconds', { lane: 'document' })).toBeGreaterThan(0)
    expect(sum(samples, 'kiln_stored_objects', { kind: 'output' })).toBe(2)
    expect(sum(samples, 'kiln_stored_bytes', { kind: 'input' })).toBe(4)
    expect(sum(samples, 'kiln_month_jobs')).toBe(4)
    expect(sum(samples, 'kiln_database_up')).toBe(1)
    expect(sum(samples, 'kiln_slots')).toBeGreaterThan(0)
    expect(sum(samples, 'process_resident_memory_bytes')).toBeGreaterThan(1e6)
  })

  test('the dashboard names only metrics that exist', async () => {
    const exported = await service.metrics.registry.getMetricsAsJSON()
    const names = new Set(
      exported.flatMap(({ name, type }) =>
        String(type) === 'histogram' ? [`${name}_bucket`, `${name}_count`, `${name}_sum`] : [name],
      ),
    )
    const file = new URL('../../../../deploy/grafana/kiln.json', import.meta.url)
    const dashboard = readFileSync(file, 'utf8')
    const expressions = [...dashboard.matchAll(/"(?:expr|query)": "((?:[^"\\]|\\.)*)"/g)].map(
      ([, text]) => text as string,
    )
    expect(expressions.length).toBeGreaterThan(15)
    const used = expressions.flatMap((text) => text.match(/\b(?:kiln|process|nodejs)_\w+/g) ?? [])
    expect(used.length).toBeGreaterThan(15)
    expect(used.filter((name) => !names.has(name))).toEqual([])
  })

  test('docs/metrics.md describes every metric', async () => {
    const page = readFileSync(new URL('../../../../docs/metrics.md', import.meta.url), 'utf8')
    const exported = await service.metrics.registry.getMetricsAsJSON()
    const own = exported.map(({ name }) => name).filter((name) => name.startsWith('kiln_'))
    expect(own.length).toBeGreaterThan(15)
    expect(own.filter((name) => !page.includes(`\`${name}\``))).toEqual([])
  })
})

describe('who may read metrics', () => {
  const status = (port: string, headers: Record<string, string>) =>
    new Promise<number | undefined>((resolve, reject) => {
      request({ host: '127.0.0.1', port, path: '/metrics', headers }, (answer) => {
        answer.resume()
        resolve(answer.statusCode)
      })
        .on('error', reject)
        .end()
    })

  test('without a token: this machine, and not through a proxy or under another name', async () => {
    const { port } = new URL(service.base)
    expect(await status(port, {})).toBe(200)
    expect(await status(port, { host: `localhost:${port}` })).toBe(200)
    expect(await status(port, { host: 'kiln.example.com' })).toBe(403)
    expect(await status(port, { 'x-forwarded-for': '10.0.0.1' })).toBe(403)
    expect(await status(port, { forwarded: 'for=10.0.0.1' })).toBe(403)
    expect(await status(port, { via: '1.1 proxy' })).toBe(403)
  })

  const stops: (() => Promise<void>)[] = []
  afterAll(() => Promise.all(stops.map((stop) => stop())))
  const serve = async (port: number, environment: Record<string, string>) => {
    const config = parseConfig({ KILN_DATA_DIR: '/nowhere', ...environment })
    stops.push(await serveMetrics(config, service.metrics, port))
    return String(port)
  }

  test('a worker serves its own; with a token set, only to who has it', async () => {
    const port = await serve(Number(new URL(service.base).port) + 1, {
      KILN_METRICS_TOKEN: 'a-long-enough-token',
    })
    expect(await status(port, {})).toBe(401)
    expect(await status(port, { authorization: 'Bearer a-long-enough-tokem' })).toBe(401)
    expect(await status(port, { authorization: 'Bearer a-long-enough-token' })).toBe(200)
    expect(await status(port, { authorization: 'Bearer a-long-enough-token', host: 'elsewhere' })).toBe(200)
  })

  test('a service with a public address needs a token: who asks from loopback may be its proxy', async () => {
    const port = await serve(Number(new URL(service.base).port) + 2, {
      KILN_PUBLIC_URL: 'https://kiln.example.com',
    })
    expect(await status(port, {})).toBe(403)
  })
})
