import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:net'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { useService } from '../support/service.ts'

// Answers before the body is read, and to headers that are odd or occur twice.

const service = useService({ freeJobsPerMonth: 10_000 })
const { stringify } = JSON

/** Sends these bytes and reads until the response is complete. */
async function exchange(...lines: string[]): Promise<{ status: number; code: string; jobId?: string }> {
  const { hostname, port } = new URL(service.base)
  const socket = connect(Number(port), hostname)
  let text = ''
  socket.setEncoding('latin1').on('data', (chunk) => {
    text += chunk
  })
  socket.write(lines.join('\r\n'), 'latin1')
  while (!/\r\n\r\n\{.*\}$/s.test(text)) {
    await Promise.race([once(socket, 'data'), once(socket, 'close')])
    if (socket.closed && !/\}$/.test(text)) throw new Error(`closed after: ${text}`)
  }
  socket.destroy()
  const [head = '', body = ''] = text.split('\r\n\r\n')
  expect(head).toMatch(/^content-type: application\/json/im)
  expect(head).toMatch(/^request-id: \S+/im)
  return { status: Number(head.split(' ')[1]), ...JSON.parse(body) }
}

const host = () => `host: ${new URL(service.base).host}`
const key = () => `authorization: Bearer ${service.customer.key}`
const submitLines = (headers: readonly string[], bytes = 7) => {
  const body = stringify({ pair: 'md-to-html', bytes })
  return [
    'POST /api/v1/conversions HTTP/1.1',
    ...headers,
    `content-length: ${body.length}`,
    'content-type: application/json',
    '',
    body,
  ]
}
const submit = (headers: readonly string[], bytes = 7) =>
  exchange(...submitLines([host(), key(), ...headers], bytes))

describe('an unknown path or method', () => {
  const bodies: [string, Record<string, string>, string][] = [
    ['broken JSON', { 'content-type': 'application/json' }, '{'],
    ['no JSON', { 'content-type': 'application/json' }, ''],
    ['an unknown type', { 'content-type': 'application/x-what' }, 'x'],
    ['a type that is none', { 'content-type': ';;;' }, 'x'],
    ['2 MB', { 'content-type': 'application/json' }, `"${'x'.repeat(2_000_000)}"`],
    ['a form', { 'content-type': 'application/x-www-form-urlencoded' }, 'a=1'],
  ]
  test.each(bodies)('is refused before its body is read: %s', async (_, headers, body) => {
    const send = (path: string, method: string) => service.call(path, { method, headers, body, key: null })
    const unknown = await send('/v1/nothing', 'POST')
    expect([unknown.status, ((await unknown.json()) as { code: string }).code]).toEqual([404, 'not-found'])
    for (const method of ['PUT', 'PATCH', 'DELETE']) {
      const wrong = await send('/v1/conversions', method)
      expect(wrong.status).toBe(405)
      expect(wrong.headers.get('allow')).toContain('POST')
    }
  })

  test('is refused while the body is still being sent, and the rest is not waited for', async () => {
    const began = performance.now()
    const answer = await exchange(
      'POST /api/nothing HTTP/1.1',
      host(),
      'content-type: application/json',
      'content-length: 1000000',
      '',
      'x',
    )
    expect(answer).toMatchObject({ status: 404, code: 'not-found' })
    expect(performance.now() - began).toBeLessThan(1000)
  })
})

describe('an unknown expectation', () => {
  test.each(['foo', '200-ok', '100-continue, foo'])(
    '%s gets 417 with the error body',
    async (expectation) => {
      const expected = { status: 417, code: 'expectation-failed' }
      expect(await submit([`expect: ${expectation}`])).toMatchObject(expected)
      expect(
        await exchange('GET /api/v1/formats HTTP/1.1', host(), `expect: ${expectation}`, '', ''),
      ).toMatchObject(expected)
    },
  )
})

describe('a header that decides something', () => {
  test.each([
    ['Host', () => [host(), key()], () => 'host: elsewhere.example'],
    ['Authorization', () => [host(), key()], () => 'authorization: Bearer kiln_live_other'],
    ['the same Authorization', () => [host(), key()], key],
    ['Content-Type', () => [host(), key()], () => 'content-type: text/plain'],
    ['Idempotency-Key', () => [host(), key(), 'idempotency-key: a'], () => 'idempotency-key: b'],
  ])('may not stand in a request twice: %s', async (_, first, second) => {
    // An invalid key is reported first, before any other error.
    for (const headers of [
      [...first(), second()],
      [...first().slice(0, 1), second(), ...first().slice(1)],
    ])
      expect(['bad-request', 'unauthenticated']).toContain((await exchange(...submitLines(headers))).code)
  })
})

describe('an Idempotency-Key', () => {
  // Any byte that a header may contain; leading and trailing white space is not part of the value.
  const inside = fc.oneof(
    fc.integer({ min: 0x20, max: 0x7e }),
    fc.integer({ min: 0x80, max: 0xff }),
    fc.constant(9),
  )
  const edge = fc.oneof(fc.integer({ min: 0x21, max: 0x7e }), fc.integer({ min: 0x80, max: 0xff }))
  const anyKey = fc
    .oneof(
      edge.map((byte) => [byte]),
      fc
        .tuple(edge, fc.array(inside, { maxLength: 253, size: 'max' }), edge)
        .map(([first, middle, last]) => [first, ...middle, last]),
    )
    .map((bytes) => String.fromCharCode(...bytes))

  test('is any string of 1 to 255 bytes: the same one finds its job again', async () => {
    await fc.assert(
      fc.asyncProperty(anyKey, async (text) => {
        const first = await submit([`idempotency-key: ${text}`])
        expect([200, 201]).toContain(first.status)
        const again = await submit([`idempotency-key: ${text}`])
        expect([again.status, again.jobId]).toEqual([200, first.jobId])
        expect(await submit([`idempotency-key: ${text}`], 8)).toMatchObject({ code: 'idempotency-mismatch' })
      }),
      { numRuns: 40 },
    )
  })

  test.each([
    'order of 12 March',
    'naïve',
    Buffer.from('注文 №7 – “ok”').toString('latin1'),
    'a\tb',
    'k'.repeat(255),
  ])('may be %j', async (text) => {
    const first = await submit([`idempotency-key: ${text}`])
    expect(first.status).toBe(201)
    expect(await submit([`idempotency-key: ${text}`])).toMatchObject({ status: 200, jobId: first.jobId })
  })

  test.each(['', 'k'.repeat(256), 'é'.repeat(256)])('may not be %j', async (text) => {
    expect(await submit([`idempotency-key: ${text}`])).toMatchObject({ status: 400, code: 'bad-request' })
  })

  test('is compared by every byte', async () => {
    const start = randomUUID()
    const ids = new Set<string | undefined>()
    for (const end of ['a', 'A', 'à', 'a a', 'a  a', 'a\ta', '\u00a0'])
      ids.add((await submit([`idempotency-key: ${start}${end}`])).jobId)
    expect(ids.size).toBe(7)
    expect(ids).not.toContain(undefined)
  })
})
