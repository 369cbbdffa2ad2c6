import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sourceShows } from '../../src/checks/source/shows.ts'

// A text is not compared by invisible words: when its script is not compared, these are the only words that are left.

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kiln-scripts-'))
})
afterAll(() => rm(folder, { recursive: true }))

const unseen = 'alphabet bravo charlie delta foxtrot gamma hotel india juliet kilo lima'
const sources = (text: string) =>
  [
    ['md', `---\nkeywords: ${unseen}\n---\n\n<!-- ${unseen} -->\n\n${text}\n`],
    ['rst', `.. meta::\n   :keywords: ${unseen}\n\n.. ${unseen}\n\n:field: ${unseen}\n\n${text}\n`],
    [
      'latex',
      `\\documentclass{article}\n% ${unseen}\n\\begin{document}\n% ${unseen}\n${text}\n\\end{document}\n`,
    ],
    [
      'html',
      `<!doctype html><meta name="keywords" content="${unseen}"><style>/* ${unseen} */</style><p>${text}</p>`,
    ],
  ] as const

test.each([
  ['Thai', 'ตึกแถวเก่าในย่านเมืองเก่าถูกซ่อมแซมใหม่'],
  ['Arabic', 'أعيد ترميم البيوت القديمة في المدينة'],
  ['Georgian', 'ძველი სახლები ქალაქში აღდგა'],
  ['Amharic', 'የከተማዋ አሮጌ ቤቶች ታድሰዋል'],
])('%s', async (_, text) => {
  for (const [format, source] of sources(text)) {
    const path = join(folder, `source.${format}`)
    await writeFile(path, source)
    expect([format, await sourceShows(path, format)]).toEqual([
      format,
      { words: [], sees: 'text', isDamaged: false },
    ])
  }
})
