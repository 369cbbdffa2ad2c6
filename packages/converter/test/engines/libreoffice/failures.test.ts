import { symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { docx, docxWith, png } from '@kiln/test-support/documents.ts'
import {
  officeFile,
  openTestConverter,
  pairsOf,
  type TestConverter,
} from '@kiln/test-support/test-converter.ts'
import { useTestConverter } from '@kiln/test-support/use-test-converter.ts'
import { afterAll, expect, test, vi } from 'vitest'
import type { Engine, EngineMaker } from '../../../src/engines/engine.ts'
import { createColdRunner } from '../../../src/engines/libreoffice/cold-soffice.ts'
import { createLibreOfficeEngine } from '../../../src/engines/libreoffice/engine.ts'
import { planFor } from '../../../src/engines/libreoffice/plan.ts'

// Each starts programs; a busy machine takes its time.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 120_000 })

// Every failure word, earned by a file.

const kiln = useTestConverter()

test('password-protected: a document that is seen to be locked before any engine starts', async () => {
  const failure = await (await withEngine(neverStarted)).failure(
    await officeFile('protected.docx'),
    'docx',
    'pdf',
  )
  expect(failure).toMatch(/^password-protected: .*Remove the password/)
})

test('password-protected: a workbook that only LibreOffice finds locked', async () => {
  expect(await kiln.failure(await officeFile('protected.xls'), 'xls', 'pdf')).toMatch(/^password-protected: /)
})

test('corrupt-input: a document whose XML is broken', async () => {
  const failure = await kiln.failure(docxWith('<w:p><w:r></w:q>'), 'docx', 'pdf')
  expect(failure).toMatch(/^corrupt-input: .*save it again/)
})

test('corrupt-input: a document that is cut off costs no engine', async () => {
  const whole = docx('Hello')
  expect(
    await (await withEngine(neverStarted)).failure(whole.subarray(0, whole.length / 2), 'docx', 'pdf'),
  ).toMatch(/^corrupt-input: /)
})

test('wrong-format: a picture named docx costs no engine', async () => {
  expect(await (await withEngine(neverStarted)).failure(png, 'docx', 'pdf')).toMatch(/^wrong-format: .*PNG/)
})

test('timeout: a document that lays out for ever', { tags: 'slow' }, async () => {
  const short = await withEngine((parts) =>
    createLibreOfficeEngine(parts, createColdRunner(parts, { wallSeconds: 3 })),
  )
  const tables = '<w:tbl><w:tr><w:tc>'.repeat(400) + '<w:p/></w:tc></w:tr></w:tbl>'.repeat(400)
  expect(await short.failure(docxWith(`${tables}<w:p/>`), 'docx', 'pdf')).toMatch(/^timeout: /)
})

test('too-complex: a bomb costs no engine', async () => {
  const bomb = docxWith('', { entries: [{ name: 'word/media/a', content: Buffer.alloc(40 * 1024 * 1024) }] })
  expect(await (await withEngine(neverStarted)).failure(bomb, 'docx', 'pdf')).toMatch(/^too-complex: /)
})

test('unsupported: a format that LibreOffice is not asked to read', () => {
  expect(() => planFor('mp4', 'pdf')).toThrow(expect.objectContaining({ word: 'unsupported' }))
})

test('internal: an engine that leaves nonsense, or a link, in place of a PDF', async () => {
  const leaving = (leave: (path: string) => Promise<void>) =>
    withEngine(() =>
      fake(async ({ outFolder }) => {
        await leave(join(outFolder, 'output.pdf'))
        return 'output.pdf'
      }),
    )
  const nonsense = await leaving((path) => writeFile(path, 'PK####'))
  const toHost = await leaving((path) => symlink('/etc/hostname', path))
  expect(await nonsense.failure(docx('x'), 'docx', 'pdf')).toMatch(/^internal: /)
  expect(await toHost.failure(docx('x'), 'docx', 'pdf')).toMatch(/^internal: /)
})

const fake = (convert: Engine['convert']): Engine => ({
  name: 'libreoffice',
  budget: { seconds: 60, secondsPerMegabyte: 60 },
  convert,
  version: async () => '',
})

/** An input that no engine need see costs no engine start. */
const neverStarted: EngineMaker = () =>
  fake(() => {
    throw new Error('The engine was started.')
  })

const opened: TestConverter[] = []
afterAll(() => Promise.all(opened.map((each) => each.close())))

async function withEngine(maker: EngineMaker): Promise<TestConverter> {
  const made = await openTestConverter({ pairs: pairsOf('libreoffice'), engines: [maker] })
  opened.push(made)
  return made
}
