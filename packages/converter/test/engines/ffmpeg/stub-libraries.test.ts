import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { probeLimits } from '../../../src/engines/ffmpeg/limits.ts'
import { stubsFit, withStubs } from '../../../src/engines/ffmpeg/stub-libraries.ts'
import { openSandbox } from '../../../src/sandbox/open-sandbox.ts'
import { describeAtLevels } from '../../describe-at-levels.ts'

// That no function of them is called, all conversions of this folder show: each would end its program.

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kiln-stub-libraries-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

describeAtLevels('in the sandbox: %s', (level) => {
  test('ffmpeg loads few libraries, and every decoder among them', async () => {
    const opened = await openSandbox({
      allowUnsandboxed: false,
      levels: [level],
      log: { info: () => {}, warn: () => {} },
    })
    const root = await opened.scratchRoot(join(folder, level))
    const [inFolder, outFolder] = [join(root, 'in'), join(root, 'out')]
    for (const each of [inFolder, outFolder]) await mkdir(each, { recursive: true })
    const loaded = async (more: typeof withStubs) => {
      const spec = { ...more, program: 'ldd', args: ['/usr/bin/ffmpeg'], inFolder, outFolder }
      const { untrustedStdout } = await opened.sandbox.run({ ...spec, limits: probeLimits })
      const lines = untrustedStdout.split('\n').filter((line) => line.includes(' => '))
      return lines.filter((line) => !/=> \S*stub-libraries\//.test(line))
    }
    expect(stubsFit()).toBe(true)
    const [all, few] = [await loaded({}), await loaded(withStubs)]
    await opened.close()
    await rm(root, { recursive: true, force: true })
    expect(all.length).toBeGreaterThan(100)
    expect(few.length).toBeLessThan(all.length / 2)
    for (const name of ['libavcodec', 'libavformat', 'libdav1d', 'libvpx', 'libx264', 'libopus', 'libzimg'])
      expect(few.join('\n')).toContain(name)
    for (const name of ['libx265', 'libaom', 'libxml2', 'libicudata'])
      expect(few.join('\n')).not.toContain(name)
  })
})

test('they serve only what they were made for', async () => {
  const [program, list] = [join(folder, 'program'), join(folder, 'made-for')]
  await writeFile(program, 'first')
  const { mtimeMs, size } = await stat(program)
  await writeFile(list, `${program} ${size} ${Math.floor(mtimeMs / 1000)}\n`)
  expect(stubsFit(list)).toBe(true)
  await writeFile(program, 'an update')
  expect(stubsFit(list)).toBe(false)
  await rm(program)
  expect(stubsFit(list)).toBe(false)
  expect(stubsFit(join(folder, 'never made'))).toBe(false)
})
