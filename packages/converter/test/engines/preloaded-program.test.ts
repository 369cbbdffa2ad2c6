import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { probeLimits } from '../../src/engines/ffmpeg/limits.ts'
import {
  canPreload,
  ifPreloadWorks,
  openPreloaded,
  preloadedProgram,
} from '../../src/engines/preloaded-program.ts'
import { type OpenSandbox, openSandbox } from '../../src/sandbox/open-sandbox.ts'
import { describeAtLevels } from '../describe-at-levels.ts'
import { noneLeft } from '../sandbox/marked-processes.ts'
import { withChange } from './ffmpeg/support.ts'

// Pre-warmed programs in real sandboxes.

const limits = { ...probeLimits, wallSeconds: 20 }

describeAtLevels('in the sandbox: %s', (level) => {
  let opened: OpenSandbox
  let preferred: string
  let root: string
  let folders: { inFolder: string; outFolder: string }
  beforeAll(async () => {
    const log = { info: () => {}, warn: () => {} }
    opened = await openSandbox({ allowUnsandboxed: false, log, levels: [level] })
    preferred = await mkdtemp(join(tmpdir(), 'kiln-held-test-'))
    root = await opened.scratchRoot(preferred)
  })
  beforeEach(async () => {
    const job = await mkdtemp(join(root, 'job-'))
    folders = { inFolder: join(job, 'in'), outFolder: join(job, 'out') }
    for (const folder of Object.values(folders)) await mkdir(folder)
  })
  afterAll(async () => {
    await opened.close()
    for (const folder of [root, preferred]) await rm(folder, { recursive: true, force: true })
  })

  it('holds programs here', async () => {
    expect(await canPreload(opened.sandbox)).toBe(true)
  })

  it('runs with the arguments and variables that came later, on a file that came later', async () => {
    const prewarmed = await opened.sandbox.open(preloadedProgram('sh', { limits }), folders)
    await prewarmed.ready
    expect(prewarmed.isWaiting()).toBe(true)
    await writeFile(join(folders.inFolder, 'input'), 'the document', { mode: 0o600 })
    const script =
      'cat "$0" > /out/copy 2>/dev/null || cat "$0" > copy; echo "$SAID"; read line; echo "[$line]"'
    const environment = { SAID: 'told late' }
    const result = await prewarmed.give({ args: ['-c', script, '/in/input'], environment })
    expect([result.ending, result.exitCode, result.untrustedStderr]).toEqual(['exited', 0, ''])
    // The fields from stdin have been consumed.
    expect(result.untrustedStdout).toBe('told late\n[]\n')
    expect(await readdir(folders.outFolder)).toEqual(['copy'])
    expect(prewarmed.isWaiting()).toBe(false)
    await expect(prewarmed.give({ args: [] })).rejects.toThrow('has had its document')
  })

  it('gets its arguments also when it is not ready yet', async () => {
    const prewarmed = await opened.sandbox.open(preloadedProgram('ffmpeg', { limits }), folders)
    const picture = ['-v', 'error', '-f', 'lavfi', '-i', 'testsrc=size=32x32:d=1']
    const result = await prewarmed.give({ args: [...picture, '/out/made.mkv'] })
    expect([result.ending, result.exitCode, result.untrustedStderr]).toEqual(['exited', 0, ''])
    expect(await readdir(folders.outFolder)).toEqual(['made.mkv'])
  })

  it('leaves nothing of a program that is not needed', async () => {
    const mark = `held-${folders.inFolder.slice(-10, -3)}`
    const prewarmed = await opened.sandbox.open(
      { ...preloadedProgram('sh', { limits }), args: ['-c', 'sleep 60', mark] },
      folders,
    )
    await prewarmed.ready
    const started = performance.now()
    await prewarmed.end()
    expect(performance.now() - started).toBeLessThan(2000)
    expect(prewarmed.isWaiting()).toBe(false)
    await noneLeft(mark)
  })

  it('says so when the program ends instead of waiting', async () => {
    const prewarmed = await opened.sandbox.open(
      { program: '/bin/sh', args: ['-c', 'echo why >&2'], limits },
      folders,
    )
    await expect(prewarmed.ready).rejects.toThrow('The program ended before it was ready: why')
    expect(prewarmed.isWaiting()).toBe(false)
  })

  it('takes no processor time while it is stopped on its way', async () => {
    const begin = "open my $f, '>', '/out/begun' or open $f, '>', 'begun';"
    const script = `${begin} my $n = 0; $n++ while $n < 10_000_000; $| = 1; print "ready\\n"; <STDIN>`
    const prewarmed = await opened.sandbox.open({ program: 'perl', args: ['-e', script], limits }, folders)
    let isReady = false
    const ready = prewarmed.ready.then(() => {
      isReady = true
    })
    await expect.poll(() => readdir(folders.outFolder), { timeout: 20_000, interval: 5 }).toEqual(['begun'])
    prewarmed.pause(true)
    await new Promise((resolve) => setTimeout(resolve, 3000))
    expect(isReady).toBe(false)
    prewarmed.pause(false)
    await ready
    await prewarmed.end()
  })

  it('counts the time of its document from when that comes', { tags: 'slow' }, async () => {
    const use = (seconds: number) => `my ($b) = times; 1 while (times)[0] < $b + ${seconds};`
    const script = `${use(1.5)} sleep 6; $| = 1; print "ready\\n"; my @all = <STDIN>; ${use(0.2)}`
    const prewarmed = await opened.sandbox.open({ program: 'perl', args: ['-e', script], limits }, folders)
    await prewarmed.ready
    const result = await prewarmed.give({ args: [], limits: { wallSeconds: 5, cpuSeconds: 1 } })
    expect([result.ending, result.exitCode]).toEqual(['exited', 0])
  })

  it('starts the ordinary way where a program cannot be held', async () => {
    const sandbox = withChange(opened.sandbox, (prewarmed) => prewarmed)
    expect(await canPreload(sandbox)).toBe(false)
    const program = preloadedProgram('ffprobe', { limits: probeLimits })
    expect(await ifPreloadWorks(sandbox, [program])).toEqual([])
    const { signal } = new AbortController()
    const run = { ...folders, sandbox, signal, open: () => Promise.reject(new Error('opened')) }
    const prewarmed = await openPreloaded(sandbox, run, program)
    expect((await prewarmed.give({ args: ['-version'] })).untrustedStdout).toMatch(/^ffprobe version/)
  })
})
