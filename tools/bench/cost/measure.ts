import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { openConverter } from '@kiln/converter'
import type { Pair } from '@kiln/converter/catalog'
import { startChild } from '../child.ts'
import type { Input } from '../suites/capacity/inputs.ts'

// Measures conversions with the converter of one checkout, in a separate process, and prints JSON.
// Usage: measure.ts CHECKOUT INPUTS-AS-JSON
//
// Another process reads the CPU time from /proc every few milliseconds, because bubblewrap does not pass the time of
// its program on to its parent. CPU time after the last reading is missed.

export interface Cost {
  name: string
  count: number
  /** Milliseconds per conversion. */
  wall: { all: number; convert: number; check: number }
  /** CPU milliseconds per conversion by process name; `service` is this process with its threads. */
  cpu: Record<string, number>
}

type Converters = { openConverter: typeof openConverter }

const [checkout = '', inputsText = '[]'] = process.argv.slice(2)
const source = (path: string) => pathToFileURL(join(checkout, 'packages/converter/src', path)).href
const { openConverter: open } = (await import(source('index.ts'))) as Converters
const { pairs } = (await import(source('catalog/pairs.ts'))) as { pairs: readonly Pair[] }

process.title = 'service'
const watcher = await startChild('tree-watcher.ts', {})
const folder = await mkdtemp(join(tmpdir(), 'kiln-cost-'))
const converter = await open({
  log: { info() {}, warn() {} },
  scratch: join(folder, 'work'),
  cache: join(folder, 'cache'),
})
try {
  await converter.prepare()
  const costs: Cost[] = []
  for (const input of JSON.parse(inputsText) as Input[]) costs.push(await measure(input))
  process.stdout.write(JSON.stringify(costs))
} finally {
  await converter.close()
  await watcher.stop()
  await rm(folder, { recursive: true })
}

async function measure({ name, pair: slug, path, count }: Input): Promise<Cost> {
  const pair = pairs.find((each) => each.slug === slug)
  if (!pair) throw new Error(`${checkout} has no pair ${slug}.`)
  const wall = { all: 0, convert: 0, check: 0 }
  const convert = async () => {
    const started = performance.now()
    await converter.convertFile({
      pair,
      input: path,
      output: join(folder, 'output'),
      async onStep(step, work) {
        const stepStarted = performance.now()
        const result = await work()
        wall[step] += performance.now() - stepStarted
        return result
      },
    })
    wall.all += performance.now() - started
    // Pre-warming the next process is part of the cost.
    await converter.prepare()
  }
  // Warm-up.
  await convert()
  Object.assign(wall, { all: 0, convert: 0, check: 0 })
  await watcher.ask('begin')
  for (let index = 0; index < count; index++) await convert()
  const used = await watcher.ask<Record<string, number>>('end')
  const each = (sum: number) => sum / count
  const cpu = Object.fromEntries(Object.entries(used).map(([program, time]) => [program, each(time)]))
  return {
    name,
    count,
    wall: { all: each(wall.all), convert: each(wall.convert), check: each(wall.check) },
    cpu,
  }
}
