import { expect, it } from 'vitest'
import { listenToRecognition } from './facts.ts'
import type { PageLines } from './lines/lines.ts'
import type { PdfDocument } from './read/page.ts'

it('pages read by OCR are listed by their numbers in the file, with the mean confidence', () => {
  let read = 0
  const { listen, facts } = listenToRecognition(() => read)
  const word = { text: 'clay', left: 0, top: 0, width: 9, height: 9, line: '1' }
  const answers = [
    [],
    [
      { ...word, confidence: 80 },
      { ...word, confidence: 100 },
    ],
  ]
  const ocrEngine = listen({ languages: 'eng+deu', read: () => answers.shift() ?? [] })
  for (read = 0; read < 2; read++) ocrEngine?.read(new Uint8Array())
  const pdf = {
    pages: [
      { scan: true, pictures: [1] },
      { scan: true, pictures: [] },
    ],
    numbers: [3, 7],
  }
  const lines = [{ textRuns: [] }, { textRuns: [{ words: [1, 2] }] }]
  expect(facts(pdf as unknown as PdfDocument, lines as unknown as PageLines[])).toEqual({
    ...{ pages: 2, words: 2, pictures: 1, recognised: [7], unread: [3] },
    ...{ languages: ['eng', 'deu'], confidence: 0.9 },
  })
  expect(listen(undefined)).toBeUndefined()
})
