import { execFile } from 'node:child_process'
import { link, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openOutput } from '../../src/checks/index.ts'

async function outFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'kiln-output-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return folder
}

describe('outputs are opened with care', () => {
  test('a regular file', async () => {
    const out = await outFolder()
    await writeFile(join(out, 'a.pdf'), 'x')
    const opened = await openOutput(out, 'a.pdf')
    await opened.handle.close()
    expect(opened.size).toBe(1)
  })

  test.each<[string, (out: string) => Promise<unknown>]>([
    ['nothing there', async () => {}],
    ['an empty file', (out) => writeFile(join(out, 'a.pdf'), '')],
    ['a link to a file of the host', (out) => symlink('/etc/hostname', join(out, 'a.pdf'))],
    ['a link that leads nowhere', (out) => symlink('/nowhere', join(out, 'a.pdf'))],
    ['a folder', (out) => mkdir(join(out, 'a.pdf'))],
    ['a pipe, which would block', (out) => promisify(execFile)('mkfifo', [join(out, 'a.pdf')])],
    [
      'a second name of another file',
      async (out) => {
        await writeFile(join(out, 'other'), 'x')
        await link(join(out, 'other'), join(out, 'a.pdf'))
      },
    ],
  ])('not %s', async (_, make) => {
    const out = await outFolder()
    await make(out)
    await expect(openOutput(out, 'a.pdf')).rejects.toMatchObject({ word: 'internal' })
  })

  test.each(['../a.pdf', '/etc/hostname', 'b/a.pdf', '..', '.'])('not the name %s', async (name) => {
    const out = await outFolder()
    await expect(openOutput(out, name)).rejects.toMatchObject({ word: 'internal' })
  })
})
