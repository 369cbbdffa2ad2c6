import { readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Ending, Work } from './worker.ts'

// `npm run damage -- FOLDER [COUNT] [FROM]`: damages the PDFs under FOLDER, COUNT times in all, and converts each. A
// file may be refused, but nothing may crash or take longer than its budget. The number of a file is its seed:
// COUNT 1 and FROM repeat one of them.

// In seconds of CPU, since the machine may be busy with other things; whatever waits for so much longer hangs.
const budgetSeconds = 60
const longestWait = 10 * budgetSeconds

const [folder, count = '2000', first = '0'] = process.argv.slice(2)
if (!folder) {
  console.error('npm run damage -- FOLDER [COUNT] [FROM]\n  FOLDER  has PDFs, at any depth')
  process.exit(1)
}
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.toLowerCase().endsWith('.pdf'))
  .sort()
  .map((name) => resolve(join(folder, name)))
const from = Number(first)
const to = from + Number(count)
const counts = new Map<string, number>()
const faults: string[] = []
let slowest = 0

/** Up to the end, or to a file that takes too long or ends the thread. Gives the next index. */
function runFrom(start: number): Promise<number> {
  return new Promise((done) => {
    const work: Work = { files, from: start, to }
    const worker = new Worker(new URL('./worker.ts', import.meta.url), {
      workerData: work,
      resourceLimits: { maxOldGenerationSizeMb: 2048 },
    })
    let next = start
    let timer: NodeJS.Timeout
    const stop = (fault: string): void => {
      clearInterval(timer)
      worker.removeAllListeners()
      faults.push(`${next} ${files[next % files.length]}: ${fault}`)
      void worker.terminate().then(() => done(next + 1))
    }
    const watch = (): void => {
      clearInterval(timer)
      const [before, start] = [process.cpuUsage(), performance.now()]
      timer = setInterval(() => {
        const { user, system } = process.cpuUsage(before)
        const seconds = (user + system) / 1e6
        slowest = Math.max(slowest, seconds)
        if (seconds > budgetSeconds) stop(`took longer than ${budgetSeconds} s of CPU`)
        else if (performance.now() - start > longestWait * 1000) stop(`did not end in ${longestWait} s`)
      }, 500)
    }
    watch()
    worker.on('message', ({ index, how, seconds }: Ending) => {
      next = index + 1
      slowest = Math.max(slowest, seconds)
      const key = how.startsWith('crash') ? 'crash' : how
      counts.set(key, (counts.get(key) ?? 0) + 1)
      if (key === 'crash') faults.push(`${index} ${files[index % files.length]}: ${how}`)
      watch()
    })
    worker.on('error', (error) => stop(`ended the thread: ${error.message}`))
    worker.on('exit', () => {
      clearInterval(timer)
      done(to)
    })
  })
}

for (let index = from; index < to; ) index = await runFrom(index)
for (const [how, times] of [...counts].sort((a, b) => b[1] - a[1])) console.log(`${times}\t${how}`)
console.log(
  `${files.length} files, ${to - from} damaged copies; the slowest took ${slowest.toFixed(1)} s of CPU`,
)
for (const fault of faults) console.error(fault)
process.exitCode = faults.length > 0 ? 1 : 0
