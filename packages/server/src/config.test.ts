import { expect, test } from 'vitest'
import { ConfigError, parseConfig } from './config.ts'

test('needs no configuration', () => {
  const config = parseConfig({ HOME: '/home/someone' })
  expect(config).toMatchObject({
    port: 8080,
    host: '127.0.0.1',
    prefix: '/api',
    publicUrl: 'http://localhost:8080',
  })
  expect(config).toMatchObject({
    freeJobsPerMonth: 50,
    uploadTtlSeconds: 3600,
    outputTtlSeconds: 3600,
    databaseUrl: null,
  })
  expect(Object.isFrozen(config)).toBe(true)
})

test('reports every fault at once, by name', () => {
  const parse = () =>
    parseConfig({
      KILN_PORT: '99999',
      KILN_PREFIX: 'api/',
      KILN_PUBLIC_URL: 'https://example.com/somewhere',
      KILN_PROT: '80',
      DATABASE_URL: 'mysql://x',
      KILN_LOG_LEVEL: 'loud',
      KILN_UPLOAD_TTL_SECONDS: '-1',
    })
  expect(parse).toThrow(ConfigError)
  for (const name of [
    'KILN_PORT',
    'KILN_PREFIX',
    'KILN_PUBLIC_URL',
    'KILN_PROT',
    'DATABASE_URL',
    'KILN_LOG_LEVEL',
    'KILN_UPLOAD_TTL_SECONDS',
  ]) {
    expect(parse).toThrow(name)
  }
})

test('the prefix may be empty but not one of the service’s own paths', () => {
  expect(parseConfig({ KILN_PREFIX: '/' }).prefix).toBe('')
  expect(parseConfig({ KILN_PREFIX: '/a/b' }).prefix).toBe('/a/b')
  expect(() => parseConfig({ KILN_PREFIX: '/files' })).toThrow('taken')
})

test('the public address follows the port, and loses a trailing slash', () => {
  expect(parseConfig({ KILN_PORT: '9000' }).publicUrl).toBe('http://localhost:9000')
  expect(parseConfig({ KILN_PUBLIC_URL: 'https://kiln.example.com/' }).publicUrl).toBe(
    'https://kiln.example.com',
  )
})

test('settings of the clients and tests are nobody’s typing error', () => {
  expect(() =>
    parseConfig({ KILN_URL: 'http://x', KILN_API_KEY: 'k', KILN_E2E_URL: 'http://x' }),
  ).not.toThrow()
})
