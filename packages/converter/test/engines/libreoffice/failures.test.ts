import { symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Engine } from '../../../src/engines/engine.ts'
import { createColdRunner } from '../../../src/engines/libreoffice/cold-soffice.ts'
import { createLibreOfficeEngine } from '../../../src/engines/libreoffice/engine.ts'
import { planFor } from '../../../src/engines/libreoffice/plan.ts'
import { docx, docxWith, png } from '../../fixtures/documents.ts'
import { officeFile, openWorkbench, type Workbench } from '../../fixtures/workbench.ts'

// Each starts programs; a busy machine takes its time.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 120_000 })

// Every failure word, earned by a file.

let bench: Workbench
const engine = createLibreOfficeEngine()
beforeAll(async () => {
  bench = await openWorkbench()
})
afterAll(() => bench.close())

test('password-protected: a document that is seen to be locked before any engine starts', async () => {
  const failure = await bench.failure(neverStarted, await officeFile('protected.docx'), 'docx', 'pdf')
  expect(failure).toMatch(/^password-protected: .*Remove the password/)
})

test('password-protected: a workbook that only LibreOffice finds locked', async () => {
  expect(await bench.failure(engine, await officeFile('protected.xls'), 'xls', 'pdf')).toMatch(
    /^password-protected: /,
  )
})

test('corrupt-input: a document whose XML is broken', async () => {
  const failure = await bench.failure(engine, docxWith('<w:p><w:r></w:q>'), 'docx', 'pdf')
  expect(failure).toMatch(/^corrupt-input: .*save it anew/)
})

test('corrupt-input: a document that is cut off costs no engine', async () => {
  const whole = docx('Hello')
  expect(await bench.failure(neverStarted, whole.subarray(0, whole.length / 2), 'docx', 'pdf')).toMatch(
    /^corrupt-input: /,
  )
})

test('wrong-format: a picture named docx costs no engine', async () => {
  expect(await bench.failure(neverStarted, png, 'docx', 'pdf')).toMatch(/^wrong-format: .*PNG/)
})

test('timeout: a document that lays out for ever', async () => {
  const short = createLibreOfficeEngine(createColdRunner({ wallSeconds: 3 }))
  const tables = '<w:tbl><w:tr><w:tc>'.repeat(400) + '<w:p/></w:tc></w:tr></w:tbl>'.repeat(400)
  expect(await bench.failure(short, docxWith(`${tables}<w:p/>`), 'docx', 'pdf')).toMatch(/^timeout: /)
})

test('too-complex: a bomb costs no engine', async () => {
  const bomb = docxWith('', { entries: [{ name: 'word/media/a', content: Buffer.alloc(40 * 1024 * 1024) }] })
  expect(await bench.failure(neverStarted, bomb, 'docx', 'pdf')).toMatch(/^too-complex: /)
})

test('unsupported: a format that LibreOffice is not asked to read', () => {
  expect(() => planFor('mp4')).toThrow(expect.objectContaining({ word: 'unsupported' }))
})

test('internal: an engine that leaves nonsense, or a link, in place of a PDF', async () => {
  const leaving = (leave: (path: string) => Promise<void>): Engine => ({
    ...engine,
    async convert({ outFolder }) {
      await leave(join(outFolder, 'output.pdf'))
      return 'output.pdf'
    },
  })
  const nonsense = leaving((path) => writeFile(path, 'PK####'))
  const toHost = leaving((path) => symlink('/etc/hostname', path))
  expect(await bench.failure(nonsense, docx('x'), 'docx', 'pdf')).toMatch(/^internal: /)
  expect(await bench.failure(toHost, docx('x'), 'docx', 'pdf')).toMatch(/^internal: /)
})

/** An input that no engine need see costs no engine start. */
const neverStarted: Engine = {
  ...engine,
  convert() {
    throw new Error('The engine was started.')
  },
}
