import { createSecretKey, randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { signLink, verifyLink } from './signed-link.ts'

const newKey = () => createSecretKey(randomBytes(32))
const key = newKey()
const object = 'in/01234567-89ab-4def-8123-456789abcdef'
const queryOf = (link: string) => new URLSearchParams(link.split('?')[1])
const now = new Date('2026-01-01T00:00:00Z')
const later = new Date('2026-01-01T01:00:00Z')

test('a link holds until it expires', () => {
  const link = signLink(key, 'put', object, later, { bytes: '12' })
  expect(link.startsWith(`/files/${object}?`)).toBe(true)
  expect(verifyLink(key, 'put', object, queryOf(link), now)).toBe('valid')
  expect(verifyLink(key, 'put', object, queryOf(link), later)).toBe('expired')
})

test('it cannot be used for anything else', () => {
  const query = queryOf(signLink(key, 'put', object, later, { bytes: '12' }))
  expect(verifyLink(key, 'get', object, query, now)).toBe('forged')
  expect(verifyLink(key, 'put', object.replace('0', '1'), query, now)).toBe('forged')
  expect(verifyLink(newKey(), 'put', object, query, now)).toBe('forged')
  expect(verifyLink(key, 'put', object, new URLSearchParams(), now)).toBe('forged')
})

test('no field can be changed, added or taken away', () => {
  fc.assert(
    fc.property(
      fc.constantFrom('bytes', 'expires', 'signature', 'more'),
      fc.string({ minLength: 1 }),
      (field, value) => {
        const query = queryOf(signLink(key, 'put', object, later, { bytes: '12' }))
        if (query.get(field) === value) return
        query.set(field, value)
        expect(verifyLink(key, 'put', object, query, now)).toBe('forged')
        query.delete(field)
        if (field !== 'more') expect(verifyLink(key, 'put', object, query, now)).toBe('forged')
      },
    ),
  )
})

test('a value cannot pass for two fields', () => {
  const query = queryOf(signLink(key, 'get', object, later, { a: '1', b: '2' }))
  query.set('a', '1&b=2')
  query.delete('b')
  expect(verifyLink(key, 'get', object, query, now)).toBe('forged')
})
