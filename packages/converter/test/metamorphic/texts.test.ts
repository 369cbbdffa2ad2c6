import { readFile } from 'node:fs/promises'
import type { FormatName } from '@kiln/converter/catalog'
import { type Sample, samples, saying } from '@kiln/test-support/languages.ts'
import { pdfText } from '@kiln/test-support/pdf-facts.ts'
import { useTestConverter } from '@kiln/test-support/use-test-converter.ts'
import { describe, expect, test, vi } from 'vitest'

// The same text in another form: the outputs have the same text. No expectation was copied from an output; a text is
// compared with itself.

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 })

const kiln = useTestConverter({ waiting: 0 })

/** Longer than one chunk of a file, so that some character crosses the boundary between chunks. */
const long = (text: string) => `${text}\n\n`.repeat(Math.ceil(70_000 / Buffer.byteLength(text)))

const shapes: Record<string, (sample: Sample) => (Buffer | string)[]> = {
  'padded by one, two and three bytes': ({ text }) => ['a', 'aa', 'aaa'].map((pad) => `${pad} ${long(text)}`),
  'with other line ends': ({ text }) => [long(text).replaceAll('\n', '\r\n')],
  'with a byte order mark': ({ text }) => [`\uFEFF${text}\n`],
  'in UTF-16, both ways': ({ text }) => [
    Buffer.from(`\uFEFF${text}\n`, 'utf16le'),
    Buffer.from(`\uFEFF${text}\n`, 'utf16le').swap16(),
  ],
}

const textOf = (html: string) =>
  html
    .replaceAll(/<(head|style)\b[\s\S]*?<\/\1>/g, '')
    .replaceAll(/<[^<>]*>/g, '')
    .replaceAll('&amp;', '&')

describe.each(Object.keys(shapes))('%s', (shape) => {
  test.each(samples)('$language', async (sample) => {
    for (const content of shapes[shape]?.(sample) ?? []) {
      const page = await readFile(await kiln.convert(content, 'md', 'html'), 'utf8')
      expect(saying(textOf(page))).toContain(saying(sample.text))
    }
  })
})

describe('there and back again', () => {
  const formats: FormatName[] = ['html', 'rst', 'latex', 'docx', 'odt', 'epub']
  const rows = formats.flatMap((format, index) =>
    // Every format with a few languages, and every language with some format.
    samples
      .filter(
        (_, at) => at % formats.length === index || at % formats.length === (index + 2) % formats.length,
      )
      .map((sample) => ({ format, ...sample })),
  )
  test.each(rows)('$language by way of $format', async ({ format, text }) => {
    const there = await kiln.convert(`${text}\n`, 'md', format)
    const back = await readFile(await kiln.convert({ path: there }, format, 'md'), 'utf8')
    expect(saying(back.replaceAll('\\', ''))).toContain(saying(text))
  })
})

describe('to a page that people read', () => {
  // Scripts whose letters poppler gives back one by one, in the order of writing.
  const readable = samples.filter(({ language }) => !/Arabic|Hebrew|Hindi|Thai|emoji/.test(language))
  test.each(readable)('$language', async ({ text }) => {
    const pdf = await kiln.convert(`${text}\n`, 'txt', 'pdf')
    expect(saying(await pdfText(pdf))).toContain(saying(text))
  })
})
