import { describe, expect, test } from 'vitest'
import { testArchives } from './archives-suite.ts'
import { testAudio } from './audio-suite.ts'
import { useBrowsers } from './browsers.ts'
import { testImages } from './images-suite.ts'
import { testPdf } from './pdf-suite.ts'

// Everything that @kiln/browser converts, by content, in both browsers. They are started once.

const browsers = useBrowsers()

describe.each(['chromium', 'firefox'] as const)('in %s', (name) => {
  const page = () => browsers[name]
  describe('archives', () => testArchives(page))
  describe('audio', () => testAudio(page))
  describe('images', () => testImages(page))
  describe('PDF', () => testPdf(page))
})

test('nothing is sent', () => {
  expect(browsers.requests).toEqual([])
})
