import { execFile, spawn } from 'node:child_process'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { freePort } from '@kiln/test-support/free-port.ts'
import { endProcess } from '../child.ts'
import { atMost } from '../figures.ts'
import { median } from '../statistics.ts'
import type { Suite } from '../suite.ts'
import { coldSoffice } from './office/competitors.ts'
import { makeDocuments } from './office/documents.ts'

const repository = fileURLToPath(new URL('../../..', import.meta.url))

export const startsSuite: Suite = {
  name: 'starts',
  startsPrograms: true,
  title: 'From a command to its result',
  method:
    '`npm run convert` of a docx of 12 pages to PDF against a new `soffice --convert-to pdf`. Then a second `npm start`, until `/readyz` answers.',
  async run(environment, { short, say }) {
    const folder = await environment.createFolder('starts')
    const { docx } = await makeDocuments(join(folder, 'documents'))
    const cold = await coldSoffice(join(folder, 'cold'))
    const target = join(folder, 'converted.pdf')
    const times = { kiln: [] as number[], soffice: [] as number[], start: [] as number[] }
    const ways = {
      kiln: () =>
        promisify(execFile)('npm', ['run', '--silent', 'convert', '--', docx, target], { cwd: repository }),
      soffice: () => cold('docx', docx, target),
    }
    // The first round is a warm-up for both sides and does not count.
    for (let round = -1; round < (short ? 1 : 11); round++) {
      for (const way of ['kiln', 'soffice'] as const) {
        const started = performance.now()
        await ways[way]()
        if (round >= 0) times[way].push(performance.now() - started)
        await rm(target, { force: true })
      }
    }
    const [kiln, soffice] = [median(times.kiln), median(times.soffice)]
    say(`npm run convert: ${kiln.toFixed(0)} ms, soffice ${soffice.toFixed(0)} ms`)
    const data = await mkdtemp(join(tmpdir(), 'kiln-bench-start-'))
    try {
      // A service started as root runs as another user, who needs access.
      await chmod(data, 0o711)
      await timeStart(join(data, 'kiln'))
      for (let round = 0; round < (short ? 1 : 11); round++)
        times.start.push(await timeStart(join(data, 'kiln')))
    } finally {
      await rm(data, { recursive: true, force: true })
    }
    const start = median(times.start)
    say(`second npm start: ${start.toFixed(0)} ms`)
    return {
      figures: [
        {
          name: '`npm run convert` of a docx ÷ a new soffice',
          seen: kiln / soffice,
          unit: '×',
          target: atMost(1.2),
          detail: `${kiln.toFixed(0)} ms against ${soffice.toFixed(0)} ms`,
        },
        {
          name: 'second `npm start` until ready',
          seen: start,
          unit: 'ms',
          sensitive: true,
          target: atMost(2000),
          detail: `${times.start.length} starts, ${Math.min(...times.start).toFixed(0)}–${Math.max(...times.start).toFixed(0)} ms`,
        },
      ],
    }
  },
}

/** Milliseconds until the service is ready; it is then stopped. */
async function timeStart(dataDir: string): Promise<number> {
  const port = await freePort()
  const started = performance.now()
  const child = spawn('npm', ['start'], {
    cwd: repository,
    env: { ...process.env, KILN_DATA_DIR: dataDir, KILN_PORT: String(port), KILN_STOP_NOTICE_SECONDS: '0' },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const isReady = () =>
    fetch(`http://127.0.0.1:${port}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    )
  while (!(await isReady())) {
    if (child.exitCode !== null) throw new Error(`npm start ended with ${child.exitCode}.`)
    await sleep(10)
  }
  const time = performance.now() - started
  await endProcess(child, 'SIGTERM')
  return time
}
