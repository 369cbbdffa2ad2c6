// @module-tag slow

import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FormatName } from '@kiln/converter/catalog'
import { encode, samples, saying } from '@kiln/test-support/languages.ts'
import { pairOf } from '@kiln/test-support/test-converter.ts'
import { useTestConverter } from '@kiln/test-support/use-test-converter.ts'
import { zip } from '@kiln/test-support/zip.ts'
import { describe, expect, test } from 'vitest'

// Text files in encodings other than UTF-8. Every text format goes through the same step before its engine, so a few
// encodings for each are enough here; `npm run metamorphic` has all of them.

const kiln = useTestConverter()

const report = async (content: Buffer, from: FormatName, to: FormatName, options = {}) => {
  const output = join(kiln.folder, `report.${to}`)
  const input = (path: string) => writeFile(path, content)
  const converted = await kiln.converter.convertFile({ pair: pairOf(from, to), input, output, options })
  return { text: await readFile(output, 'utf8'), report: converted.report }
}

test('a table from Japanese Excel (CP932)', async () => {
  const table = '名前,年齢,住所\n佐藤太郎,30,東京\n三木英子,25,大阪\n髙橋淳,35,名古屋\n'
  const made = await report(encode(table, 'cp932'), 'csv', 'md')
  const rows = [
    '| 名前 | 年齢 | 住所 |',
    '| 佐藤太郎 | 30 | 東京 |',
    '| 三木英子 | 25 | 大阪 |',
    '| 髙橋淳 | 35 | 名古屋 |',
  ]
  for (const row of rows) expect(made.text.replaceAll(/ +/g, ' ')).toContain(row)
  expect(made.report.encoding).toMatchObject({ name: 'shift_jis', by: 'detected' })
  expect(made.report.encoding?.confidence).toBeGreaterThan(0.75)
  expect(made.report.warnings).toEqual([])
})

describe('the same words as in UTF-8', () => {
  const wrapped: Partial<Record<FormatName, (text: string) => string>> = {
    csv: (text) => `id,text\n1,"${text}"\n`,
    md: (text) => `# 1\n\n${text}\n`,
    html: (text) => `<!doctype html><title>1</title><p>${text}</p>`,
    rst: (text) => `${text}\n`,
    latex: (text) => `\\documentclass{article}\\begin{document}${text}\\end{document}`,
  }
  const rows = (['csv', 'md', 'html', 'rst', 'latex'] as const).flatMap((from, index) =>
    samples
      .flatMap(({ language, text, encodings }) => encodings.map((encoding) => ({ language, text, encoding })))
      // Every format with three encodings, each from another language.
      .filter((_, at) => at % 15 === index * 3)
      .map((row) => ({ from, ...row })),
  )
  test.each(rows)('$from in $encoding, $language', async ({ from, text, encoding }) => {
    const source = wrapped[from]?.(text) ?? text
    const target = from === 'html' ? 'md' : 'html'
    const legacy = await readFile(await kiln.convert(encode(source, encoding), from, target), 'utf8')
    const utf8 = encode(new TextDecoder(encoding).decode(encode(source, encoding)), 'utf-8')
    expect(saying(legacy)).toBe(saying(await readFile(await kiln.convert(utf8, from, target), 'utf8')))
  })
})

test('the option outweighs what the file seems to be, and what cannot be decoded is reported', async () => {
  const russian = encode('Гончар оставил посуду в печи на всю ночь.\n', 'windows-1251')
  const right = await report(russian, 'md', 'rst', { encoding: 'cp1251' })
  expect(right.text).toContain('Гончар')
  expect(right.report.encoding).toEqual({ name: 'windows-1251', confidence: 1, by: 'option' })
  const wrong = await report(russian, 'md', 'rst', { encoding: 'utf-8' })
  expect(wrong.report.warnings.join()).toMatch(/characters are not valid utf-8/)
})

test('a text that fits several encodings is reported with a warning', async () => {
  const { report: made } = await report(Buffer.from('x,\xe8\n', 'latin1'), 'csv', 'md')
  expect(made.encoding?.confidence).toBeLessThan(0.75)
  expect(made.warnings.join()).toMatch(/character encoding was guessed as .* option `encoding`/)
})

test('UTF-8 needs no warning, and other files have no encoding', async () => {
  const { report: text } = await report(Buffer.from('Grüße\n'), 'md', 'html')
  expect(text.encoding).toEqual({ name: 'utf-8', confidence: 1, by: 'detected' })
  expect(text.warnings).toEqual([])
})

test('an archive: the option applies to the parts that declare no encoding', async () => {
  const part = (text: string) => encode(text, 'koi8-r')
  const archive = zip([
    {
      name: 'main.tex',
      content: part('\\documentclass{article}\\begin{document}Да. \\input{part}\\end{document}'),
    },
    { name: 'part.tex', content: part('Нет.') },
  ])
  const made = await kiln.convert(archive, 'latex', 'html', { options: { encoding: 'koi8-r' } })
  expect(await readFile(made, 'utf8')).toMatch(/Да\. Нет\./)
})
