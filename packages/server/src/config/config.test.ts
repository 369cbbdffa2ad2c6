import { expect, test } from 'vitest'
import { ConfigError, findBrokenPromises, parseConfig } from './config.ts'
import { settings } from './settings.ts'

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

test('the prefix may be neither empty nor one of the service’s own paths', () => {
  expect(() => parseConfig({ KILN_PREFIX: '/' })).toThrow('KILN_PREFIX')
  expect(parseConfig({ KILN_PREFIX: '/a/b' }).prefix).toBe('/a/b')
  for (const taken of ['/files', '/pages', '/console/more'])
    expect(() => parseConfig({ KILN_PREFIX: taken })).toThrow('taken')
})

test('the public address follows the port, and loses a trailing slash', () => {
  expect(parseConfig({ KILN_PORT: '9000' }).publicUrl).toBe('http://localhost:9000')
  expect(parseConfig({ KILN_PUBLIC_URL: 'https://kiln.example.com/' }).publicUrl).toBe(
    'https://kiln.example.com',
  )
})

test('settings of the clients and tests are no typing error', () => {
  expect(() =>
    parseConfig({ KILN_URL: 'http://x', KILN_API_KEY: 'k', KILN_E2E_URL: 'http://x' }),
  ).not.toThrow()
})

test('a name is in the table once', () => {
  const names = settings.map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
})

test('a secret is not repeated in a complaint', () => {
  const parse = () => parseConfig({ KILN_METRICS_TOKEN: 'short-one', KILN_OPERATOR_PASSWORD: 'tiny' })
  expect(parse).toThrow(/KILN_OPERATOR_PASSWORD is set[\s\S]*KILN_METRICS_TOKEN is set/)
  expect(parse).not.toThrow(/short-one|tiny/)
})

test('an empty setting is none, and a flag is 1 or 0', () => {
  expect(parseConfig({ KILN_PORT: '', KILN_ALLOW_UNSANDBOXED: '' })).toMatchObject({
    port: 8080,
    allowUnsandboxed: false,
  })
  expect(parseConfig({ KILN_ALLOW_UNSANDBOXED: '1' }).allowUnsandboxed).toBe(true)
  expect(() => parseConfig({ KILN_ALLOW_UNSANDBOXED: 'maybe' })).toThrow('KILN_ALLOW_UNSANDBOXED')
})

test('a bucket needs its keys, and its settings need a bucket', () => {
  const bucket = { KILN_S3_BUCKET: 'b', KILN_S3_ACCESS_KEY_ID: 'a', KILN_S3_SECRET_ACCESS_KEY: 's' }
  expect(parseConfig({}).s3).toBeNull()
  expect(parseConfig(bucket).s3).toEqual({
    bucket: 'b',
    accessKeyId: 'a',
    secretAccessKey: 's',
    region: 'us-east-1',
    prefix: '',
    endpoint: null,
    publicEndpoint: null,
    pathStyle: false,
  })
  expect(parseConfig({ ...bucket, KILN_S3_ENDPOINT: 'http://s3' }).s3?.pathStyle).toBe(true)
  expect(() => parseConfig({ KILN_S3_BUCKET: 'b' })).toThrow(/ACCESS_KEY_ID[\s\S]*SECRET_ACCESS_KEY/)
  expect(() => parseConfig({ KILN_S3_REGION: 'r' })).toThrow('KILN_S3_BUCKET')
})

test.each(['127.0.0.1', '10.0.0.0/8, ::1', 'fd00::/8'])('proxies may be %s', (text) => {
  expect(parseConfig({ KILN_TRUSTED_PROXIES: text }).trustedProxies).toEqual(text.split(/, */))
})

test.each(['yes', '10.0.0.0/33', '::1/129', '10.0.0.0/8/8', '10.0.0', ','])(
  'proxies may not be %s',
  (text) => {
    expect(() => parseConfig({ KILN_TRUSTED_PROXIES: text })).toThrow('KILN_TRUSTED_PROXIES')
  },
)

test('settings that break a promise of the interface are reported', () => {
  const reported = (env: Record<string, string>) => findBrokenPromises(parseConfig(env))
  expect(reported({})).toEqual([])
  expect(reported({ KILN_RECORD_TTL_SECONDS: '86399' })).toEqual([expect.stringContaining('Idempotency-Key')])
  expect(reported({ KILN_RECORD_TTL_SECONDS: '86400' })).toEqual([])
  expect(reported({ KILN_HOST: '0.0.0.0' })).toEqual([expect.stringContaining('KILN_PUBLIC_URL')])
  expect(reported({ KILN_HOST: '::', KILN_PUBLIC_URL: 'http://127.0.0.1:1' })).toHaveLength(1)
  expect(reported({ KILN_HOST: '0.0.0.0', KILN_PUBLIC_URL: 'https://kiln.example.com' })).toEqual([])
})

test('refuses the secrets of the examples', () => {
  const bucket = {
    KILN_S3_BUCKET: 'kiln',
    KILN_S3_ACCESS_KEY_ID: 'kiln',
    KILN_S3_SECRET_ACCESS_KEY: 'own-secret',
  }
  expect(parseConfig({ ...bucket, DATABASE_URL: 'postgresql://kiln:own@db/kiln' }).s3?.bucket).toBe('kiln')
  const examples = {
    DATABASE_URL: 'postgresql://kiln:replace-me@db/kiln',
    KILN_S3_SECRET_ACCESS_KEY: 'choose-another-of-eight-or-more',
    KILN_METRICS_TOKEN: 'replace-me-with-a-long-random-word',
  }
  for (const [name, value] of Object.entries(examples))
    expect(() => parseConfig({ ...bucket, [name]: value })).toThrow(`${name} holds the secret of an example`)
})
