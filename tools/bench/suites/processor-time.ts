import { join } from 'node:path'
import { pairs } from '@kiln/converter/catalog'
import { openTestConverter, type TestConverter } from '@kiln/test-support/test-converter.ts'
import { type Child, startChild } from '../child.ts'
import type { Figure } from '../figures.ts'
import { median } from '../statistics.ts'
import type { Suite } from '../suite.ts'
import { type Input, makeInputs } from './capacity/inputs.ts'

// What waiting spares the processor: the same conversions with programs that are started ahead, and with programs that
// start when their document is there.

interface Cost {
  name: string
  plain: number
  waiting: number
}

export const processorTimeSuite: Suite = {
  name: 'processor-time',
  startsPrograms: true,
  title: 'CPU time with pre-warmed processes, and without',
  method:
    'Each kind of conversion with pre-warmed processes and without (`KILN_WAITING_DOCUMENTS=0`), in turns. CPU time of everything that was started for the conversion, including the process for the next document. Ratios of medians.',
  async run(environment, { short, say }) {
    const folder = await environment.createFolder('processor-time')
    const inputs = await makeInputs(join(folder, 'documents'))
    const plain = await openTestConverter({ waiting: 0 })
    const waiting = await openTestConverter()
    const watcher = await startChild('tree-watcher.ts', {})
    const costs: Cost[] = []
    try {
      await waiting.converter.prepare()
      for (const input of inputs) {
        const times = { plain: [] as number[], waiting: [] as number[] }
        // The first round fills caches on both sides and does not count.
        for (let round = -1; round < (short ? 1 : 5); round++) {
          const seen = {
            plain: await cost(watcher, plain, input),
            waiting: await cost(watcher, waiting, input),
          }
          if (round < 0) continue
          times.plain.push(seen.plain)
          times.waiting.push(seen.waiting)
        }
        const each = { name: input.name, plain: median(times.plain), waiting: median(times.waiting) }
        costs.push(each)
        say(`${each.name}: ${describe(each)}`)
      }
    } finally {
      await plain.close()
      await waiting.close()
      await watcher.stop()
    }
    return {
      figures: costs.map(
        (each): Figure => ({
          name: `${each.name}: with ÷ without`,
          seen: each.waiting / each.plain,
          unit: '×',
          detail: describe(each),
        }),
      ),
    }
  },
}

const describe = ({ plain, waiting }: Cost) => `${waiting.toFixed(0)} ms against ${plain.toFixed(0)} ms`

/** In milliseconds. */
async function cost(
  watcher: Child,
  { convert, converter }: TestConverter,
  { pair, path }: Input,
): Promise<number> {
  const found = pairs.find(({ slug }) => slug === pair)
  if (!found) throw new Error(`There is no pair ${pair}.`)
  await watcher.ask('begin')
  await convert({ path }, found.from, found.to)
  await converter.prepare()
  return watcher.ask<number>('end')
}
