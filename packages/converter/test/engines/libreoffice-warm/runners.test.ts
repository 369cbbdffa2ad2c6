import { chmod, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { officeFile } from '@kiln/test-support/test-converter.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { FormatName } from '../../../src/catalog/pairs.ts'
import { createColdRunner, type OfficeRunner } from '../../../src/engines/libreoffice/cold-soffice.ts'
import { createWarmRunner, type WarmRunner } from '../../../src/engines/libreoffice/warm-runner.ts'
import { type ClosableSandbox, createSandbox } from '../../../src/sandbox/create-sandbox.ts'
import { findEngineUser } from '../../../src/sandbox/engine-user.ts'
import type { Sandbox } from '../../../src/sandbox/sandbox.ts'
import { describeAtLevels } from '../../describe-at-levels.ts'
import { type Converted, convert, pagesOf, partsOf, pixelsOf, sample } from './documents.ts'

// The warm runner must give the pages that the cold one gives.

const samples = ['text.docx', 'sheet.xlsx', 'slides.pptx', 'drawing.odg']
// At the second level one of each kind is enough: the programs are the same.
const moreSamples = [
  'text.doc',
  'text.odt',
  'text.rtf',
  'text.txt',
  'sheet.xls',
  'sheet.ods',
  'sheet.csv',
  'slides.odp',
]
const refusingCold: OfficeRunner = () =>
  Promise.reject(new Error('The warm runner fell back to the cold one.'))

let root: string
// Always at the first level: at the second, sandboxes of one user share its limit of processes.
let coldSandbox: ClosableSandbox
const cold: OfficeRunner = (plan, job) =>
  createColdRunner(partsOf(coldSandbox, { scratch: root }))(plan, { ...job, sandbox: coldSandbox })

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'kiln-runners-'))
  await chmod(root, 0o711)
  coldSandbox = await createSandbox('bubblewrap', await findEngineUser())
})
afterAll(async () => {
  await coldSandbox?.close()
  await rm(root, { recursive: true, force: true })
})

const convertedCold = new Map<string, Promise<Converted>>()
/** Each document once: both levels are held against it. */
function coldly(name: string): Promise<Converted> {
  const converted = convertedCold.get(name) ?? convert(cold, coldSandbox, root, sample(name))
  convertedCold.set(name, converted)
  return converted
}

async function expectDamageTold(runner: OfficeRunner, sandbox: Sandbox, name: string): Promise<void> {
  const broken = join(root, name)
  await writeFile(broken, Buffer.concat([Buffer.from('PK\x03\x04'), Buffer.alloc(4_000, 7)]))
  const { untrustedReport, outputPath } = await convert(runner, sandbox, root, broken)
  expect(untrustedReport).toMatch(/^failed load/)
  await expect(stat(outputPath)).rejects.toThrow('ENOENT')
}

async function expectCancelled(runner: OfficeRunner, sandbox: Sandbox): Promise<void> {
  const { result } = await convert(runner, sandbox, root, sample('text.docx'), {
    from: 'docx' satisfies FormatName,
    signal: AbortSignal.timeout(20),
  })
  expect(result.ending).toBe('cancelled')
}

describe('the cold runner', { timeout: 120_000 }, () => {
  it('tells a damaged document', () => expectDamageTold(cold, coldSandbox, 'broken-cold.docx'))
  it('is cancelled', () => expectCancelled(cold, coldSandbox))
})

describeAtLevels(
  'the warm runner at the level %s',
  (level) => {
    let sandbox: ClosableSandbox
    let warm: WarmRunner
    beforeAll(async () => {
      sandbox = await createSandbox(level, await findEngineUser())
      warm = createWarmRunner(partsOf(sandbox, { scratch: root }), { cold: refusingCold })
      expect(await warm.prepare()).toBeUndefined()
    }, 120_000)
    afterAll(async () => {
      await warm?.close()
      await sandbox?.close()
    })
    const warmly = (name: string, options: Parameters<typeof convert>[4] = {}) =>
      convert(warm.run, sandbox, root, sample(name), options)

    const givesSamePages = async (name: string) => {
      const expected = await coldly(name)
      const forked = await warmly(name)
      expect(forked.untrustedReport).toMatch(/^done(?: wide \d+)?\n$/)
      expect(forked.untrustedReport).toBe(expected.untrustedReport)
      const { ending, exitCode } = expected.result
      expect(forked.result).toMatchObject({ ending, exitCode, signal: null })
      const pages = await pagesOf(forked.outputPath)
      expect(pages.sizes.length).toBeGreaterThan(0)
      expect(pages.words).toMatch(/\w/)
      expect(pages).toEqual(await pagesOf(expected.outputPath))
      for (const page of pages.sizes.keys())
        expect(await pixelsOf(forked.outputPath, page + 1)).toEqual(
          await pixelsOf(expected.outputPath, page + 1),
        )
    }
    const title = 'gives the same pages of %s as the cold one'
    it.each(samples)(title, givesSamePages)
    it.runIf(level === 'bubblewrap').each(moreSamples)(title, { tags: 'slow' }, givesSamePages)

    // LibreOfficeKit leaves them to its client, so they were missing without a word.
    it('prints the controls of a form', async () => {
      const path = join(root, `form-${level}.odt`)
      await writeFile(path, await officeFile('form.odt'))
      const { outputPath } = await convert(warm.run, sandbox, root, path)
      expect((await pagesOf(outputPath)).words).toContain('Delivered on time')
    })

    it('tells a damaged document', () => expectDamageTold(warm.run, sandbox, `broken-${level}.docx`))

    it('is cancelled', () => expectCancelled(warm.run, sandbox))

    it('tells how far a document is', async () => {
      const seen: number[] = []
      await warmly('text.docx', { onProgress: (to) => seen.push(to) })
      expect(seen).toEqual([0.45, 0.55])
    })

    it('leaves nothing behind for the next document', async () => {
      // Twice the same in one server gives the same; the second child knows nothing of the first.
      const first = await warmly('slides.pptx')
      const second = await warmly('slides.pptx')
      expect(await pagesOf(second.outputPath)).toEqual(await pagesOf(first.outputPath))
    })
  },
  { timeout: 120_000 },
)
