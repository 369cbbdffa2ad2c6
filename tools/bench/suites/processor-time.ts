import { join } from 'node:path'
import { pairs } from '@kiln/converter/catalog'
import { openTestConverter, type TestConverter } from '@kiln/test-support/test-converter.ts'
import { type Child, startChild } from '../child.ts'
import type { Figure } from '../figures.ts'
import { barChart } from '../plots/bar-chart.ts'
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
  title: 'Processor time with boxes that wait, and without',
  method:
    'Every kind of conversion by two converters in turns: one that starts a program when its document is there (`KILN_WAITING_DOCUMENTS=0`, LibreOffice included), as before boxes waited, and one as it is set up without settings. Processor time is that of everything that was started for the conversion, with the look at the file, the check of the output, and the start of what waits for the next document. Figures are the ratio of the medians. docs/waiting-boxes.md has the comparison with the version before boxes waited.',
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
          name: `${each.name}: with boxes that wait ÷ without`,
          seen: each.waiting / each.plain,
          unit: '×',
          detail: describe(each),
        }),
      ),
      notes: [],
      plots: [
        {
          file: 'processor-time.svg',
          alt: 'Processor time of a conversion by kind, with boxes that wait and without',
          svg: barChart({
            title: 'Processor time of a conversion',
            axis: 'milliseconds',
            groups: costs.map(({ name }) => name),
            series: [
              { name: 'started with the document', values: costs.map(({ plain: each }) => each) },
              { name: 'waiting for it', values: costs.map(({ waiting: each }) => each) },
            ],
          }),
        },
      ],
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
