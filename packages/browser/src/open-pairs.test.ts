import { clientPairs, isOpenClientPair } from '@kiln/contract'
import { expect, test } from 'vitest'
import { browserTargets, formatNamed } from './targets.ts'

const isSameFormat = (from: string, to: string) => formatNamed(from) === formatNamed(to) && from !== 'pdf'

test('every pair that the service rejects with `client-pair` is converted here, or listed as open', () => {
  const faults = clientPairs().filter(({ from, to }) => {
    const isConverted = browserTargets(from).some((target) => target.to === formatNamed(to))
    return isConverted === (isOpenClientPair(from, to) || isSameFormat(from, to))
  })
  expect(faults).toEqual([])
})

test('the pairs that people ask for are converted', () => {
  const converted = clientPairs().filter(({ from, to }) => !isOpenClientPair(from, to))
  expect(converted.length).toBeGreaterThan(600)
  for (const [from, to] of [
    ['heic', 'jpg'],
    ['pdf', 'png'],
    ['mp4', 'mp3'],
    ['rar', 'zip'],
  ] as const)
    expect(converted).toContainEqual({ from, to })
})
