import fc from 'fast-check'
import { expect, test } from 'vitest'
import { hashKey, hintOfKey, isWellFormedKey, makeKey } from './api-key.ts'

test('a new key is well formed and never the same', () => {
  const keys = Array.from({ length: 200 }, makeKey)
  for (const key of keys) expect(isWellFormedKey(key)).toBe(true)
  expect(new Set(keys).size).toBe(200)
})

test('one changed, lost or swapped character is noticed', () => {
  fc.assert(
    fc.property(fc.nat(31), fc.constantFrom(...'0123456789ABCXYZabcxyz'), (index, character) => {
      const key = makeKey()
      const at = 'kiln_live_'.length + index
      const changed = key.slice(0, at) + character + key.slice(at + 1)
      expect(isWellFormedKey(changed)).toBe(changed === key)
      expect(isWellFormedKey(key.slice(0, at) + key.slice(at + 1))).toBe(false)
    }),
  )
})

test('anything else is not a key', () => {
  for (const text of [
    '',
    'kiln_live_',
    'kiln_test_abc',
    ` ${makeKey()}`,
    `${makeKey()}\n`,
    makeKey().toUpperCase(),
  ]) {
    expect(isWellFormedKey(text)).toBe(false)
  }
})

test('the hint shows no more than four characters, and the hash is not the key', () => {
  const key = makeKey()
  expect(hintOfKey(key)).toBe(`kiln_live_…${key.slice(-4)}`)
  expect(hashKey(key)).toHaveLength(32)
  expect(hashKey(key).equals(hashKey(makeKey()))).toBe(false)
})
