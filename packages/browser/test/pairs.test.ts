import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { png } from '@kiln/test-support/png.ts'
import { repository } from '@kiln/test-support/start-service.ts'
import { describe, expect, test } from 'vitest'
import { testArchives } from './archives-suite.ts'
import { testAudio } from './audio-suite.ts'
import { useBrowsers } from './browsers.ts'
import { testControl } from './control-suite.ts'
import { testImages } from './images-suite.ts'
import { testPdf } from './pdf-suite.ts'

// Everything that @kiln/browser converts, by content, in both browsers. They are started once.

const browsers = useBrowsers()

describe.each(['chromium', 'firefox'] as const)('in %s', (name) => {
  const page = () => browsers[name]
  describe('control', () => testControl(page))
  describe('archives', () => testArchives(page))
  describe('audio', () => testAudio(page))
  describe('images', () => testImages(page))
  describe('PDF', () => testPdf(page))
})

test('the installed package has types, strictly checked', async () => {
  const text = `import { BrowserConversionError, type BrowserOptions, convertInBrowser, maxBytes } from '@kiln/browser'
import { type BrowserTarget, browserTargets } from '@kiln/browser/targets'
export async function use(file: File, options: BrowserOptions): Promise<Blob | string> {
  const target: BrowserTarget | undefined = browserTargets('heic')[0]
  if (file.size > maxBytes || !target) return 'too large'
  try {
    return await convertInBrowser([file], target.to, { ...options, pages: '1-3', rotate: 90 })
  } catch (error) {
    // @ts-expect-error: there is no such code
    if (error instanceof BrowserConversionError && error.code === 'no-such-code') return ''
    return error instanceof BrowserConversionError ? error.code : ''
  }
}
`
  await writeFile(join(browsers.folder, 'use.ts'), text)
  const options = [
    '--strict',
    '--noEmit',
    '--module',
    'nodenext',
    '--target',
    'es2022',
    '--ignoreConfig',
    'use.ts',
  ]
  const tsc = join(repository, 'node_modules/.bin/tsc')
  const { stdout } = await promisify(execFile)(tsc, options, { cwd: browsers.folder }).catch(
    (failure) => failure,
  )
  expect(stdout).toBe('')
})

test('ten large images at once take little more memory than one', async () => {
  const side = 3000
  const image = { name: 'a.png', bytes: png(side, side, Buffer.alloc(side * (4 * side + 1))) }
  const convert = (count: number) => () =>
    Promise.all(Array.from({ length: count }, () => browsers.chromium.convert(image, 'gif')))
  await convert(1)()
  const one = await browsers.peakMemory(convert(1))
  const ten = await browsers.peakMemory(convert(10))
  // The pixels of one.
  expect(one).toBeGreaterThan(4 * side * side)
  expect(ten).toBeLessThan(1.5 * one)
})

test('nothing is sent', () => {
  expect(browsers.requests).toEqual([])
})
