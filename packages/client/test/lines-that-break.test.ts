import { createHash, randomBytes } from 'node:crypto'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  baseUrl,
  kilnOf,
  markdown,
  newKey,
  temporaryFolder,
  thrownBy,
} from '@kiln/test-support/client-service.ts'
import { beforeAll, describe, expect, test } from 'vitest'
import { slowMarkdown } from '../../../e2e/documents.ts'
import {
  AbortedError,
  ConnectionError,
  OutputExpiredError,
  RateLimitedError,
  ServiceError,
  TimeoutError,
} from '../src/index.ts'
import { type Conduct, startFront } from './support/front.ts'
import { run } from './support/run.ts'

let key: string
let folder: string
beforeAll(async () => {
  key = await newKey()
  folder = await temporaryFolder()
})

const leftovers = async (name: string) =>
  (await readdir(folder)).filter((each) => each.startsWith(`.${name}.`))

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

  test('a proxy’s own page is told by its status', async () => {
    await using front = await startFront({ conduct: () => ({ status: 502, body: '<h1>Bad Gateway</h1>' }) })
    const error = await thrownBy(kilnOf(key, { baseUrl: front.baseUrl, maxRetries: 0 }).usage())
    expect(error).toBeInstanceOf(ServiceError)
    expect(error).toMatchObject({ status: 502, code: 'unavailable' })
  })

  test('a stranger that answers everything is recognized', async () => {
    await using front = await startFront({ conduct: () => ({ status: 200, body: '<h1>Hello</h1>' }) })
    const error = await thrownBy(kilnOf(key, { baseUrl: front.baseUrl }).usage())
    expect(error.code).toBe('unexpected-answer')
    expect(error.message).toMatch(/base address of a Kiln service/)
  })
})

describe.concurrent('waiting', () => {
  test('is one held question against this service', async () => {
    await using front = await startFront({})
    const kiln = kilnOf(key, { baseUrl: front.baseUrl })
    const job = await kiln.submit({ pair: 'md-to-html', bytes: Buffer.byteLength(markdown) })
    const ended = kiln.wait(job.jobId)
    await sleep(2000)
    await kiln.upload(job, Buffer.from(markdown))
    expect((await ended).status).toBe('done')
    const polls = front.seen.filter(({ path }) => path.endsWith(job.jobId) && path.includes('/v1/'))
    // One is enough, unless the machine is so busy that the conversion itself takes longer than that.
    const seconds = (Date.now() - (polls[0]?.at ?? 0)) / 1000
    expect(polls.length).toBeLessThanOrEqual(1 + Math.floor(seconds / 19))
    expect(polls[0]?.headers.prefer).toBe('wait=20')
  })

  test('is a question every 1.5 s against one that ignores Prefer', async () => {
    await using front = await startFront({ dropHeaders: ['prefer'] })
    const kiln = kilnOf(key, { baseUrl: front.baseUrl })
    const job = await kiln.submit({ pair: 'md-to-html', bytes: Buffer.byteLength(markdown) })
    const ended = kiln.wait(job.jobId)
    await sleep(3500)
    await kiln.upload(job, Buffer.from(markdown))
    expect((await ended).status).toBe('done')
    const asked = front.seen.filter(({ path }) => path.includes('/v1/conversions/')).map(({ at }) => at)
    expect(asked.length).toBeGreaterThanOrEqual(3)
    for (const [index, at] of asked.slice(1).entries()) {
      const pause = at - (asked[index] ?? 0)
      expect(pause).toBeGreaterThan(1450)
      expect(pause).toBeLessThan(2500)
    }
  })

  test('tells of the queue and of the conversion', async () => {
    const stages: string[] = []
    const fractions: (number | null)[] = []
    const { stream } = await kilnOf(key).convert(slowMarkdown(4000), {
      pair: 'md-to-docx',
      onProgress: ({ stage, fraction }) => {
        if (stages.at(-1) !== stage) stages.push(stage)
        if (stage === 'conversion') fractions.push(fraction)
      },
    })
    await stream.cancel()
    expect(stages.filter((stage) => stage !== 'queue')).toEqual(['upload', 'conversion'])
    for (const fraction of fractions) expect(fraction === null || (fraction >= 0 && fraction <= 1)).toBe(true)
  })

  test('passes on how far the service says it is', async () => {
    const state = (status: string) =>
      JSON.stringify({ jobId: 'j', status, downloadUrl: null, error: null, expiresAt: null })
    await using front = await startFront({
      conduct: ({ times }) =>
        times < 2
          ? {
              status: 200,
              headers: { 'kiln-progress': times === 0 ? '0.42' : 'far' },
              body: state('processing'),
            }
          : { status: 200, body: state('failed') },
    })
    const kiln = kilnOf(key, { baseUrl: front.baseUrl })
    const told: unknown[] = []
    const ended = await kiln.wait('j', { onProgress: (progress) => told.push(progress) })
    expect(ended).toMatchObject({ status: 'failed', progress: null })
    const base = { stage: 'conversion', jobId: 'j', loaded: null, total: null }
    expect(told).toEqual([
      { ...base, fraction: 0.42 },
      { ...base, fraction: null },
    ])
  })

  test('ends at the deadline, names the job, and the job can be resumed', async () => {
    const kiln = kilnOf(key)
    const output = join(folder, 'later.docx')
    const error = await thrownBy(kiln.convert(slowMarkdown(4000), { from: 'md', output, timeout: 900 }))
    expect(error).toBeInstanceOf(TimeoutError)
    expect(error.message).toBe('The call did not end within 0.9 s.')
    expect(await leftovers('later.docx')).toEqual([])
    await kiln.resume(error.jobId ?? '', { output })
    expect((await readFile(output)).subarray(0, 2).toString()).toBe('PK')
  })

  test('ends when the signal fires, at any moment', async () => {
    const kiln = kilnOf(key)
    const output = join(folder, 'aborted.docx')
    for (const after of [0, 5, 40, 150, 600]) {
      const controller = new AbortController()
      const reason = new Error('enough')
      setTimeout(() => controller.abort(reason), after)
      const began = Date.now()
      const call = kiln.convert(slowMarkdown(4000), { from: 'md', output, signal: controller.signal })
      const error = await thrownBy(call)
      expect(error).toBeInstanceOf(AbortedError)
      expect(error).toMatchObject({ name: 'AbortError', code: 'aborted', cause: reason })
      expect(Date.now() - began).toBeLessThan(after + 5000)
    }
    expect((await readdir(folder)).filter((name) => name.includes('aborted'))).toEqual([])
    const signal = AbortSignal.abort()
    expect(await thrownBy(kiln.usage({ signal }))).toBeInstanceOf(AbortedError)
    expect(await thrownBy(kiln.wait('x', { timeout: -1 }))).toMatchObject({ code: 'invalid-options' })
  })

  test('a source that hangs does not outlast the call', async () => {
    async function* hanging() {
      yield 'a'
      await new Promise(() => {})
    }
    const error = await thrownBy(kilnOf(key).convert(hanging(), { from: 'md', to: 'html', timeout: 300 }))
    expect(error).toBeInstanceOf(TimeoutError)
  })
})

describe.concurrent('a download', () => {
  const sha = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
  // What does not compress stays large in a Markdown code block.
  const large = `# Large\n\n    ${randomBytes(600_000).toString('base64')}\n`

  const finished = async () => {
    const kiln = kilnOf(key)
    const { jobId, stream } = await kiln.convert(Buffer.from(large), { from: 'md', to: 'html' })
    return { jobId, whole: new Uint8Array(await new Response(stream).arrayBuffer()) }
  }

  test('that breaks off is taken up where it broke, and comes out whole', async () => {
    const { jobId, whole } = await finished()
    expect(whole.byteLength).toBeGreaterThan(700_000)
    await using front = await startFront({
      conduct: ({ path, times }) =>
        path.startsWith('/files/') && times < 3 ? { breakAfter: 200_000 } : 'pass',
    })
    const output = join(folder, 'broken.html')
    await kilnOf(key, { baseUrl: front.baseUrl }).download(jobId, { output })
    expect(sha(await readFile(output))).toBe(sha(whole))
    const ranges = front.seen
      .filter(({ path }) => path.startsWith('/files/'))
      .map(({ headers }) => headers.range)
    const starts = ranges.map((range) => Number(/^bytes=(\d+)-$/.exec(range ?? 'bytes=0-')?.[1]))
    expect(starts.length).toBe(4)
    for (const [index, start] of starts.slice(1).entries()) expect(start).toBeGreaterThan(starts[index] ?? 0)
    expect(await leftovers('broken.html')).toEqual([])
  })

  test('that breaks off at a store without ranges is read again past what is there', async () => {
    const { jobId, whole } = await finished()
    await using front = await startFront({
      dropHeaders: ['range', 'if-range'],
      conduct: ({ path, times }) =>
        path.startsWith('/files/') && times < 1 ? { breakAfter: 200_000 } : 'pass',
    })
    const { stream } = await kilnOf(key, { baseUrl: front.baseUrl }).download(jobId)
    expect(sha(new Uint8Array(await new Response(stream).arrayBuffer()))).toBe(sha(whole))
  })

  test('that cannot be finished leaves the old output as it was, and nothing else', async () => {
    const { jobId } = await finished()
    await using front = await startFront({
      conduct: ({ path, times }) =>
        path.startsWith('/files/') ? (times === 0 ? { breakAfter: 200_000 } : { status: 500 }) : 'pass',
    })
    const output = join(folder, 'old.html')
    await writeFile(output, 'the old one')
    const kiln = kilnOf(key, { baseUrl: front.baseUrl, maxRetries: 1 })
    expect(await thrownBy(kiln.download(jobId, { output }))).toBeInstanceOf(ServiceError)
    expect(await readFile(output, 'utf8')).toBe('the old one')
    expect(await leftovers('old.html')).toEqual([])
  })

  test('that nobody reads keeps no program alive', async () => {
    const { jobId } = await finished()
    const text = `
      import { Kiln } from '${new URL('../src/index.ts', import.meta.url).href}'
      const { stream } = await new Kiln().download('${jobId}')
      if (process.argv[1] === 'cancel') await stream.cancel()
    `
    const env = { KILN_URL: baseUrl, KILN_API_KEY: key }
    const began = Date.now()
    const ran = await run(process.execPath, ['--input-type=module', '-e', text, 'cancel'], { env })
    expect(ran).toMatchObject({ code: 0, stderr: '' })
    expect(Date.now() - began).toBeLessThan(10_000)
  })

  test('of an output that is gone says so', async () => {
    const { jobId } = await finished()
    const gone = {
      jobId,
      status: 'done',
      downloadUrl: null,
      error: null,
      expiresAt: '2026-01-01T00:00:00.000Z',
    }
    await using front = await startFront({ conduct: () => ({ status: 200, body: JSON.stringify(gone) }) })
    const error = await thrownBy(kilnOf(key, { baseUrl: front.baseUrl }).download(jobId))
    expect(error).toBeInstanceOf(OutputExpiredError)
    expect(error.message).toMatch(/expired at 2026-01-01/)
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

  test('that is refused while it still runs is told by the refusal', async () => {
    const kiln = kilnOf(key)
    const job = await kiln.submit({ pair: 'md-to-html', bytes: 10 })
    const error = await thrownBy(kiln.upload(job, Buffer.alloc(20 * 1024 * 1024)))
    expect(error).toMatchObject({ code: 'size-mismatch', status: 400 })
  })

  test('that stands still is tried again', async () => {
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
    const { FileError } = await import('../src/index.ts')
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
