import { errorCodes, failureWords } from '@kiln/contract'
import { optionsOf, pairs } from '@kiln/converter/catalog'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { describe, expect, test } from 'vitest'
import { type ApiDescription, type Schema, validatorOf } from '../../../../e2e/openapi.ts'
import { useService } from '../support/service.ts'

const service = useService()

describe('the API description', () => {
  test('is OpenAPI 3.1 and linted without errors', async () => {
    const source = await (await service.call('/openapi.json', { key: null })).text()
    expect(JSON.parse(source).openapi).toMatch(/^3\.1\./)
    const config = await createConfig({ extends: ['recommended'], rules: { 'no-server-example.com': 'off' } })
    const problems = await lintFromString({ source, absoluteRef: 'openapi.json', config })
    const faults = problems
      .filter(({ severity }) => severity === 'error')
      .map(({ message, location }) => `${message} ${location[0]?.pointer}`)
    expect(faults).toEqual([])
  })

  test('the linter would notice a fault', async () => {
    const source = '{"openapi":"3.1.0","info":{"title":"x"},"paths":{"/a":{"get":{"responses":{}}}}}'
    const config = await createConfig({ extends: ['recommended'] })
    expect((await lintFromString({ source, absoluteRef: 'openapi.json', config })).length).toBeGreaterThan(0)
  })

  test('every operation has a summary, error responses, and examples that fit their schemas', async () => {
    const description = (await (await service.call('/openapi.json', { key: null })).json()) as ApiDescription
    const check = validatorOf(description)
    const operations = [description.paths, description.webhooks].flatMap((paths) =>
      Object.values(paths).flatMap((methods) => Object.values(methods).filter((each) => 'responses' in each)),
    ) as unknown as DescribedOperation[]
    expect(operations.length).toBe(9)
    for (const { operationId, summary, requestBody, responses } of operations) {
      expect(summary, operationId).toMatch(/^[A-Z].{5,}/)
      if (operationId !== 'listFormats') expect(Object.keys(responses).join()).toMatch(/[45](\d\d|XX)/)
      for (const { content = {} } of [requestBody ?? {}, ...Object.values(responses)]) {
        const { schema, example, examples = {} } = content['application/json'] ?? {}
        if (!schema) continue
        const values = [...(example ? [example] : []), ...Object.values(examples).map(({ value }) => value)]
        expect(values.length, `${operationId} ${JSON.stringify(schema)}`).toBeGreaterThan(0)
        for (const value of values) expect(check(schema, value), operationId).toEqual([])
      }
    }
  })

  test('describes exactly the operations of the interface, the upload, the deletion, the report and the options of a pair, relative to the base address', async () => {
    const document = (await (await service.call('/openapi.json', { key: null })).json()) as {
      paths: Record<string, Record<string, unknown>>
      servers: { url: string }[]
      components: { schemas: Record<string, unknown> }
    }
    const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods)
        .filter((method) => method !== 'servers')
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
    expect(document.servers).toEqual([{ url: service.base }])
    expect(Object.keys(document.components.schemas).sort()).toEqual([
      'ConversionPair',
      'Counts',
      'Error',
      'Formats',
      'Job',
      'LeftOut',
      'MediaStreamFate',
      'Options',
      'PairDescription',
      'RecognizedText',
      'ReplacedFont',
      'Report',
      'SubmitRequest',
      'SubmitResult',
      'TextEncoding',
      'Usage',
      'WebhookEvent',
    ])
  })

  test('the page loads nothing from elsewhere: its policy forbids it, and its files name no other host', async () => {
    const page = await service.call('/docs', { key: null })
    expect(page.status).toBe(200)
    const policy = page.headers.get('content-security-policy') ?? ''
    expect(policy).toContain("default-src 'none'")
    expect(policy).not.toMatch(/unsafe|https?:/)
    const html = await page.text()
    const links = [...html.matchAll(/(?:<link[^>]* href|<script[^>]* src)="([^"]+)"/g)]
    expect(links.length).toBeGreaterThan(5)
    for (const [, link = ''] of links) {
      const asset = await fetch(new URL(link, page.url))
      expect(new URL(asset.url).origin, link).toBe(new URL(service.base).origin)
      expect(asset.status, link).toBe(200)
      if (!link.endsWith('.svg')) expect(await asset.text(), link).not.toMatch(/https?:\/\//)
    }
  })

  test('the page has every pair, option, error code and failure word', async () => {
    const html = await (await service.call('/docs', { key: null })).text()
    for (const pair of pairs) {
      expect(html).toContain(`data-pair="${pair.slug}"`)
      for (const { name, label } of optionsOf(pair))
        expect(html).toContain(`<code>${name}</code><br><span class="muted">${label}</span>`)
    }
    for (const word of [...errorCodes, ...failureWords])
      expect(html).toContain(`<th scope="row"><code>${word}</code></th>`)
  })
})

interface Body {
  content?: Record<
    string,
    { schema: Schema; example?: unknown; examples?: Record<string, { value: unknown }> }
  >
}

interface DescribedOperation {
  operationId: string
  summary: string
  requestBody?: Body
  responses: Record<string, Body>
}
