import { unzip } from '@kiln/test-support/zip.ts'
import { beforeAll, describe, expect, test } from 'vitest'
import { anonymous, someClient } from './accounts.ts'
import { requirement } from './requirements.ts'
import { bytesOf, type Client, type Pair } from './service.ts'

// One small document in every format. (A single heading may become the document's title: both are accepted.) Every
// listed pair of these formats must keep its heading, words, emphasis, list and accents: checked by content, never by
// status.
const interchange = ['md', 'html', 'rst', 'latex', 'epub', 'docx'] as const
type Interchange = (typeof interchange)[number]

const written: Partial<Record<Interchange, string>> = {
  md: '# Kiln report\n\nPlain words and *leaning* ones, café über.\n\n- first item\n- second item\n',
  html: '<!DOCTYPE html><html><head><meta charset="utf-8"><title>Kiln report</title></head><body><h1>Kiln report</h1><p>Plain words and <em>leaning</em> ones, café über.</p><ul><li>first item</li><li>second item</li></ul></body></html>',
  rst: 'Kiln report\n===========\n\nPlain words and *leaning* ones, café über.\n\n- first item\n- second item\n',
  latex:
    '\\documentclass{article}\n\\begin{document}\n\\section{Kiln report}\nPlain words and \\emph{leaning} ones, café über.\n\\begin{itemize}\n\\item first item\n\\item second item\n\\end{itemize}\n\\end{document}\n',
}

const textOf = (bytes: Uint8Array) => new TextDecoder('utf-8', { fatal: true }).decode(bytes)

const partOf = (bytes: Uint8Array, name: string): string => {
  const part = unzip(bytes).get(name)
  if (part === undefined) throw new Error(`the file holds no ${name}`)
  return part.toString()
}

const epubText = (bytes: Uint8Array): string => {
  const files = unzip(bytes)
  expect(files.get('mimetype')?.toString()).toBe('application/epub+zip')
  expect(files.has('META-INF/container.xml')).toBe(true)
  return [...files].flatMap(([name, part]) => (/\.x?html$/.test(name) ? [part.toString()] : [])).join('\n')
}

const checks: Record<Interchange, (bytes: Uint8Array) => void> = {
  md: (bytes) => {
    expect(textOf(bytes)).toMatch(/^(# Kiln report|Kiln report\n=+|title: Kiln report)/m)
    expect(textOf(bytes)).toMatch(/[*_]leaning[*_]/)
    expect(textOf(bytes)).toMatch(/^ *[-*] +first item/m)
  },
  html: (bytes) => {
    expect(textOf(bytes)).toMatch(/<h1[^>]*>(<[^>]+>)*Kiln report/)
    expect(textOf(bytes)).toMatch(/<em>leaning<\/em>/)
    expect(textOf(bytes)).toMatch(/<li>(<p>)?first item/)
  },
  rst: (bytes) => {
    expect(textOf(bytes)).toMatch(/Kiln report\n[=~\-*#]{5,}|rubric:: Kiln report/)
    expect(textOf(bytes)).toMatch(/\*leaning\*/)
    expect(textOf(bytes)).toMatch(/^ *[-*] +first item/m)
  },
  latex: (bytes) => {
    expect(textOf(bytes)).toMatch(
      /\\(section|chapter)\{(\\texorpdfstring\{)?Kiln report|\\title\{Kiln report\}/,
    )
    expect(textOf(bytes)).toMatch(/\\(emph|textit)\{leaning\}/)
    expect(textOf(bytes)).toMatch(/\\item\s+first item/)
  },
  epub: (bytes) => {
    const text = epubText(bytes)
    expect(text).toMatch(/<h1[^>]*>(<[^>]+>)*Kiln report/)
    expect(text).toMatch(/<em>leaning<\/em>/)
    expect(text).toContain('first item')
  },
  docx: (bytes) => {
    const text = partOf(bytes, 'word/document.xml')
    expect(text.replace(/<[^>]+>/g, '')).toContain('Kiln report')
    expect(text).toMatch(/w:val="(Heading1|Title)"/)
    expect(text).toMatch(/<w:i ?\/>/)
    expect(text).toContain('first item')
  },
}

const wordsOf = (format: Interchange, bytes: Uint8Array): string => {
  if (format === 'docx') return partOf(bytes, 'word/document.xml')
  return format === 'epub' ? epubText(bytes) : textOf(bytes)
}

describe('conversions', () => {
  let client: Client
  let slugs: Set<string>
  const sources = new Map<Interchange, Uint8Array<ArrayBuffer>>()

  beforeAll(async () => {
    client = someClient()
    slugs = new Set(((await anonymous.formats()).body as { pairs: Pair[] }).pairs.map(({ pair }) => pair))
    for (const format of interchange) {
      const text = written[format]
      if (text !== undefined) sources.set(format, bytesOf(text))
    }
    const markdown = sources.get('md') ?? new Uint8Array()
    sources.set('docx', await client.convert('md-to-docx', markdown))
    sources.set('epub', await client.convert('md-to-epub', markdown))
  })

  test(`${requirement('areas.interchange')} are offered from and to every document format`, () => {
    const pairs = [...slugs].map((slug) => slug.split('-to-'))
    for (const format of interchange) {
      const others: readonly string[] = interchange.filter((each) => each !== format)
      expect(
        pairs.some(([from, to]) => from === format && others.includes(to ?? '')),
        `from ${format}`,
      ).toBe(true)
      expect(
        pairs.some(([from, to]) => to === format && others.includes(from ?? '')),
        `to ${format}`,
      ).toBe(true)
    }
  })

  const table = interchange.flatMap((from) =>
    interchange.filter((to) => to !== from).map((to) => [from, to] as const),
  )
  test.each(table)(`${requirement('areas.interchange', 'flow.whole')} %s to %s`, async (from, to) => {
    const slug = `${from}-to-${to}`
    const source = sources.get(from) ?? new Uint8Array()
    if (!slugs.has(slug)) {
      // Not offered: then it must not be taken either.
      const answer = await client.submit({ pair: slug, bytes: source.length })
      expect(answer.body).toMatchObject({ code: 'unknown-pair' })
      return
    }
    const output = await client.convert(slug, source)
    checks[to](output)
    expect(wordsOf(to, output)).toMatch(
      /caf(é|\\'e|\\'\{e\}|&eacute;|&#233;) (ü|\\"u|\\"\{u\}|&uuml;|&#252;)ber/,
    )
  })
})
