import { expect, test } from 'vitest'
import { bytes, duration, percent, plural, relative } from './format.ts'

test('bytes', () => {
  expect([0, 999, 1500, 52_428_800, 3e9].map(bytes)).toEqual(['0 B', '999 B', '1.5 KB', '50.0 MB', '2.8 GB'])
})

test('durations', () => {
  expect([null, 85, 1440, 42_000, 200_000, 7_500_000, 4 * 86_400_000].map(duration)).toEqual([
    '–',
    '85 ms',
    '1.4 s',
    '42 s',
    '3 min 20 s',
    '2 h 5 min',
    '4 days',
  ])
})

test('no duration has a part that is full', () => {
  const said = [999.7, 9_970, 59_800, 179_700, 3_599_700, 7_199_900].map(duration)
  expect(said).toEqual(['1.0 s', '10 s', '1 min', '3 min', '1 h', '2 h'])
})

test('times seen from now', () => {
  const now = Date.parse('2026-01-01T12:00:00Z')
  expect(relative('2026-01-01T11:59:58Z', now)).toBe('just now')
  expect(relative('2026-01-01T11:59:49Z', now)).toBe('11 s ago')
  expect(relative('2026-01-01T11:55:00Z', now)).toBe('5 min ago')
  expect(relative('2026-01-01T11:56:40Z', now)).toBe('3 min ago')
  expect(relative('2026-01-01T14:00:00Z', now)).toBe('in 2 h')
  expect(relative(null, now)).toBe('–')
})

test('shares and plurals', () => {
  expect(percent(1, 0)).toBe('–')
  expect(percent(1, 200)).toBe('0.5 %')
  expect(percent(50, 200)).toBe('25 %')
  expect([plural(1, 'key'), plural(1200, 'key')]).toEqual(['1 key', '1,200 keys'])
})
