import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type FormatName, formats, pairs } from '@kiln/converter/catalog'
import { encode, samples, saying } from '@kiln/test-support/languages.ts'
import { pdfText } from '@kiln/test-support/pdf-facts.ts'
import { openTestConverter, type TestConverter } from '@kiln/test-support/test-converter.ts'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { inspectInput } from '../../src/catalog/inspect-input.ts'

// The same document in every encoding that can express it gives the same result as in UTF-8. Text is decoded in one step
// before the engine of any pair gets it, so every format × language × encoding is compared after that step, byte by byte,
// and every pair × encoding by the words of its output.

vi.setConfig({ testTimeout: 300_000, hookTimeout: 60_000 })

let kiln: TestConverter
let folder: string
beforeAll(async () => {
  kiln = await openTestConverter({ waiting: 0 })
  folder = await mkdtemp(join(tmpdir(), 'kiln-encodings-'))
})
afterAll(async () => {
  await kiln.close()
  await rm(folder, { recursive: true, force: true })
})

const wrap: Partial<Record<FormatName, (text: string) => string>> = {
  txt: (text) => `${text}\n`,
  csv: (text) => `id,text\n1,"${text}"\n`,
  md: (text) => `# 1\n\n${text}\n`,
  html: (text) => `<!doctype html><title>1</title><p>${text}</p>\n`,
  rst: (text) => `${text}\n`,
  latex: (text) => `\\documentclass{article}\\begin{document}\n${text}\n\\end{document}\n`,
}
const textFormats = Object.keys(wrap) as FormatName[]
const wide = ['utf-16le', 'utf-16be']

test('every text format is covered', () => {
  expect(textFormats.toSorted()).toEqual(
    [...new Set(pairs.map(({ from }) => from))].filter((from) => formats[from].isText).toSorted(),
  )
})

describe.each(textFormats)('%s is decoded', (from) => {
  test.each(samples)('$language', async ({ text, encodings }) => {
    for (const encoding of [...encodings, ...wide]) {
      const bytes = encode(wrap[from]?.(text) ?? text, encoding)
      const path = join(folder, 'input')
      await writeFile(path, bytes)
      const pair = pairs.find((each) => each.from === from) as (typeof pairs)[number]
      await inspectInput(path, pair)
      expect(await readFile(path, 'utf8'), encoding).toBe(new TextDecoder(encoding).decode(bytes))
    }
  })
})

const wordsOf = async (path: string, to: FormatName): Promise<string> => {
  if (to === 'pdf') return pdfText(path)
  if (formats[to].isText) return readFile(path, 'utf8')
  // Not Markdown: the metadata of a book has a random identifier. Its date is that of the conversion.
  const text = await readFile(await kiln.convert({ path }, to, 'txt'), 'utf8')
  return text.replace(/^\d{4}-\d\d-\d\dT[\d:]+Z$/m, '')
}

const byEncoding = new Map(samples.flatMap(({ text, encodings }) => encodings.map((each) => [each, text])))
const textPairs = pairs.filter(({ from }) => formats[from].isText)

describe.each(textPairs)('$slug', ({ from, to }) => {
  test.each([...byEncoding])('%s', async (encoding, text) => {
    const bytes = encode(wrap[from]?.(text) ?? text, encoding)
    const utf8 = new TextDecoder(encoding).decode(bytes)
    const legacy = await wordsOf(await kiln.convert(bytes, from, to), to)
    expect(saying(legacy)).toBe(saying(await wordsOf(await kiln.convert(utf8, from, to), to)))
  })
})
