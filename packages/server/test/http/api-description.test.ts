import { createConfig, lintFromString } from '@redocly/openapi-core'
import { describe, expect, test } from 'vitest'
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

  test('describes exactly the operations of the interface, the deletion, the report and the options of a pair, relative to the base address', async () => {
    const document = (await (await service.call('/openapi.json', { key: null })).json()) as {
      paths: Record<string, Record<string, unknown>>
      servers: { url: string }[]
      components: { schemas: Record<string, unknown> }
    }
    const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method} ${path}`),
    )
    expect(operations.sort()).toEqual([
      'delete /v1/conversions/{id}',
      'get /v1/conversions/{id}',
      'get /v1/conversions/{id}/report',
      'get /v1/formats',
      'get /v1/formats/{pair}',
      'get /v1/usage',
      'post /v1/conversions',
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
    ])
  })

  test('the page loads nothing from elsewhere: its policy forbids it, and its files name no other host', async () => {
    const page = await service.call('/docs', { key: null })
    expect(page.status).toBe(200)
    const policy = page.headers.get('content-security-policy') ?? ''
    expect(policy).toContain("default-src 'self'")
    expect(policy).not.toMatch(/https?:\/\/(?!localhost)/)
    const html = await page.text()
    const links = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map((match) => String(match[1]))
    expect(links.length).toBeGreaterThan(2)
    for (const link of links) {
      const asset = await fetch(new URL(link, page.url))
      expect(new URL(asset.url).origin, link).toBe(new URL(service.base).origin)
      expect(asset.status, link).toBe(200)
    }
  })
})
