// @module-tag slow

import { docxWith, openDocument } from '@kiln/test-support/documents.ts'
import { longestBlock, measureEventLoop } from '@kiln/test-support/event-loop.ts'
import { openTestConverter, type TestConverter } from '@kiln/test-support/test-converter.ts'
import { zip } from '@kiln/test-support/zip.ts'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { FormatName } from '../../src/catalog/pairs.ts'
import type { EngineMaker } from '../../src/engines/engine.ts'
import { engineMakers } from '../../src/engines/index.ts'

// Small files that would keep a careless parser busy for minutes. Whether they convert or fail, the event loop is never
// blocked, and the conversion ends.

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 })

let kiln: TestConverter
beforeAll(async () => {
  // The engines' results on such files are tested elsewhere; here they get little time.
  const budget = { seconds: 1, secondsPerMegabyte: 1 }
  const engines = engineMakers.map<EngineMaker>((make) => (parts) => ({ ...make(parts), budget }))
  kiln = await openTestConverter({ waiting: 0, engines })
})
afterAll(() => kiln.close())

const many = 200_000
const files: [name: string, from: FormatName, to: FormatName, content: () => Buffer | string][] = [
  [
    'an odt of date fields that never end',
    'odt',
    'pdf',
    () => openDocument('text', '<text:date '.repeat(many)),
  ],
  [
    'an odt of date fields that never close',
    'odt',
    'pdf',
    () => openDocument('text', '<text:date>x'.repeat(many)),
  ],
  [
    'a docx of field instructions that never end',
    'docx',
    'pdf',
    () => docxWith('<w:instrText '.repeat(many)),
  ],
  ['a docx of simple fields that never end', 'docx', 'pdf', () => docxWith('<w:fldSimple '.repeat(many))],
  [
    'a docx of instructions for a field far away',
    'docx',
    'pdf',
    () => docxWith(`<w:fldSimple ${'w:instr="'.repeat(many)}`),
  ],
  ['an rtf of field instructions', 'rtf', 'pdf', () => `{\\rtf1 ${'\\fldinst'.repeat(many)}}`],
  ['an rtf of one endless control word', 'rtf', 'pdf', () => `{\\rtf1 \\fldinst\\${'a'.repeat(1_000_000)}}`],
  ['an rtf of braces and signs', 'rtf', 'pdf', () => `{\\rtf1 \\fldinst${'{\\a1'.repeat(many)}`],
  ['a page of comments without a doctype', 'html', 'pdf', () => `${'<!---->'.repeat(9_000)}<p>text`],
  ['a page of comments that never end', 'html', 'pdf', () => `${'<!--'.repeat(many)}<p>text`],
  ['a page of unfinished meta elements', 'html', 'md', () => `${'<meta '.repeat(many)}<p>text`],
  [
    'an epub whose encryption never ends',
    'epub',
    'md',
    () =>
      zip([
        { name: 'mimetype', content: 'application/epub+zip', stored: true },
        { name: 'META-INF/container.xml', content: '<container/>' },
        { name: 'META-INF/encryption.xml', content: '<EncryptionMethod '.repeat(many) },
      ]),
  ],
  [
    'an odt whose manifest never ends',
    'odt',
    'md',
    () =>
      zip([
        { name: 'META-INF/manifest.xml', content: '<file-entry '.repeat(many) },
        { name: 'content.xml', content: '<a/>' },
      ]),
  ],
  ['a csv of one endless line', 'csv', 'pdf', () => `${'"'.repeat(300_000)}\n`],
  ['a text of marks', 'md', 'html', () => '['.repeat(20_000)],
]

test.each(files)('%s', async (_name, from, to, content) => {
  const made = content()
  const loop = measureEventLoop()
  const outcome = await kiln.convert(made, from, to).catch((error: unknown) => error)
  if (typeof outcome !== 'string') expect(outcome).toMatchObject({ word: expect.any(String) })
  expect(loop.longest()).toBeLessThan(longestBlock)
})
