import { describe, expect, test } from 'vitest'
import { anonymous, main, someClient } from './accounts.ts'
import { expectError, expectJob, expectSubmitResult, uuid } from './expectations.ts'
import { requirement } from './requirements.ts'
import { bytesOf, type Pair, send, upload } from './service.ts'

const client = someClient()

const endpoint = `${main.baseUrl}/v1/conversions`

describe('a good submit', () => {
  test(`${requirement('submit.created-201', 'submit.declares', 'submit.exact-fields', 'submit.key-optional')} answers 201 with exactly its fields`, async () => {
    const result = expectSubmitResult(await client.submit({ pair: 'md-to-html', bytes: 12 }), 201)
    expect(result.jobId).toMatch(uuid)
  })

  test(`${requirement('submit.poll-url-shape', 'submit.poll-url-on-origin', 'submit.job-id', 'state.queued')} names where to poll`, async () => {
    const { jobId, pollUrl } = await client.job('md-to-html', 12)
    expect(pollUrl).toBe(`${client.prefix}/v1/conversions/${jobId}`)
    const answer = await send(client.origin + pollUrl, {
      headers: { authorization: `Bearer ${client.key}` },
    })
    expect(expectJob(answer, 'queued').jobId).toBe(jobId)
  })

  test(`${requirement('submit.upload-url', 'upload.put-bytes', 'upload.no-credentials', 'base.presigned-urls')} gives a complete upload URL outside the base address`, async () => {
    const bytes = bytesOf('# Hello\n')
    const { uploadUrl } = await client.job('md-to-html', bytes.length)
    expect(URL.canParse(uploadUrl)).toBe(true)
    expect(uploadUrl.startsWith(`${client.baseUrl}/`)).toBe(false)
    expect((await upload(uploadUrl, bytes)).status).toBe(200)
  })

  test('takes a charset in its content type', async () => {
    const answer = await client.submit(
      { pair: 'md-to-html', bytes: 1 },
      { 'content-type': 'application/json; charset=utf-8' },
    )
    expectSubmitResult(answer, 201)
  })

  test('gives every job an id of its own', async () => {
    const jobs = await Promise.all(Array.from({ length: 5 }, () => client.job('md-to-html', 3)))
    expect(new Set(jobs.map(({ jobId }) => jobId)).size).toBe(5)
  })
})

describe('a malformed submit', () => {
  const malformed: [string, string][] = [
    ['nothing', ''],
    ['broken JSON', '{"pair": "md-to-html", '],
    ['JSON with rubbish after it', '{"pair": "md-to-html", "bytes": 1} x'],
    ['an array', '[]'],
    ['a string', '"md-to-html"'],
    ['null', 'null'],
    ['a number', '12'],
    ['an empty object', '{}'],
    ['text that is no UTF-8 JSON', '\u0000\u0001'],
  ]
  test.each(malformed)(
    `${requirement('submit.bad-request-400', 'submit.body-required')} is refused: %s`,
    async (_, body) => {
      expectError(await client.submit(body), 'bad-request')
    },
  )

  test(`${requirement('submit.body-required')} is refused without any body`, async () => {
    const headers = { authorization: `Bearer ${client.key}` }
    expectError(await send(endpoint, { method: 'POST', headers }), 'bad-request')
  })

  const wrongPairs: unknown[] = [undefined, null, 7, true, {}, ['md-to-html']]
  test.each(wrongPairs)(
    `${requirement('submit.pair-required', 'errors.exact-body')} is refused when pair is %j`,
    async (pair) => {
      expectError(await client.submit({ pair, bytes: 1 }), 'bad-request')
    },
  )

  const wrongBytes: unknown[] = [undefined, null, '12', '', 1.5, -1, 0, true, {}, [1]]
  test.each(wrongBytes)(
    `${requirement('submit.bytes-required', 'errors.exact-body')} is refused when bytes is %j`,
    async (bytes) => {
      expectError(await client.submit({ pair: 'md-to-html', bytes }), 'bad-request')
    },
  )

  test.each(['1e999', '-1e999', '1e-7', 'NaN'])(
    `${requirement('submit.bytes-required')} is refused when bytes is the literal %s`,
    async (literal) => {
      expectError(await client.submit(`{"pair":"md-to-html","bytes":${literal}}`), 'bad-request')
    },
  )

  test.each(['text/plain', 'application/x-www-form-urlencoded', 'application/xml', 'multipart/form-data'])(
    `${requirement('submit.bad-request-400', 'base.json-over-http')} is refused as %s`,
    async (contentType) => {
      const answer = await client.submit({ pair: 'md-to-html', bytes: 1 }, { 'content-type': contentType })
      expectError(answer, 'bad-request')
    },
  )

  test(`${requirement('submit.bad-request-400')} is refused when its JSON is huge`, async () => {
    const answer = await client.submit({ pair: 'x'.repeat(2_000_000), bytes: 1 })
    expectError(answer, 'bad-request')
  })

  test(`${requirement('submit.bad-request-400')} cannot reach into prototypes`, async () => {
    const answer = await client.submit('{"__proto__":{"pair":"md-to-html"},"bytes":1}')
    expectError(answer, 'bad-request')
    expectError(await client.submit('{"pair":"constructor","bytes":1}'), 'unknown-pair')
  })
})

describe('the size', () => {
  test(`${requirement('submit.too-large-413', 'limits.file-size')} may reach the cap and not pass it`, async () => {
    const { pairs } = (await anonymous.formats()).body as { pairs: Pair[] }
    const pair = pairs.find((each) => each.pair === 'md-to-html')
    expect(pair).toBeDefined()
    const cap = pair?.freeMaxBytes ?? 0
    expectSubmitResult(await client.submit({ pair: 'md-to-html', bytes: cap }), 201)
    expectError(await client.submit({ pair: 'md-to-html', bytes: cap + 1 }), 'too-large')
    expectError(await client.submit({ pair: 'md-to-html', bytes: Number.MAX_SAFE_INTEGER }), 'too-large')
  })
})
