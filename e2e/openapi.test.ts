import { beforeAll, describe, expect, test } from 'vitest'
import { anonymous, main, someClient } from './accounts.ts'
import { statusOfCode } from './expectations.ts'
import { type ApiDescription, type Operation, resolve, type Schema, validatorOf } from './openapi.ts'
import { requirement } from './requirements.ts'
import { type Answer, bytesOf, type Client, send } from './service.ts'

let description: ApiDescription
let client: Client

beforeAll(async () => {
  description = (await anonymous.get('/openapi.json')).body as ApiDescription
  client = someClient()
})

const operation = (method: string, path: string): Operation => {
  const found = description.paths[path]?.[method]
  if (found === undefined) throw new Error(`the description has no ${method} ${path}`)
  return found
}

const schemaFor = (method: string, path: string, status: number): Schema => {
  const response = resolve(description, operation(method, path).responses[String(status)] ?? {})
  const schema = response.content?.['application/json']?.schema
  if (schema === undefined) throw new Error(`${method} ${path} describes no JSON for ${status}`)
  return schema
}

const expectDescribed = (answer: Answer, method: string, path: string): void => {
  const faults = validatorOf(description)(schemaFor(method, path, answer.status), answer.body)
  expect(faults, answer.text).toEqual([])
}

describe('the description of the interface', () => {
  test(`${requirement('version.one')} is OpenAPI 3.1, version 1.0.0`, async () => {
    expect((await anonymous.get('/openapi.json')).headers.get('content-type')).toMatch(/^application\/json/)
    expect(description.openapi).toMatch(/^3\.1\.\d$/)
    expect(description.info.version).toBe('1.0.0')
  })

  test(`${requirement('agent-tools.no-operation-added', 'version.in-path')} holds the four operations of the interface, the upload, the deletion, the report, the options of a pair, and no other`, () => {
    const operations = Object.entries(description.paths).flatMap(([path, methods]) =>
      Object.keys(methods)
        .filter((method) => /^(get|put|post|delete|patch|head|options|trace)$/.test(method))
        .map((method) => `${method} ${path}`),
    )
    expect(operations.sort()).toEqual([
      'delete /v1/conversions/{id}',
      'get /v1/conversions/{id}',
      'get /v1/conversions/{id}/report',
      'get /v1/formats',
      'get /v1/formats/{pair}',
      'get /v1/usage',
      'post /v1/conversions',
      'put /files/in/{job}',
    ])
  })

  test(`${requirement('base.paths-under-prefix')} names this service's base address`, () => {
    const urls = (description.servers ?? []).map(({ url }) =>
      new URL(url, main.baseUrl).href.replace(/\/$/, ''),
    )
    expect(urls.map((url) => new URL(url).pathname)).toContain(new URL(main.baseUrl).pathname)
  })

  test(`${requirement('events.polling-only')} describes no callback of an operation, and the event of a webhook apart from them`, () => {
    expect(JSON.stringify(description.paths)).not.toMatch(/"(callbacks|webhooks)":/)
    expect(Object.keys(description.webhooks)).toEqual(['conversionEnded'])
  })

  test(`${requirement('auth.bearer', 'auth.all-but-formats')} asks for a bearer key everywhere but for the formats`, () => {
    const schemes = Object.entries(description.components?.securitySchemes ?? {})
    const [name, scheme] = schemes[0] ?? []
    expect(schemes.length).toBe(1)
    expect(scheme).toMatchObject({ type: 'http', scheme: 'bearer' })
    const needed = (method: string, path: string) =>
      operation(method, path).security ?? description.security ?? []
    expect(needed('get', '/v1/formats')).toEqual([])
    for (const [method, path] of [
      ['post', '/v1/conversions'],
      ['get', '/v1/conversions/{id}'],
      ['get', '/v1/usage'],
    ] as const)
      expect(needed(method, path)).toEqual([{ [name ?? '']: [] }])
  })

  test(`${requirement('server-error.internal-500', 'server-error.error-body', 'errors.code-to-branch-on')} describes every refusal, 500 and 503 too, by the error body and its codes`, () => {
    const statuses: [string, string, number[]][] = [
      ['get', '/v1/formats', [200]],
      ['post', '/v1/conversions', [200, 201, 400, 401, 402, 413, 422, 429, 500, 503]],
      ['get', '/v1/conversions/{id}', [200, 400, 401, 403, 404, 429, 500, 503]],
      ['delete', '/v1/conversions/{id}', [204, 400, 401, 403, 404, 429, 500, 503]],
      ['get', '/v1/usage', [200, 401, 429, 500, 503]],
    ]
    const check = validatorOf(description)
    for (const [method, path, expected] of statuses) {
      const described = Object.keys(operation(method, path).responses)
      for (const status of expected) expect(described, `${method} ${path}`).toContain(String(status))
      for (const status of expected.filter((each) => each >= 400)) {
        const schema = schemaFor(method, path, status)
        const codes = Object.keys(statusOfCode).filter((code) => statusOfCode[code] === status)
        const ok = codes.filter((code) => check(schema, { error: 'Some sentence.', code }).length === 0)
        expect(ok.length, `${method} ${path} ${status}`).toBeGreaterThan(0)
        expect(check(schema, { error: 'x', code: 'no-such-code' })).not.toEqual([])
        expect(check(schema, { error: 'x', code: codes[0], extra: 1 })).not.toEqual([])
      }
    }
  })

  const operations = [
    ['post', '/v1/conversions'],
    ['get', '/v1/conversions/{id}'],
    ['delete', '/v1/conversions/{id}'],
    ['get', '/v1/usage'],
  ] as const

  test(`${requirement('rate.retry-after', 'server-error.unavailable-503')} says when to come back`, () => {
    for (const [method, path] of operations) {
      for (const status of ['429', '503']) {
        const { headers } = operation(method, path).responses[status] ?? {}
        expect(headers?.['Retry-After']?.schema, `${method} ${path} ${status}`).toMatchObject({
          type: 'integer',
        })
      }
    }
  })

  test(`${requirement('idempotency.key-length')} gives the request headers with their bounds`, () => {
    const header = (method: string, path: string, name: string) =>
      operation(method, path).parameters?.find((each) => each.in === 'header' && each.name === name)
    expect(header('post', '/v1/conversions', 'idempotency-key')?.schema).toMatchObject({
      type: 'string',
      minLength: 1,
      maxLength: 255,
    })
    expect(header('get', '/v1/conversions/{id}', 'prefer')?.schema).toMatchObject({ type: 'string' })
  })

  test(`${requirement('errors.code-to-branch-on')} names only codes that the operation can answer with`, () => {
    const named = (method: string, path: string) =>
      Object.entries(operation(method, path).responses)
        .filter(([status]) => Number(status) >= 400)
        .flatMap(([, { description = '' }]) =>
          [...description.matchAll(/`([a-z-]+)`/g)].map(([, code]) => code),
        )
    const anywhere = ['bad-request', 'internal', 'unavailable', 'unauthenticated', 'rate-limited']
    expect(named('get', '/v1/usage').sort()).toEqual([...anywhere].sort())
    expect(named('get', '/v1/conversions/{id}').sort()).toEqual(
      [...anywhere, 'forbidden', 'not-found'].sort(),
    )
    const ofSubmit = ['unknown-pair', 'client-pair', 'require-credits', 'too-large', 'idempotency-mismatch']
    expect(named('post', '/v1/conversions').sort()).toEqual([...anywhere, ...ofSubmit].sort())
  })

  test('fits what the service really answers', async () => {
    expectDescribed(await client.formats(), 'get', '/v1/formats')
    const key = { 'idempotency-key': crypto.randomUUID() }
    const body = { pair: 'md-to-html', bytes: 7 }
    expectDescribed(await client.submit(body, key), 'post', '/v1/conversions')
    const replay = await client.submit(body, key)
    expect(replay.status).toBe(200)
    expectDescribed(replay, 'post', '/v1/conversions')
    expectDescribed(await client.submit('{'), 'post', '/v1/conversions')
    expectDescribed(await anonymous.submit(body), 'post', '/v1/conversions')
    expectDescribed(await client.submit({ ...body, bytes: 8 }, key), 'post', '/v1/conversions')
    expectDescribed(await client.usage(), 'get', '/v1/usage')
    const { jobId } = await client.run('md-to-html', bytesOf('# Fits\n'))
    expectDescribed(await client.poll(jobId), 'get', '/v1/conversions/{id}')
    expectDescribed(await client.poll('none'), 'get', '/v1/conversions/{id}')
  })
})

describe('the page of the interface', () => {
  test('is served, with all it needs, from here alone', async () => {
    const page = await send(`${main.baseUrl}/docs`)
    expect(page.status).toBe(200)
    expect(page.headers.get('content-type')).toMatch(/^text\/html/)
    const landed = (await fetch(`${main.baseUrl}/docs`)).url
    const links = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(
      ([, link = '']) => new URL(link, landed),
    )
    expect(links.length).toBeGreaterThan(1)
    for (const link of links) {
      expect(link.origin).toBe(new URL(main.baseUrl).origin)
      expect((await fetch(link)).status, link.href).toBe(200)
    }
    expect(page.text).not.toMatch(/https?:\/\/(?!127\.0\.0\.1|localhost|www\.w3\.org)/)
  })
})
