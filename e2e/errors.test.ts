import { describe, expect, test } from 'vitest'
import { anonymous, main, someClient } from './accounts.ts'
import { expectError } from './expectations.ts'
import { requirement } from './requirements.ts'
import { send } from './service.ts'

const client = someClient()

describe('an answer that refuses', () => {
  const paths = [
    '/',
    '/v1',
    '/v1/',
    '/v1/nothing',
    '/v1/formats/md',
    '/v1/usage/x',
    '/v1/conversions/a/b',
    '/docs/static/nothing.js',
    '/v3/usage',
  ]
  test.each(paths)(`${requirement('errors.exact-body')} has the error body for the path %s`, async (path) => {
    expectError(await client.get(path), 'not-found')
  })

  test.each(['/', '/nothing', '/v1/formats', '/files', '/files/', '/files/nothing', '/.env', '/favicon.ico'])(
    `${requirement('errors.exact-body', 'base.paths-under-prefix')} has the error body outside the prefix: %s`,
    async (path) => {
      const answer = await send(client.origin + path)
      expect(answer.status).toBeLessThan(500)
      if (answer.status >= 400) expectError(answer, answer.status === 403 ? 'forbidden' : 'not-found')
    },
  )

  const methods: [string, string, string][] = [
    ['POST', '/v1/formats', 'GET'],
    ['DELETE', '/v1/formats', 'GET'],
    ['GET', '/v1/conversions', 'POST'],
    ['PUT', '/v1/conversions', 'POST'],
    ['DELETE', '/v1/usage', 'GET'],
    ['POST', '/v1/usage', 'GET'],
    ['PATCH', '/v1/conversions/00000000-0000-4000-8000-000000000000', 'GET'],
    ['PUT', '/v1/conversions/00000000-0000-4000-8000-000000000000', 'DELETE'],
  ]
  test.each(methods)(
    `${requirement('errors.exact-body', 'errors.code-to-branch-on')} has the error body for %s %s`,
    async (method, path, allowed) => {
      const answer = await send(main.baseUrl + path, {
        method,
        headers: { authorization: `Bearer ${client.key}` },
      })
      expectError(answer, 'method-not-allowed')
      expect(answer.headers.get('allow')?.split(/, */)).toContain(allowed)
    },
  )

  test.each([
    ['broken JSON', 'application/json', '{'],
    ['no JSON', 'application/json', ''],
    ['an unknown type', 'application/x-what', 'x'],
    ['2 MB', 'application/json', `"${'x'.repeat(2_000_000)}"`],
  ])(
    `${requirement('errors.route-before-body')} checks the path and the method before %s`,
    async (_, type, body) => {
      const headers = { 'content-type': type }
      expectError(await send(`${main.baseUrl}/v1/nothing`, { method: 'POST', headers, body }), 'not-found')
      expectError(
        await send(`${main.baseUrl}/v1/conversions`, { method: 'PUT', headers, body }),
        'method-not-allowed',
      )
    },
  )

  test(`${requirement('errors.request-id')} carries a request id of its own each time`, async () => {
    const answers = [
      await anonymous.usage(),
      await anonymous.usage(),
      await anonymous.formats(),
      await client.get('/x'),
    ]
    const ids = answers.map(({ headers }) => headers.get('request-id'))
    for (const id of ids) expect(id).toMatch(/^[\w-]{8,}$/)
    expect(new Set(ids).size).toBe(ids.length)
  })

  test(`${requirement('errors.request-id')} does not repeat a request id that would break a log`, async () => {
    const answer = await anonymous.get('/v1/formats', { 'request-id': `${'x'.repeat(2000)}"<script>` })
    expect(answer.headers.get('request-id')).toMatch(/^[\w-]{8,200}$/)
  })

  test(`${requirement('errors.exact-body')} says nothing about the server's insides`, async () => {
    const answers = [
      await client.submit('{"pair":'),
      await client.submit({ pair: [], bytes: 1 }),
      await client.poll("'"),
      await client.get('/%ff'),
    ]
    for (const { text, headers } of answers) {
      expect(text).not.toMatch(/node_modules|fastify|\.ts\b|postgres|FST_|stack|body must|body\//i)
      expect(headers.get('x-powered-by')).toBeNull()
    }
  })

  test(`${requirement('http.json-content-type')} is JSON even for a client that asks for HTML`, async () => {
    expectError(await anonymous.get('/v1/usage', { accept: 'text/html' }), 'unauthenticated')
  })
})
