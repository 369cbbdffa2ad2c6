import { createSecretKey, randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type LinkFields, signLink, verifyLink } from './signed-link.ts'

const newKey = () => createSecretKey(randomBytes(32))
const key = newKey()
const object = 'in/01234567-89ab-4def-8123-456789abcdef'
const queryOf = (link: string) => link.slice(link.indexOf('?') + 1)
const now = new Date('2026-01-01T00:00:00Z')
const later = new Date('2026-01-01T01:00:00Z')
const signed = { bytes: '12', expires: String(later.getTime() / 1000) }
const link = { verb: 'put', object } as const
const sign = (fields: LinkFields) => signLink(key, { ...link, expiresAt: later, fields })
const query = queryOf(sign({ bytes: '12' }))
const check = (text: string, at = now) => verifyLink(key, { ...link, query: text, now: at })
const forged = { verdict: 'forged' }

test('a link holds until it expires, and the check gives back its fields', () => {
  expect(sign({ bytes: '12' })).toBe(`/files/${object}?${query}`)
  expect(check(query)).toEqual({ verdict: 'valid', fields: signed })
  expect(check(query, later)).toEqual({ verdict: 'expired' })
})

test('it cannot be used for anything else', () => {
  expect(verifyLink(key, { verb: 'get', object, query, now })).toEqual(forged)
  expect(verifyLink(key, { verb: 'put', object: object.replace('0', '1'), query, now })).toEqual(forged)
  expect(verifyLink(newKey(), { ...link, query, now })).toEqual(forged)
  expect(check('')).toEqual(forged)
})

// A modified link is refused, or contains exactly the signed fields.
const name = fc.constantFrom(
  'bytes',
  'expires',
  'signature',
  'name',
  'type',
  'BYTES',
  'byt%65s',
  '__proto__',
  '',
)
const value = fc.oneof(fc.constantFrom('12', '4000000', '9999999999', ''), fc.string())
const added = fc.tuple(name, fc.constantFrom('=', ''), value).map((parts) => parts.join(''))
const changes: fc.Arbitrary<(text: string) => string> = fc.oneof(
  added.map((field) => (text: string) => `${field}&${text}`),
  added.map((field) => (text: string) => `${text}&${field}`),
  added.map((field) => (text: string) => `${text}?${field}`),
  added.map((field) => (text: string) => text.replace('&', `&${field}&`)),
  fc.tuple(fc.nat(200), fc.nat(3), fc.string({ maxLength: 3 })).map(
    ([at, cut, put]) =>
      (text: string) =>
        text.slice(0, at) + put + text.slice(at + cut),
  ),
  fc.constantFrom(
    (text: string) => text.split('&').reverse().join('&'),
    (text: string) => text.replace('12', '%31%32'),
    (text: string) => text.replaceAll('&', ';'),
    (text: string) => `${text}&${text}`,
    (text: string) => `?${text}`,
  ),
)

test('no change of its text makes a link say another thing', () => {
  fc.assert(
    fc.property(fc.array(changes, { minLength: 1, maxLength: 3 }), (steps) => {
      const verdict = check(steps.reduce((text, change) => change(text), query))
      if (verdict.verdict === 'valid') expect(verdict.fields).toEqual(signed)
      else expect(verdict).toEqual(forged)
    }),
    { numRuns: 5000 },
  )
})

test.each(['bytes', 'expires', 'signature'])(
  'a second %s is refused, before or after the signed one',
  (twice) => {
    const own = new URLSearchParams(query).get(twice)
    for (const text of [own, '4000000']) {
      expect(check(`${twice}=${text}&${query}`)).toEqual(forged)
      expect(check(`${query}&${twice}=${text}`)).toEqual(forged)
    }
  },
)

test('a value cannot pass for two fields', () => {
  const two = new URLSearchParams(queryOf(sign({ a: '1', b: '2' })))
  two.set('a', '1&b=2')
  two.delete('b')
  expect(check(String(two))).toEqual(forged)
})
