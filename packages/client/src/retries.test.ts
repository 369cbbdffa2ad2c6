import { expect, test } from 'vitest'
import { kilnError, parseRetryAfter } from './errors.ts'
import { isWorthRetrying, pauseBefore } from './retries.ts'

test('a pause doubles up to eight seconds, and half of it is left to chance', () => {
  const longest = [1, 2, 3, 4, 5, 6, 20].map((tries) => pauseBefore(tries, null, () => 0))
  expect(longest).toEqual([500, 1000, 2000, 4000, 8000, 8000, 8000])
  expect(pauseBefore(3, null, () => 1)).toBe(1000)
})

test.each([
  [1, 1000],
  [60, 60_000],
  [0.5, 500],
])('Retry-After of %d s is kept', (seconds, pause) => {
  expect(pauseBefore(1, seconds, () => 0)).toBe(pause)
})

test.each([0, 61, 86_400])('Retry-After of %d s is not sane', (seconds) => {
  expect(pauseBefore(2, seconds, () => 0)).toBe(1000)
})

test('only what may go away by itself is tried again', () => {
  const again = ['connection', 'internal', 'rate-limited', 'request-timeout', 'unavailable'] as const
  const never = [
    'aborted',
    'client-pair',
    'conversion-failed',
    'require-credits',
    'timeout',
    'too-large',
  ] as const
  for (const code of again) expect(isWorthRetrying(kilnError(code, ''))).toBe(true)
  for (const code of never) expect(isWorthRetrying(kilnError(code, ''))).toBe(false)
  expect(isWorthRetrying(new Error('a bug'))).toBe(false)
})

test('Retry-After is read as a count or as a date', () => {
  const now = Date.parse('2026-11-15T12:00:00Z')
  expect(parseRetryAfter('30', now)).toBe(30)
  expect(parseRetryAfter(' 0.5 ', now)).toBe(0.5)
  expect(parseRetryAfter('Sun, 15 Nov 2026 12:00:20 GMT', now)).toBe(20)
  expect(parseRetryAfter('Sun, 15 Nov 2026 11:00:00 GMT', now)).toBe(0)
  for (const nonsense of ['-5', 'soon', '', '1e9999', null]) expect(parseRetryAfter(nonsense, now)).toBeNull()
})
