import type { Report } from '@kiln/contract'
import { expect, test } from 'vitest'
import { reportSentence } from './report-sentence.ts'

const counts = { bytes: 1, pages: 1, words: null, pictures: null, seconds: null }
const report = (changes: Partial<Report>): Report => ({
  jobId: 'x',
  status: 'done',
  pair: 'docx-to-pdf',
  engine: null,
  seconds: 1,
  input: counts,
  output: counts,
  fonts: [],
  recognized: null,
  leftOut: [],
  streams: [],
  encoding: null,
  warnings: [],
  more: { fonts: 0, leftOut: 0, streams: 0, warnings: 0 },
  ...changes,
})
const font = { font: 'Calibri', by: 'Carlito', widths: 'same' as const }

test.each([
  [report({}), null],
  [report({ fonts: [font] }), '1 font was substituted.'],
  [
    report({ fonts: [font, font], more: { fonts: 3, leftOut: 0, streams: 0, warnings: 0 } }),
    '5 fonts were substituted.',
  ],
  [
    report({
      fonts: [font, font],
      leftOut: [
        { what: 'macros', count: 1 },
        { what: 'remote-pictures', count: 4 },
      ],
    }),
    '2 fonts were substituted and 1 macro and 4 linked pictures were left out.',
  ],
  [
    report({ recognized: { pages: '1-3', count: 3, languages: ['eng'], confidence: 0.9 } }),
    'The text of 3 pages was recognized from images.',
  ],
  [
    report({ warnings: ['Columns continue on another page.'] }),
    '1 warning: Columns continue on another page.',
  ],
])('%#: %s', (given, sentence) => expect(reportSentence(given)).toBe(sentence))
