import type { FastifyRequest } from 'fastify'
import { expect, test } from 'vitest'
import { readWebhook } from './webhook.ts'

const read = (headers: Record<string, string>, checkUrl = (_: string) => {}) =>
  readWebhook({ headers } as unknown as FastifyRequest, checkUrl)
const both = {
  'gotenberg-webhook-url': 'https://a.example/x',
  'gotenberg-webhook-error-url': 'https://a.example/e',
}

test('a request without webhook headers has none', () => {
  expect(read({ accept: '*/*' })).toBeUndefined()
})

test('methods are POST unless they are named, and headers are kept', () => {
  expect(read(both)).toMatchObject({ method: 'POST', errorMethod: 'POST', headers: {} })
  const full = {
    ...both,
    'gotenberg-webhook-method': 'put',
    'gotenberg-webhook-error-method': 'PATCH',
    'gotenberg-webhook-extra-http-headers': '{"X-Foo":"bar"}',
    traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
  }
  expect(read(full)).toMatchObject({
    method: 'PUT',
    errorMethod: 'PATCH',
    headers: {
      'x-foo': 'bar',
      traceparent: expect.stringMatching(
        /^00-0af7651916cd43dd8448eb211c80319c-(?!b7ad6b7169203331)[0-9a-f]{16}-01$/,
      ),
    },
  })
})

test.each([
  [{ 'gotenberg-webhook-error-url': 'https://a.example/e' }, /Gotenberg-Webhook-Url/],
  [{ 'gotenberg-webhook-url': 'https://a.example/x' }, /Error-Url' or/],
  [{ ...both, 'gotenberg-webhook-method': 'GET' }, /expected POST, PUT or PATCH/],
  [{ ...both, 'gotenberg-webhook-extra-http-headers': 'no' }, /no JSON object/],
  [{ ...both, 'gotenberg-webhook-extra-http-headers': '{"Host":"b"}' }, /'Host' cannot be set/],
  [{ ...both, 'gotenberg-webhook-extra-http-headers': '{"Transfer-Encoding":"chunked"}' }, /cannot be set/],
  [{ ...both, 'gotenberg-webhook-extra-http-headers': '{"X":"a\\r\\nHost: b"}' }, /'X' cannot be set/],
])('%j is refused', (headers, why) => {
  expect(() => read(headers as Record<string, string>)).toThrow(why)
})

test('every address is checked', () => {
  const seen: string[] = []
  read({ ...both, 'gotenberg-webhook-events-url': 'https://b.example/' }, (url) => seen.push(url))
  expect(seen).toEqual(['https://a.example/x', 'https://a.example/e', 'https://b.example/'])
})
