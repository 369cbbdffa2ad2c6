import { describe, expect, test } from 'vitest'
import { anonymous, main } from './accounts.ts'
import { expectError } from './expectations.ts'
import { exchange, head, type RawAnswer } from './raw-http.ts'
import { requirement } from './requirements.ts'

const formats = `${main.baseUrl}/v1/formats`
const { host, pathname } = new URL(formats)
const submit = `${main.baseUrl}/v1/conversions`

const expectRefusal = (answer: RawAnswer | null, ...codes: string[]): void => {
  expect(answer, 'the connection closed without an answer').not.toBeNull()
  const { code = '' } = (answer?.body ?? {}) as { code?: string }
  expect(codes).toContain(code)
  if (answer !== null) expectError(answer, code)
}

describe('requests that are not quite HTTP', () => {
  const broken: [string, string][] = [
    ['no request line', '\r\nnonsense\r\n\r\n'],
    ['a made-up method', `FROBNICATE ${pathname} HTTP/1.1\r\nhost: ${host}\r\n\r\n`],
    ['a made-up version', `GET ${pathname} HTTP/9.9\r\nhost: ${host}\r\n\r\n`],
    ['a header without a colon', `GET ${pathname} HTTP/1.1\r\nhost: ${host}\r\nbroken header\r\n\r\n`],
    ['a header name with a space', `GET ${pathname} HTTP/1.1\r\nhost: ${host}\r\na b: c\r\n\r\n`],
    ['a null byte in a header', `GET ${pathname} HTTP/1.1\r\nhost: ${host}\r\na: b\0c\r\n\r\n`],
    [
      'two lengths',
      `POST ${pathname} HTTP/1.1\r\nhost: ${host}\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab`,
    ],
    [
      'length and chunks',
      `POST ${pathname} HTTP/1.1\r\nhost: ${host}\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`,
    ],
    ['a TLS greeting', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
  ]
  test.each(broken)(
    `${requirement('errors.exact-body', 'errors.request-id')} get the error body: %s`,
    async (_, bytes) => {
      expectRefusal(
        await exchange(formats, Buffer.from(bytes, 'latin1')),
        'bad-request',
        'method-not-allowed',
        'not-found',
      )
    },
  )

  test('are refused without a host', async () => {
    expectRefusal(await exchange(formats, `GET ${pathname} HTTP/1.1\r\n\r\n`), 'bad-request')
  })

  test.each([20_000, 100_000, 1_000_000])(
    `${requirement('errors.exact-body', 'errors.code-to-branch-on')} get the error body for %d bytes of headers`,
    async (size) => {
      const answer = await exchange(formats, head('GET', formats, { 'x-long': 'x'.repeat(size) }))
      expectRefusal(answer, 'headers-too-large')
    },
  )

  test(`${requirement('errors.exact-body')} get the error body for an endless path`, async () => {
    const answer = await exchange(formats, head('GET', `${formats}/${'x'.repeat(10_000)}`))
    expectRefusal(answer, 'not-found', 'headers-too-large', 'bad-request')
  })

  test(`${requirement('errors.exact-body')} get the error body for broken chunks`, async () => {
    const request = head('POST', submit, {
      authorization: `Bearer ${anonymous.key}`,
      'content-type': 'application/json',
      'transfer-encoding': 'chunked',
    })
    expectRefusal(await exchange(submit, `${request}zz\r\n{}\r\n0\r\n\r\n`), 'bad-request', 'unauthenticated')
  })

  test.each(['foo', '200-ok'])(
    `${requirement('errors.expectation-417', 'errors.exact-body')} get the error body for the expectation %s`,
    async (expectation) => {
      const request = head('GET', formats, { expect: expectation })
      expectRefusal(await exchange(formats, request), 'expectation-failed')
    },
  )

  test.each([
    ['Host', `host: ${host}\r\nhost: elsewhere.example`],
    ['Authorization', `host: ${host}\r\nauthorization: Bearer a\r\nauthorization: Bearer b`],
    ['Content-Type', `host: ${host}\r\ncontent-type: a/b\r\ncontent-type: a/b`],
    ['Idempotency-Key', `host: ${host}\r\nidempotency-key: a\r\nidempotency-key: a`],
  ])(`${requirement('errors.doubled-header')} are refused with a second %s`, async (_, lines) => {
    expectRefusal(await exchange(formats, `GET ${pathname} HTTP/1.1\r\n${lines}\r\n\r\n`), 'bad-request')
  })

  test('leave the service well', async () => {
    expect((await anonymous.formats()).status).toBe(200)
  })
})
