import { chmod, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { FormatName } from '../../../src/catalog/pairs.ts'
import { createColdRunner, type OfficeRunner } from '../../../src/engines/libreoffice/cold-soffice.ts'
import { createWarmRunner, type WarmRunner } from '../../../src/engines/libreoffice/warm-runner.ts'
import { type ClosableSandbox, createSandbox } from '../../../src/sandbox/create-sandbox.ts'
import { findEngineUser } from '../../../src/sandbox/engine-user.ts'
import { convert, pagesOf, partsOf, pixelsOf, sample } from './documents.ts'

// One suite for whoever runs plans. The warm runner must give the pages that the cold one gives.

const samples = {
  bubblewrap: [
    ...['text.docx', 'text.doc', 'text.odt', 'text.rtf', 'text.txt'],
    ...['sheet.xlsx', 'sheet.xls', 'sheet.ods', 'sheet.csv'],
    ...['slides.pptx', 'slides.odp', 'drawing.odg'],
  ],
  // The same programs in another box: one of each kind is enough.
  landlock: ['text.docx', 'sheet.xlsx', 'slides.pptx', 'drawing.odg'],
}
const levels = ['bubblewrap', 'landlock'] as const
const ways = ['cold', 'warm'] as const
const refusingCold: OfficeRunner = () =>
  Promise.reject(new Error('The warm runner fell back to the cold one.'))

let root: string
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'kiln-runners-'))
  await chmod(root, 0o711)
})
afterAll(() => rm(root, { recursive: true, force: true }))

describe.each(levels)('runners of office documents at the level %s', { timeout: 120_000 }, (level) => {
  let sandbox: ClosableSandbox
  let coldSandbox: ClosableSandbox
  let warm: WarmRunner
  const runners: Record<'cold' | 'warm', OfficeRunner> = {
    // Always at the first level: at the second, boxes of one user share its limit of processes.
    cold: (plan, job) =>
      createColdRunner(partsOf(coldSandbox, { scratch: root }))(plan, { ...job, sandbox: coldSandbox }),
    warm: (plan, job) => warm.run(plan, job),
  }
  beforeAll(async () => {
    const user = await findEngineUser()
    sandbox = await createSandbox(level, user)
    coldSandbox = await createSandbox('bubblewrap', user)
    warm = createWarmRunner(partsOf(sandbox, { scratch: root }), { cold: refusingCold })
    expect(await warm.prepare()).toBeUndefined()
  }, 120_000)
  afterAll(async () => {
    await warm?.close()
    await sandbox?.close()
    await coldSandbox?.close()
  })

  it.each(samples[level])('give the same pages of %s', async (name) => {
    const cold = await convert(runners.cold, sandbox, root, sample(name))
    const forked = await convert(runners.warm, sandbox, root, sample(name))
    expect(forked.untrustedReport).toBe('done\n')
    expect(forked.untrustedReport).toBe(cold.untrustedReport)
    expect(forked.box).toMatchObject({ ending: cold.box.ending, exitCode: cold.box.exitCode, signal: null })
    const pages = await pagesOf(forked.outputPath)
    expect(pages.sizes.length).toBeGreaterThan(0)
    expect(pages.words).toMatch(/\w/)
    expect(pages).toEqual(await pagesOf(cold.outputPath))
    for (const page of pages.sizes.keys())
      expect(await pixelsOf(forked.outputPath, page + 1)).toEqual(await pixelsOf(cold.outputPath, page + 1))
  })

  it.each(ways)('%s: tells a damaged document', async (way) => {
    const broken = join(root, `broken-${way}.docx`)
    await writeFile(broken, Buffer.concat([Buffer.from('PK\x03\x04'), Buffer.alloc(4_000, 7)]))
    const { untrustedReport, outputPath } = await convert(runners[way], sandbox, root, broken)
    expect(untrustedReport).toMatch(/^failed load/)
    await expect(stat(outputPath)).rejects.toThrow('ENOENT')
  })

  it.each(ways)('%s: is cancelled', async (way) => {
    const { box } = await convert(runners[way], sandbox, root, sample('text.docx'), {
      from: 'docx' satisfies FormatName,
      signal: AbortSignal.timeout(20),
    })
    expect(box.ending).toBe('cancelled')
  })

  it('warm: tells how far a document is', async () => {
    const seen: number[] = []
    await convert(runners.warm, sandbox, root, sample('text.docx'), { onProgress: (to) => seen.push(to) })
    expect(seen).toEqual([0.45, 0.55])
  })

  it('warm: leaves nothing behind for the next document', async () => {
    // Twice the same in one server gives the same; the second child knows nothing of the first.
    const first = await convert(runners.warm, sandbox, root, sample('slides.pptx'))
    const second = await convert(runners.warm, sandbox, root, sample('slides.pptx'))
    expect(await pagesOf(second.outputPath)).toEqual(await pagesOf(first.outputPath))
  })
})
