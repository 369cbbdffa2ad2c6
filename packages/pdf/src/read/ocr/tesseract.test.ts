import { expect, test } from 'vitest'
import { runWithin, withoutMargin } from './tesseract.ts'

test('words in tables are as high as their letters, whatever specks are around', () => {
  const image = { width: 40, height: 40, pixels: new Uint8Array(1600).fill(255), dotsPerInch: 200 }
  for (let y = 12; y < 20; y++) image.pixels.fill(0, 40 * y + 10, 40 * y + 30)
  image.pixels[40 * 25 + 12] = 0
  const word = { left: 8, top: 8, width: 24, height: 24, text: 'Total', confidence: 90, line: '1' }
  expect(withoutMargin(image, word)).toEqual({ ...word, top: 12, height: 8 })
  const blank = { ...word, top: 0, height: 6 }
  expect(withoutMargin(image, blank)).toEqual(blank)
})

test('a program is ended by its CPU time, however long it waits for a CPU', () => {
  const limits = { cpuSeconds: 1, wallSeconds: 240 }
  expect(runWithin(limits, 'sh', '-c', 'sleep 2; echo read')).toBe('read\n')
  expect(runWithin(limits, 'sh', '-c', 'while :; do :; done')).toBeUndefined()
})

test('a program runs with the limit of the conversion where that is lower', () => {
  const limits = { cpuSeconds: 60, wallSeconds: 240 }
  const module = new URL('tesseract.ts', import.meta.url).href
  const call = `runWithin(${JSON.stringify(limits)}, 'sh', '-c', 'ulimit -t')`
  const script = `import { runWithin } from '${module}'; console.log(${call})`
  const command = [process.execPath, '--input-type=module', '-e', script]
  expect(runWithin({ ...limits, cpuSeconds: 30 }, ...command)).toBe('30\n\n')
})

test('a program that hangs is ended', () => {
  expect(runWithin({ cpuSeconds: 1, wallSeconds: 0.2 }, 'sleep', '1000')).toBeUndefined()
})
