import { expect, test } from 'vitest'
import { parseDuration } from './arguments.ts'

test('reads durations', () => {
  expect(['0', '90s', '15m', '24h', '7d'].map(parseDuration)).toEqual([0, 90, 900, 86_400, 604_800])
})

test('says how to write one', () => {
  for (const text of ['', 'h', '1w', '-1h', '1.5h', '24 h'])
    expect(() => parseDuration(text)).toThrow('Write it like')
})
