import { expect, it } from 'vitest'
import { listenToRecognition } from './facts.ts'
import type { PageLines } from './lines/lines.ts'
import type { PdfDocument } from './read/page.ts'

it('pages read by OCR are listed by their numbers in the file, with the mean confidence', () => {
  let read = 0
  const { listen, facts, recognition } = listenToRecognition(() => read)
  const word = { text: 'clay', left: 0, top: 0, width: 9, height: 9, line: '1' }
  const answers = [
    [],
    [
      { ...word, confidence: 80 },
      { ...word, confidence: 100 },
    ],
  ]
  const image = { width: 1, height: 1, dotsPerInch: 72, pixels: new Uint8Array(1) }
  const ocrEngine = listen({
    read: () => {
      const words = answers.shift() ?? []
      const missing = words.length === 0 ? { missingScript: 'Armenian' } : {}
      return { words, languages: ['eng', 'deu'], image, turns: 0, ...missing, isFailed: read === 2 }
    },
  })
  for (read = 0; read < 3; read++) ocrEngine?.read(image)
  const pdf = {
    pages: [
      { scan: true, pictures: [1] },
      { scan: true, pictures: [] },
      { scan: true, pictures: [] },
    ],
    numbers: [3, 7, 8],
  }
  const lines = [{ textRuns: [] }, { textRuns: [{ words: [1, 2] }] }, { textRuns: [] }]
  const isScan = [true, true, true]
  expect(facts(pdf as unknown as PdfDocument, lines as unknown as PageLines[], isScan)).toEqual({
    ...{ pages: 3, words: 2, pictures: 1, recognised: [7], unread: [3], failed: [8] },
    ...{ languages: ['eng', 'deu'], missingScripts: ['Armenian'], confidence: 0.9 },
  })
  expect(listen(undefined)).toBeUndefined()
  answers.push([{ ...word, confidence: 70 }])
  ocrEngine?.read(image, () => false)
  expect(recognition()).toMatchObject({ recognised: [2], confidence: 0.9 })
})
