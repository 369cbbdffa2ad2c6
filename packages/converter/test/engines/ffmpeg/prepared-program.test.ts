import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { probeLimits } from '../../../src/engines/ffmpeg/limits.ts'
import {
  canHold,
  type Folders,
  holdProgram,
  startLater,
} from '../../../src/engines/ffmpeg/prepared-program.ts'
import { type OpenSandbox, openSandbox } from '../../../src/sandbox/open-sandbox.ts'
import { withChange } from './support.ts'

// Programs that are loaded before their arguments are known, in the real boxes.

describe.each(['bubblewrap', 'landlock'] as const)('in the box: %s', (level) => {
  let opened: OpenSandbox
  let preferred: string
  let root: string
  beforeAll(async () => {
    const log = { info: () => {}, warn: () => {} }
    opened = await openSandbox({ allowUnsandboxed: false, log, levels: [level] })
    preferred = await mkdtemp(join(tmpdir(), 'kiln-held-test-'))
    root = await opened.scratchRoot(preferred)
  })
  afterAll(async () => {
    await opened.close()
    for (const folder of [root, preferred]) await rm(folder, { recursive: true, force: true })
  })

  const makeFolders = async (): Promise<Folders> => {
    const job = await mkdtemp(join(root, 'job-'))
    const [inFolder, outFolder] = [join(job, 'in'), join(job, 'out')]
    await mkdir(inFolder)
    await mkdir(outFolder)
    return { sandbox: opened.sandbox, inFolder, outFolder, signal: new AbortController().signal }
  }

  it('holds programs here', async () => {
    expect(await canHold(opened.sandbox)).toBe(true)
  })

  it('runs with the arguments that came later, in the place of the paths', async () => {
    const folders = await makeFolders()
    const limits = { ...probeLimits, wallSeconds: 20 }
    const program = holdProgram(folders, { program: 'ffmpeg', paths: ['/out/made.mkv'], limits })
    const picture = ['-v', 'error', '-f', 'lavfi', '-i', 'testsrc=size=32x32:d=1']
    const result = await program.start([...picture, '/out/made.mkv'])
    await program.abandon()
    expect([result.ending, result.exitCode, result.untrustedStderr]).toEqual(['exited', 0, ''])
    expect(await readdir(folders.outFolder)).toEqual(['made.mkv'])
    expect(await readdir(folders.inFolder)).toEqual([])
  })

  it('ends a program that is not needed', async () => {
    const folders = await makeFolders()
    const limits = { ...probeLimits, wallSeconds: 20 }
    const program = holdProgram(folders, { program: 'ffmpeg', paths: [], limits })
    const started = performance.now()
    await program.abandon()
    expect(performance.now() - started).toBeLessThan(5000)
  })

  it('starts the ordinary way where a program cannot be held', async () => {
    const folders = await makeFolders()
    const sandbox = withChange(opened.sandbox, (box) => box)
    expect(await canHold(sandbox)).toBe(false)
    const program = startLater(
      { ...folders, sandbox },
      { program: 'ffprobe', paths: [], limits: probeLimits },
    )
    expect((await program.start(['-version'])).untrustedStdout).toMatch(/^ffprobe version/)
  })
})
