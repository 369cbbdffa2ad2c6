import { execFile } from 'node:child_process'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { openTestConverter, type TestConverter } from '@kiln/test-support/test-converter.ts'
import { type Child, startChild } from '../child.ts'
import { atLeast, atMost, type Figure } from '../figures.ts'
import { totalOf } from '../processes.ts'
import { median } from '../statistics.ts'
import type { Suite } from '../suite.ts'
import { type Case, makeCases, makeVideo, type Video } from './overhead/cases.ts'

const run = promisify(execFile)

export const overheadSuite: Suite = {
  name: 'overhead',
  startsPrograms: true,
  title: 'Overhead over the bare engine',
  method:
    'The same file by the bare program and by Kiln with sandbox, checks and pre-warmed processes; ratios of median times.',
  async run(environment, { short, say }) {
    const folder = await environment.createFolder('overhead')
    const bench = await openTestConverter()
    const watcher = await startChild('tree-watcher.ts', {})
    try {
      const video = await makeVideo(folder, short ? 5 : 20)
      const cases = await makeCases(folder, video)
      await bench.converter.prepare()
      const rounds = short ? 2 : 11
      const seen: (Omit<Case, 'bare'> & Times)[] = []
      for (const each of cases) {
        const times = await inTurns(bench, watcher, folder, each, rounds)
        const { kiln, bare, cpu } = times
        say(
          `${each.name}: ${kiln.toFixed(0)} ms, bare ${bare.toFixed(0)} ms; CPU ${cpu.kiln.toFixed(0)} and ${cpu.bare.toFixed(0)} ms`,
        )
        seen.push({ ...each, ...times })
      }
      const figures = seen.map(({ name, maxRatio, kiln, bare, cpu }): Figure => {
        const detail = `${kiln.toFixed(0)} ms against ${bare.toFixed(0)} ms; CPU ${cpu.kiln.toFixed(0)} ms against ${cpu.bare.toFixed(0)} ms`
        return { name, seen: kiln / bare, unit: '×', target: atMost(maxRatio), detail }
      })
      return {
        figures: [
          ...figures,
          await copyingFigure(bench, folder, short ? video : await makeVideo(folder, 60, 'long')),
        ],
      }
    } finally {
      await watcher.stop()
      await bench.close()
    }
  },
}

interface Times {
  kiln: number
  bare: number
  cpu: { kiln: number; bare: number }
}

/** Medians in milliseconds. The first round is a warm-up for both sides and does not count. */
async function inTurns(
  bench: TestConverter,
  watcher: Child,
  folder: string,
  { name, source, from, to, bare }: Case,
  rounds: number,
): Promise<Times> {
  const times = { kiln: [] as number[], bare: [] as number[] }
  const content = await readFile(source)
  const runBare = async () => {
    const target = join(folder, `bare.${to}`)
    const [program, ...args] = bare(target)
    await run(program ?? '', args, { cwd: folder, maxBuffer: 64 * 1024 * 1024 }).catch((error: unknown) => {
      throw new Error(`${name}: the bare program fails: ${String(error)}`)
    })
    await rm(target)
  }
  for (let round = -1; round < rounds; round++) {
    await bench.converter.prepare()
    const started = performance.now()
    await bench.convert(content, from, to)
    const ended = performance.now()
    await bench.converter.prepare()
    const bareStarted = performance.now()
    await runBare()
    const bareEnded = performance.now()
    if (round < 0) continue
    times.kiln.push(ended - started)
    times.bare.push(bareEnded - bareStarted)
  }
  const cpu = { kiln: [] as number[], bare: [] as number[] }
  for (let round = 0; round < cpuRounds; round++) {
    cpu.kiln.push(
      await cpuMilliseconds(watcher, async () => {
        await bench.convert(content, from, to)
        await bench.converter.prepare()
      }),
    )
    cpu.bare.push(await cpuMilliseconds(watcher, runBare))
  }
  return {
    kiln: median(times.kiln),
    bare: median(times.bare),
    cpu: { kiln: median(cpu.kiln), bare: median(cpu.bare) },
  }
}

// Sampling takes time, so CPU time is measured in separate rounds.
const cpuRounds = 3

async function cpuMilliseconds(watcher: Child, work: () => Promise<void>): Promise<number> {
  await watcher.ask('begin')
  await work()
  return totalOf(await watcher.ask<Record<string, number>>('end'))
}

/** The same video once with streams that are copied, and once in a codec that has to be re-encoded. */
async function copyingFigure(bench: TestConverter, folder: string, video: Video): Promise<Figure> {
  const time = async (work: () => Promise<unknown>) => {
    const started = performance.now()
    await work()
    return performance.now() - started
  }
  const content = await readFile(video.h264)
  const copied: number[] = []
  for (let round = 0; round < 3; round++) copied.push(await time(() => bench.convert(content, 'mkv', 'mp4')))
  const encoded = await time(() =>
    run('ffmpeg', [...video.encode, '-i', video.h264, ...video.encoder, join(folder, 'again.mp4')]),
  )
  return {
    name: 'encoding a video of streams that fit ÷ Kiln, which copies them',
    seen: encoded / median(copied),
    unit: '×',
    target: atLeast(20),
    detail: `${encoded.toFixed(0)} ms against ${median(copied).toFixed(0)} ms, ${video.seconds} s of 1280 × 720`,
  }
}
