import { mkdir, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSandbox } from '../../src/sandbox/open-sandbox.ts'

// A minimal service: opens a level, runs a program that never ends, and reports when it is running.
const [level, mark] = process.argv.slice(2)
if ((level !== 'bubblewrap' && level !== 'landlock') || mark === undefined) throw new Error('level and mark')
const job = await mkdtemp(join(tmpdir(), 'kiln-hold-'))
await mkdir(join(job, 'in'))
await mkdir(join(job, 'out'))
const silent = { info: () => {}, warn: () => {} }
const { sandbox } = await openSandbox({ allowUnsandboxed: false, log: silent, levels: [level] })
process.stdout.write(`${job}\n`)
await sandbox.run({
  program: 'perl',
  args: ['-e', '$| = 1; fork; fork; print "up\\n"; $SIG{TERM} = "IGNORE"; sleep 60', mark],
  inFolder: join(job, 'in'),
  outFolder: join(job, 'out'),
  onStdoutLine: (line) => process.stdout.write(`${line}\n`),
  limits: {
    wallSeconds: 60,
    cpuSeconds: 60,
    memoryBytes: 256 * 1024 * 1024,
    processes: 20,
    fileBytes: 1024,
    diskBytes: 1024 * 1024,
    logBytes: 1024,
  },
})
