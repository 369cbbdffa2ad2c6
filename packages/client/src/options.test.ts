import { expect, test } from 'vitest'
import { readOptions } from './options.ts'

test('the base address is taken as it is, without its last slash', () => {
  expect(readOptions({ baseUrl: 'https://kiln.example.com/api/', apiKey: null }).baseUrl).toBe(
    'https://kiln.example.com/api',
  )
})

test.each(['localhost:8080', 'ftp://a.example/api', 'https://a.example/api?x=1', 'https://a.example/#x', ''])(
  '%j is no base address, and the sentence says how one looks',
  (baseUrl) => {
    expect(() => readOptions({ baseUrl, apiKey: null })).toThrow(/must look like .*`baseUrl` or KILN_URL/)
  },
)

test('a key that was not copied whole is noticed', () => {
  expect(() => readOptions({ apiKey: 'kiln_live_a\n' })).toThrow(/copied whole/)
  expect(() => readOptions({ apiKey: '' })).toThrow(/copied whole/)
})

test.each([
  [{ requestTimeout: 0 }, /`requestTimeout` is 0/],
  [{ idleTimeout: Number.NaN }, /`idleTimeout` is NaN/],
  [{ maxRetries: -1 }, /`maxRetries` is -1/],
  [{ maxRetries: 1.5 }, /`maxRetries` is 1.5/],
])('%j is refused by name', (options, sentence) => {
  expect(() => readOptions({ apiKey: null, ...options })).toThrow(sentence)
})
