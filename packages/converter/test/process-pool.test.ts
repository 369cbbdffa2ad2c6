import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { openTestConverter, pairOf, type TestConverter } from '@kiln/test-support/test-converter.ts'
import { afterEach, expect, it, vi } from 'vitest'
import type { EngineMaker } from '../src/engines/engine.ts'
import type { PrewarmedProgram } from '../src/sandbox/prewarmed-process.ts'
import { describeAtLevels } from './describe-at-levels.ts'
import { countProcesses, noneLeft } from './sandbox/marked-processes.ts'

// Pre-warmed sandboxes, as conversions use them. The engine is a small test program that behaves like an engine that a
// document has compromised.

vi.setConfig({ testTimeout: 60_000 })

const megabyte = 1024 * 1024
const limits = {
  wallSeconds: 20,
  cpuSeconds: 20,
  memoryBytes: 512 * megabyte,
  processes: 40,
  fileBytes: megabyte,
  diskBytes: 8 * megabyte,
  logBytes: 64 * 1024,
}

// Gets ready, then runs its document, which is a script.
const script = `$| = 1; print "ready\\n"; local $/; my @f = split /\\0/, <STDIN>; exit 0 unless @f;
open my $d, "<", $f[1] or die; exec "/bin/sh", "-c", <$d>, "document", $f[2]`
const mark = `waiting-${process.pid}`
const program: PrewarmedProgram = { program: 'perl', args: ['-e', script, mark], limits }

const engine: EngineMaker = () => ({
  name: 'pandoc',
  budget: { seconds: 20, secondsPerMegabyte: 0 },
  prewarmedPrograms: async () => [program],
  async convert(run) {
    const prewarmed = await run.open(program)
    const result = await prewarmed.give({ args: [`/in/${run.inputName}`, '/out/output.txt'] })
    if (result.exitCode !== 0) throw new Error(`${result.ending} ${result.untrustedStderr}`)
    return 'output.txt'
  },
  version: async () => '1',
})

const pairs = [{ ...pairOf('md', 'html'), engine: 'pandoc' as const }]
let kiln: TestConverter | undefined
const open = async (options: Parameters<typeof openTestConverter>[0] = {}) => {
  kiln = await openTestConverter({ pairs, engines: [engine], ...options })
  return kiln
}
afterEach(async () => {
  await kiln?.close()
  await noneLeft(mark)
})
const run = async (document: string) => readFile((await kiln?.convert(document, 'md', 'html')) ?? '', 'utf8')
const states = () => kiln?.converter.waiting()

describeAtLevels('at level %s', (level) => {
  it('nothing of one document reaches the next', async () => {
    await open({ levels: [level], waiting: 2 })
    await kiln?.converter.prepare()
    expect(states()).toMatchObject([{ ready: 2, wanted: 2 }])
    // It leaves files wherever it can, a variable, and a process that goes on.
    const hostile = `
      for place in /in /out /tmp "$TMPDIR" "$HOME" . .. /dev/shm /var/tmp /run; do
        echo SECRET > "$place/SECRET" 2>/dev/null; mkdir -p "$place/SECRETS" 2>/dev/null
      done
      export LEFT=SECRET; (trap '' TERM HUP; while :; do echo SECRET > "$TMPDIR/again"; sleep 0.1; done) > /dev/null 2>&1 &
      echo "<p>every place" > "$1"; echo SECRET`
    // Searches everywhere it has access to, and reports what else it finds in its folders.
    const curious = `
      { grep -rl SECRET "$TMPDIR" . 2>/dev/null; ls /tmp /dev/shm /var/tmp 2>/dev/null | grep SECRET; env | grep SECRET
        ls -A .; ls -A "$TMPDIR"; echo end; } > "$1"`
    const clean = await run(curious)
    expect(clean).toContain('end')
    for (let round = 0; round < 3; round++) {
      await run(hostile)
      await kiln?.converter.prepare()
      expect(await run(curious)).toBe(clean)
    }
    const [{ taken, missed } = { taken: 0, missed: 0 }] = states() ?? []
    expect([taken, missed]).toEqual([7, 0])
  })

  it('takes a document when none waits, with the same result', async () => {
    await open({ levels: [level], waiting: 0 })
    expect(await run('echo same > "$1"')).toBe('same\n')
    expect(states()).toEqual([])
    expect(await countProcesses(mark)).toBe(0)
  })
})

it('processes wait again after a document, and are gone when the converter closes', async () => {
  await open()
  expect(await countProcesses(mark)).toBe(0)
  await run('echo first > "$1"')
  await vi.waitFor(() => expect(states()).toMatchObject([{ ready: 1, missed: 1 }]), 20_000)
  expect(await run('echo second > "$1"')).toBe('second\n')
  expect(states()).toMatchObject([{ taken: 1, missed: 1 }])
  await kiln?.close()
  kiln = undefined
  await noneLeft(mark)
})

it('a process that was ended while it waited is replaced', async () => {
  await open()
  await kiln?.converter.prepare()
  const { readdir, readFile: read } = await import('node:fs/promises')
  for (const name of (await readdir('/proc')).filter((each) => /^\d+$/.test(each))) {
    const command = await read(`/proc/${name}/cmdline`, 'utf8').catch(() => '')
    if (command.startsWith('/usr/bin/perl') && command.includes(mark)) process.kill(Number(name), 'SIGKILL')
  }
  await vi.waitFor(() => expect(states()).toMatchObject([{ ready: 0 }]), 10_000)
  expect(await run('echo all the same > "$1"')).toBe('all the same\n')
  expect(states()).toMatchObject([{ taken: 0, missed: 1 }])
})

it('what cannot get ready is reported once, and documents are converted all the same', async () => {
  const warnings: string[] = []
  const broken: EngineMaker = (parts) => {
    const works = engine(parts)
    const fails = { ...program, args: ['-e', 'die "no way"', mark] }
    return { ...works, prewarmedPrograms: async () => [fails] }
  }
  await open({ engines: [broken], log: { info: () => {}, warn: (text) => warnings.push(text) } })
  await kiln?.converter.prepare()
  await run('echo x > "$1"')
  await sleep(300)
  expect(warnings).toHaveLength(1)
  expect(warnings[0]).toMatch(/^No process of pandoc can wait .* no way/)
})
