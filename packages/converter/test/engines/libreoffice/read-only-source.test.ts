import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { officeFile } from '@kiln/test-support/test-converter.ts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { prepareSource } from '../../../src/engines/libreoffice/prepare-source.ts'

// Uploads are read-only. Root writes to them all the same, so the mode is looked at and not whether writing works.

let job: string
beforeEach(async () => {
  job = await mkdtemp(join(tmpdir(), 'kiln-source-'))
  for (const name of ['in', 'out']) await mkdir(join(job, name))
})
afterEach(() => rm(job, { recursive: true }))

test('a copy that is made to be changed can be written to, by whichever user engines run as', async () => {
  const sources = { doc: await officeFile('dated.doc'), csv: Buffer.from('a;b\n1;2\n') } as const
  for (const [from, bytes] of Object.entries(sources)) {
    const inputName = `input.${from}`
    await writeFile(join(job, 'in', inputName), bytes, { mode: 0o444 })
    const run = {
      from: from as 'doc' | 'csv',
      inFolder: join(job, 'in'),
      outFolder: join(job, 'out'),
      inputName,
      to: 'pdf' as const,
      hasPassword: false,
    }
    const { source } = await prepareSource(run)
    expect(source).toBe(`/out/source.${from}`)
    expect((await stat(join(job, 'out', `source.${from}`))).mode & 0o222).toBe(0o222)
  }
})
