import { execFile } from 'node:child_process'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { openTestConverter, type TestConverter } from '@kiln/test-support/test-converter.ts'
import { atLeast, atMost, type Figure } from '../figures.ts'
import { barChart } from '../plots/bar-chart.ts'
import { median } from '../statistics.ts'
import type { Suite } from '../suite.ts'
import { type Case, type Film, makeCases, makeFilm } from './overhead/cases.ts'

const run = promisify(execFile)

// What a conversion may take: so many times what the bare program takes, and this besides.
const share = 1.1
const allowanceMs = 40

export const overheadSuite: Suite = {
  name: 'overhead',
  startsPrograms: true,
  title: 'Overhead over the bare engine',
  method: `The same file by the bare program, as a person would call it, and by Kiln: job folder, a look into the file, the box, the engine with its guards, and the check of what came out. The two take turns. Figures are Kiln's median time less ${allowanceMs} ms, as a multiple of the bare program's median. The office document goes to a warm LibreOffice, so it is faster than bare.`,
  async run(environment, { short, say }) {
    const folder = await environment.createFolder('overhead')
    const bench = await openTestConverter()
    try {
      const film = await makeFilm(folder, short ? 5 : 20)
      const cases = await makeCases(folder, film)
      await bench.converter.prepare()
      const rounds = short ? 2 : 7
      const seen: { name: string; kiln: number; bare: number }[] = []
      for (const each of cases) {
        const { kiln, bare } = await inTurns(bench, folder, each, rounds)
        say(`${each.name}: ${kiln.toFixed(0)} ms, bare ${bare.toFixed(0)} ms`)
        seen.push({ name: each.name, kiln, bare })
      }
      const figures = seen.map(({ name, kiln, bare }): Figure => {
        const detail = `${kiln.toFixed(0)} ms against ${bare.toFixed(0)} ms; ${(kiln / bare).toFixed(2)} × with the ${allowanceMs} ms`
        const ratio = Math.max(0, kiln - allowanceMs) / bare
        return { name, seen: ratio, unit: '×', target: atMost(share), detail }
      })
      return {
        figures: [
          ...figures,
          await copyingFigure(bench, folder, short ? film : await makeFilm(folder, 60, 'long')),
        ],
        notes: [],
        plots: [
          {
            file: 'overhead.svg',
            alt: 'Median time of a conversion by Kiln and by the bare program, for each kind of file',
            svg: barChart({
              title: 'Time of a conversion',
              axis: 'milliseconds',
              groups: seen.map(({ name }) => name),
              series: [
                { name: 'Kiln', values: seen.map(({ kiln }) => kiln) },
                { name: 'bare program', values: seen.map(({ bare }) => bare) },
              ],
            }),
          },
        ],
      }
    } finally {
      await bench.close()
    }
  },
}

/** Medians in milliseconds. The first round fills caches on both sides and does not count. */
async function inTurns(
  bench: TestConverter,
  folder: string,
  { name, source, from, to, bare }: Case,
  rounds: number,
) {
  const times = { kiln: [] as number[], bare: [] as number[] }
  const content = await readFile(source)
  for (let round = -1; round < rounds; round++) {
    const started = performance.now()
    await bench.convert(content, from, to)
    const between = performance.now()
    const target = join(folder, `bare.${to}`)
    const [program, ...args] = bare(target)
    await run(program ?? '', args, { cwd: folder, maxBuffer: 64 * 1024 * 1024 }).catch((error: unknown) => {
      throw new Error(`${name}: the bare program fails: ${String(error)}`)
    })
    const ended = performance.now()
    await rm(target)
    if (round < 0) continue
    times.kiln.push(between - started)
    times.bare.push(ended - between)
  }
  return { kiln: median(times.kiln), bare: median(times.bare) }
}

/** The same film once as it is, so that its streams are copied, and once in a codec that has to be encoded anew. */
async function copyingFigure(bench: TestConverter, folder: string, film: Film): Promise<Figure> {
  const time = async (work: () => Promise<unknown>) => {
    const started = performance.now()
    await work()
    return performance.now() - started
  }
  const content = await readFile(film.h264)
  const copied: number[] = []
  for (let round = 0; round < 3; round++) copied.push(await time(() => bench.convert(content, 'mkv', 'mp4')))
  const encoded = await time(() =>
    run('ffmpeg', [...film.encode, '-i', film.h264, ...film.encoder, join(folder, 'again.mp4')]),
  )
  return {
    name: 'encoding a film of streams that fit ÷ Kiln, which copies them',
    seen: encoded / median(copied),
    unit: '×',
    target: atLeast(20),
    detail: `${encoded.toFixed(0)} ms against ${median(copied).toFixed(0)} ms, ${film.seconds} s of 1280 × 720`,
  }
}
