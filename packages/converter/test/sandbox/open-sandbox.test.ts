import { execFile, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { chmod, cp, mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { pairs as allPairs } from '../../src/catalog/index.ts'
import { openConverter } from '../../src/open-converter.ts'
import { openSandbox, type SandboxReport } from '../../src/sandbox/open-sandbox.ts'
import { describeAtLevels } from '../describe-at-levels.ts'
import { countProcesses, noneLeft } from './marked-processes.ts'

const quiet = () => {
  const warnings: string[] = []
  return { warnings, log: { info: () => {}, warn: (message: string) => warnings.push(message) } }
}

describe('opening', () => {
  it('takes the best level and shows what it checked', async () => {
    const opened = await openSandbox({ allowUnsandboxed: false, log: quiet().log })
    expect(opened.report.level).toBe('bubblewrap')
    expect(opened.report.checks.length).toBeGreaterThanOrEqual(10)
    expect(opened.report.checks.every(({ ok }) => ok)).toBe(true)
    await opened.close()
  })

  it('takes the next level where the best is not to be had', async () => {
    const opened = await openSandbox({ allowUnsandboxed: false, log: quiet().log, levels: ['landlock'] })
    expect(opened.report.level).toBe('landlock')
    expect(opened.report.checks.every(({ ok }) => ok)).toBe(true)
    await opened.close()
  })

  it('refuses without a level, unless a setting allows it, and then says so', async () => {
    const { warnings, log } = quiet()
    await expect(openSandbox({ allowUnsandboxed: false, log, levels: [] })).rejects.toThrow(
      'KILN_ALLOW_UNSANDBOXED=1',
    )
    const opened = await openSandbox({ allowUnsandboxed: true, log, levels: [] })
    expect(opened.sandbox.level).toBe('none')
    expect(warnings.join()).toContain('NONE')
    await opened.close()
  })

  // The documented container: every file of the service belongs to the user that engines run as.
  it.each(['bubblewrap', 'landlock'])('holds as an ordinary user: %s', async (level) => {
    const { user, checks } = await reportOfOrdinaryUser(level)
    expect(user).not.toMatch(/^(root|uid 0)\b/)
    expect(checks.filter(({ ok }) => !ok)).toEqual([])
    expect(checks.length).toBeGreaterThan(15)
  })

  it('leaves the order in which the kernel ends processes as it was for the service', async () => {
    const score = () => readFileSync('/proc/self/oom_score_adj', 'utf8')
    const before = score()
    const opened = await openSandbox({ allowUnsandboxed: false, log: quiet().log })
    expect(score()).toBe(before)
    await opened.close()
  })

  it('finds a place for job folders that engines can reach, and leaves none behind', async () => {
    const opened = await openSandbox({ allowUnsandboxed: false, log: quiet().log })
    const root = await mkdtemp(join(tmpdir(), 'kiln-place-'))
    const [closed, open] = [join(root, 'closed'), join(root, 'open')]
    await chmod(root, 0o755)
    await mkdir(closed, { mode: 0o700 })
    expect(await opened.scratchRoot(open)).toBe(open)
    const elsewhere = await opened.scratchRoot(join(closed, 'work'))
    if (process.getuid?.() === 0) expect(elsewhere.startsWith(closed)).toBe(false)
    await opened.close()
    if (!elsewhere.startsWith(closed)) expect(existsSync(elsewhere)).toBe(false)
    await rm(root, { recursive: true })
  })
})

describe('a scratch folder with a long path', () => {
  it.each(['bubblewrap', 'landlock'] as const)('%s prints pages all the same', async (level) => {
    const root = await mkdtemp(join(tmpdir(), 'kiln-long-'))
    await chmod(root, 0o755)
    const scratch = join(root, 'home/somebody/.local/share/kiln/work')
    await writeFile(join(root, 'page.html'), '<h1>Printed</h1>')
    const pairs = allPairs.filter(({ slug }) => slug === 'html-to-pdf')
    const options = { log: quiet().log, scratch, cache: join(root, 'cache'), levels: [level], pairs }
    const converter = await openConverter(options)
    try {
      const [pair] = pairs
      if (!pair) throw new Error('no such pair')
      const request = { pair, input: join(root, 'page.html'), output: join(root, 'page.pdf') }
      expect((await converter.convertFile(request)).bytes).toBeGreaterThan(1000)
      expect((await stat(request.output)).uid).toBe(process.getuid?.())
    } finally {
      await converter.close()
      await rm(root, { recursive: true })
    }
  })
})

/** Opens a level in a separate process that is not root, with copies of the files that it has to read. */
async function reportOfOrdinaryUser(level: string): Promise<SandboxReport> {
  const folder = await mkdtemp('/var/tmp/kiln-ordinary-')
  const house = fileURLToPath(new URL('../..', import.meta.url))
  try {
    const sources = [
      'sandbox',
      'remove-tree.ts',
      'usable-memory.ts',
      'log.ts',
      'artifact.ts',
      'native-helpers.ts',
    ].map((name) => `src/${name}`)
    for (const part of ['package.json', 'native/build', ...sources])
      await cp(join(house, part), join(folder, part), { recursive: true, dereference: true })
    await cp(process.execPath, join(folder, 'node'))
    await chmod(folder, 0o755)
    const script = `const { openSandbox } = await import('${folder}/src/sandbox/open-sandbox.ts')
      const log = { info() {}, warn() {} }
      const opened = await openSandbox({ allowUnsandboxed: true, log, levels: ['${level}'] })
      console.log(JSON.stringify(opened.report))
      await opened.close()`
    const identity = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {}
    const { stdout } = await promisify(execFile)(
      join(folder, 'node'),
      ['--input-type=module', '-e', script],
      {
        ...identity,
        env: { PATH: '/usr/bin:/bin' },
        cwd: '/',
      },
    )
    return JSON.parse(stdout) as SandboxReport
  } finally {
    await rm(folder, { recursive: true })
  }
}

describeAtLevels('%s', (level) => {
  it('leaves nothing when the service is killed', async () => {
    const mark = `mark-${randomUUID()}`
    const script = fileURLToPath(new URL('keep-sandbox.ts', import.meta.url))
    const service = spawn(process.execPath, [script, level, mark], { stdio: ['ignore', 'pipe', 'inherit'] })
    const lines: string[] = []
    for await (const line of createInterface(service.stdout)) {
      lines.push(line)
      if (lines.filter((said) => said === 'up').length === 4) break
    }
    expect(await countProcesses(mark)).toBeGreaterThanOrEqual(5)
    service.kill('SIGKILL')
    await noneLeft(mark)
    await rm(lines[0] ?? '', { recursive: true, force: true })
  })
})
