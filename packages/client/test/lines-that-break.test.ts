import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { kilnOf, markdown, newKey, temporaryFolder, thrownBy } from '@kiln/test-support/client-service.ts'
import { beforeAll, describe, expect, test } from 'vitest'
import { ConnectionError, FileError, RateLimitedError, ServiceError } from '../src/index.ts'
import { type Conduct, startFront } from './support/front.ts'

let key: string
let folder: string
beforeAll(async () => {
  key = await newKey()
  folder = await temporaryFolder()
})

const unavailable = (headers: Record<string, string> = {}): Conduct => ({
  status: 503,
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify({ error: 'Not now.', code: 'unavailable' }),
})

describe.concurrent('an answer that is lost', () => {
  test('is asked for again under the same idempotency key: one job, one charge', async () => {
    await using front = await startFront({
      conduct: ({ method, times }) => (method === 'POST' && times < 2 ? 'lose-answer' : 'pass'),
    })
    const lonely = await newKey(0)
    const output = join(folder, 'once.html')
    await kilnOf(lonely, { baseUrl: front.baseUrl }).convert(Buffer.from(markdown), { from: 'md', output })
    const submits = front.seen.filter(({ method }) => method === 'POST')
    expect(submits.length).toBe(3)
    expect(new Set(submits.map(({ headers }) => headers['idempotency-key'])).size).toBe(1)
    const usage = await kilnOf(lonely).usage()
    expect(usage.currentWindow.account.jobs).toBe(1)
    expect(usage.freeTier.jobsRemaining).toBe(49)
    expect(await readFile(output, 'utf8')).toMatch(/leaning/)
  })

  test('of an upload and of a poll too', async () => {
    await using front = await startFront({ conduct: ({ times }) => (times === 0 ? 'lose-answer' : 'pass') })
    const { stream } = await kilnOf(key, { baseUrl: front.baseUrl }).convert(Buffer.from(markdown), {
      from: 'md',
      to: 'html',
    })
    expect(await new Response(stream).text()).toMatch(/leaning/)
    expect(front.seen.filter(({ method }) => method === 'PUT').length).toBe(2)
  })

  test('of what can be read only once is not tried again', async () => {
    await using front = await startFront({
      conduct: ({ method }) => (method === 'PUT' ? 'lose-answer' : 'pass'),
    })
    async function* once() {
      yield markdown
    }
    const call = kilnOf(key, { baseUrl: front.baseUrl }).convert(once(), {
      pair: 'md-to-html',
      bytes: Buffer.byteLength(markdown),
    })
    const error = await thrownBy(call)
    expect(error).toBeInstanceOf(ConnectionError)
    expect(error.jobId).toMatch(/^[0-9a-f-]{36}$/)
    expect(front.seen.filter(({ method }) => method === 'PUT').length).toBe(1)
  })

  test('again and again ends with what was wrong', async () => {
    await using front = await startFront({ conduct: () => 'lose-answer' })
    const error = await thrownBy(kilnOf(key, { baseUrl: front.baseUrl, maxRetries: 1 }).usage())
    expect(error).toBeInstanceOf(ConnectionError)
    expect(error.message).toContain(front.origin)
    expect(front.seen.length).toBe(2)
  })
})

describe.concurrent('a service that asks for patience', () => {
  test('is given the time it asks for', async () => {
    await using front = await startFront({
      conduct: ({ times }) => (times === 0 ? unavailable({ 'retry-after': '2' }) : 'pass'),
    })
    await kilnOf(key, { baseUrl: front.baseUrl }).usage()
    const [first, second] = front.seen
    expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(1990)
  })

  test.each(['86400', '-5', 'soon', '0'])(
    '%s seconds is not sane: short pauses that grow',
    async (retryAfter) => {
      await using front = await startFront({
        conduct: ({ times }) => (times < 2 ? unavailable({ 'retry-after': retryAfter }) : 'pass'),
      })
      await kilnOf(key, { baseUrl: front.baseUrl }).usage()
      const [first = 0, second = 0, third = 0] = front.seen.map(({ at }) => at)
      expect(second - first).toBeGreaterThanOrEqual(245)
      expect(second - first).toBeLessThan(1500)
      expect(third - second).toBeGreaterThanOrEqual(495)
      expect(third - second).toBeLessThan(2500)
    },
  )

  test('for longer than the deadline fails at once, and says how long', async () => {
    const limited: Conduct = {
      status: 429,
      headers: { 'retry-after': '30', 'request-id': 'r-1' },
      body: JSON.stringify({ error: 'Too many.', code: 'rate-limited' }),
    }
    await using front = await startFront({ conduct: () => limited })
    const began = Date.now()
    const error = await thrownBy(kilnOf(key, { baseUrl: front.baseUrl }).usage({ timeout: 5000 }))
    expect(error).toBeInstanceOf(RateLimitedError)
    expect(error).toMatchObject({ status: 429, retryAfter: 30, requestId: 'r-1', code: 'rate-limited' })
    expect(Date.now() - began).toBeLessThan(2000)
  })

  test('a proxy’s own page is reported by its status', async () => {
    await using front = await startFront({ conduct: () => ({ status: 502, body: '<h1>Bad Gateway</h1>' }) })
    const error = await thrownBy(kilnOf(key, { baseUrl: front.baseUrl, maxRetries: 0 }).usage())
    expect(error).toBeInstanceOf(ServiceError)
    expect(error).toMatchObject({ status: 502, code: 'unavailable' })
  })

  test('a server that is not Kiln is recognized', async () => {
    await using front = await startFront({ conduct: () => ({ status: 200, body: '<h1>Hello</h1>' }) })
    const error = await thrownBy(kilnOf(key, { baseUrl: front.baseUrl }).usage())
    expect(error.code).toBe('unexpected-answer')
    expect(error.message).toMatch(/base address of a Kiln service/)
  })
})

describe.concurrent('an upload', () => {
  test('whose link has expired gets a fresh one from the replay of its submit', async () => {
    await using front = await startFront({
      conduct: ({ method, path, times }) =>
        method === 'PUT' && path.startsWith('/files/') && times === 0
          ? { status: 403, body: JSON.stringify({ error: 'The link has expired.', code: 'forbidden' }) }
          : 'pass',
    })
    const { stream } = await kilnOf(key, { baseUrl: front.baseUrl }).convert(Buffer.from(markdown), {
      from: 'md',
      to: 'html',
    })
    expect(await new Response(stream).text()).toMatch(/leaning/)
    const submits = front.seen.filter(({ method }) => method === 'POST')
    expect(new Set(submits.map(({ headers }) => headers['idempotency-key'])).size).toBe(1)
    expect(submits.length).toBe(2)
  })

  test('that is refused while it still runs is reported as the refusal', async () => {
    const kiln = kilnOf(key)
    const job = await kiln.submit({ pair: 'md-to-html', bytes: 10 })
    const error = await thrownBy(kiln.upload(job, Buffer.alloc(20 * 1024 * 1024)))
    expect(error).toMatchObject({ code: 'size-mismatch', status: 400 })
  })

  test('that stalls is retried', async () => {
    await using front = await startFront({
      conduct: ({ method, times }) => (method === 'PUT' && times === 0 ? () => {} : 'pass'),
    })
    const kiln = kilnOf(key, { baseUrl: front.baseUrl, idleTimeout: 500 })
    const { stream } = await kiln.convert(Buffer.from(markdown), { from: 'md', to: 'html' })
    expect(await new Response(stream).text()).toMatch(/leaning/)
  })

  test('goes through a fetch of the caller’s own, like everything else', async () => {
    const asked: string[] = []
    const kiln = kilnOf(key, {
      fetch: (url, init) => {
        asked.push(init.method ?? 'GET')
        return fetch(url, init)
      },
    })
    const { stream } = await kiln.convert(Buffer.from(markdown), { from: 'md', to: 'html' })
    expect(await new Response(stream).text()).toMatch(/leaning/)
    expect(asked).toEqual(['POST', 'PUT', 'GET', 'GET'])
  })

  test('of a file that changed since it was measured is broken off', async () => {
    async function* growing() {
      yield markdown
      yield 'more'
    }
    const call = kilnOf(key).convert(growing(), { pair: 'md-to-html', bytes: Buffer.byteLength(markdown) })
    const error = await thrownBy(call)
    expect(error).toBeInstanceOf(FileError)
    expect(error.message).toMatch(/more than the \d+ bytes/)
  })
})
