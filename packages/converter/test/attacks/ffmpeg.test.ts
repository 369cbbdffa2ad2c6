import { execFile } from 'node:child_process'
import { copyFile, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { pairOf } from '@kiln/test-support/test-converter.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createFfmpegEngine } from '../../src/engines/ffmpeg/engine.ts'
import { defaultMediaLimits, runLimits } from '../../src/engines/ffmpeg/limits.ts'
import { untrustedInput } from '../../src/engines/ffmpeg/options.ts'
import { ownFonts } from '../../src/engines/fonts.ts'
import { ConversionFailed } from '../../src/failure.ts'
import { type OpenSandbox, openSandbox } from '../../src/sandbox/open-sandbox.ts'
import { createWorkerPool } from '../../src/threads/worker-pool.ts'
import { describeAtLevels } from '../describe-at-levels.ts'
import { firstPixel, startsSoon } from '../engines/ffmpeg/support.ts'
import { type FfmpegRow, ffmpegRows } from './ffmpeg-rows.ts'
import { openWorld, type World } from './world.ts'

// Runs every attack with stock ffmpeg first: it must behave as the row states, otherwise the test proves nothing. Then
// with each of the two defences alone (our options without a sandbox, and the sandbox without our options), and through
// the engine, which has both, in pre-warmed sandboxes. No attack may succeed there.

const run = promisify(execFile)
let world: World

/** Films with ffmpeg's own test pictures, in the folder of secrets because every user may read that. */
const film = async (name: string, ...args: string[]) => {
  const path = join(world.secrets, name)
  await run('ffmpeg', ['-nostdin', '-v', 'error', '-y', ...args, path], startsSoon)
  return path
}

beforeAll(async () => {
  world = await openWorld()
  await film('secret.ts', '-f', 'lavfi', '-i', 'color=magenta:size=160x120:d=1:r=10', '-c:v', 'libx264')
})
afterAll(() => world.close())

async function prepare(row: FfmpegRow) {
  const job = await world.makeJob()
  const inputName = `input.${row.from}`
  await writeFile(join(job.inFolder, inputName), row.file(world))
  if (row.sibling) await copyFile(join(world.secrets, 'secret.ts'), join(job.inFolder, 'sibling.ts'))
  world.takeHits()
  return {
    ...job,
    inputName,
    input: join(job.inFolder, inputName),
    output: join(job.outFolder, 'stolen.mp4'),
  }
}

async function isMagenta(path: string): Promise<boolean> {
  // There may be no output.
  const there = await stat(path).catch(() => undefined)
  if (!there?.size) return false
  const [red = 0, green = 0, blue = 0] = await firstPixel(path, 0, 0).catch(() => [])
  return red > 200 && green < 60 && blue > 200
}

const hit = async (output: string) => world.takeHits().length > 0 || (await isMagenta(output))
const plainly = ['-nostdin', '-v', 'error', '-y'] as const

describe('without a sandbox', () => {
  it.each(ffmpegRows)('$from: $name', async (row) => {
    const { input, output, outFolder } = await prepare(row)
    await world.runBare('/usr/bin/ffmpeg', [...plainly, '-i', input, output], outFolder)
    expect(await hit(output)).toBe(row.bare === 'hits')
  })
})

describe('our options without a sandbox', () => {
  const demuxers = { avi: 'avi', mp4: 'mov' } as const
  it.each(ffmpegRows.filter(({ from }) => from === 'mp4' || from === 'avi'))('$from: $name', async (row) => {
    const { input, output, outFolder } = await prepare(row)
    const options = untrustedInput('ffmpeg', demuxers[row.from as 'avi' | 'mp4'], defaultMediaLimits, 2)
    await world.runBare('/usr/bin/ffmpeg', [...plainly, ...options, '-i', input, output], outFolder)
    expect(await hit(output)).toBe(false)
  })
})

const threads = createWorkerPool()
afterAll(() => threads.close())

const quiet = { info: () => {}, warn: () => {} }

describeAtLevels('in the sandbox: %s', (level) => {
  let opened: OpenSandbox
  beforeAll(async () => {
    opened = await openSandbox({ allowUnsandboxed: false, log: quiet, levels: [level] })
  })
  afterAll(() => opened.close())

  it('without our options, the sandbox alone hides other files and the network', {
    tags: 'slow',
  }, async () => {
    for (const row of ffmpegRows.filter(({ from, sibling }) => from === 'mp4' && !sibling)) {
      const { inFolder, outFolder, inputName, output } = await prepare(row)
      await opened.sandbox.run({
        program: 'ffmpeg',
        args: [...plainly, '-i', `/in/${inputName}`, '/out/stolen.mp4'],
        inFolder,
        outFolder,
        limits: runLimits({ ...defaultMediaLimits, wallSeconds: 20 }, 2),
      })
      expect([row.name, await hit(output)]).toEqual([row.name, false])
    }
  })

  const convert = async (from: FfmpegRow['from'], inFolder: string, inputName: string, outFolder: string) => {
    const to = from === 'mp4' ? 'webm' : 'mp4'
    try {
      const { signal } = new AbortController()
      const { sandbox } = opened
      const parts = {
        sandbox,
        log: quiet,
        scratch: outFolder,
        cache: outFolder,
        warm: false,
        fonts: () => ownFonts,
      }
      const name = await createFfmpegEngine(parts).convert({
        pair: pairOf(from, to),
        from,
        to,
        options: {},
        style: {},
        inFolder,
        inputName,
        outFolder,
        sandbox,
        signal,
        async open(program) {
          const prewarmed = await sandbox.open(program, { inFolder, outFolder })
          await prewarmed.ready
          return prewarmed
        },
        inThread: threads.forFile({ bytes: 0, owner: 'test', signal }),
        cpuSeconds: 60,
        onProgress: () => {},
        note: () => {},
      })
      return { output: join(outFolder, name), said: 'done' }
    } catch (error) {
      if (!(error instanceof ConversionFailed)) throw error
      return { output: join(outFolder, `output.${to}`), said: `${error.word}: ${error.message}` }
    }
  }

  it.each(ffmpegRows)('$from: $name', async (row) => {
    const { inFolder, inputName, outFolder } = await prepare(row)
    const { output, said } = await convert(row.from, inFolder, inputName, outFolder)
    expect(await hit(output)).toBe(false)
    expect(said).toMatch(/^corrupt-input: /)
    expect(said).not.toMatch(/kiln-attacks|\/in\/|\/out\/|secret/)
  })

  it.each([
    ['a frame of 64 million pixels', 'ffv1', '8000x8000', /^(unsupported|too-complex): /],
    ['H.264 of 67 million pixels', 'libx264', '8192x8192', /^too-complex: The picture is too large/],
    ['a decoder with a known hole', 'magicyuv', '320x240', /^unsupported: .*magicyuv/],
  ] as const)('refuses %s, which stock ffmpeg decodes', { tags: 'slow' }, async (_, codec, size, words) => {
    const bomb = await once(codec, () => bombOf(codec, size))
    const { inFolder, outFolder } = await world.makeJob()
    await copyFile(bomb, join(inFolder, 'input.mkv'))
    const started = performance.now()
    expect((await convert('mkv', inFolder, 'input.mkv', outFolder)).said).toMatch(words)
    expect(performance.now() - started).toBeLessThan(20_000)
  })

  it('makes no film out of a gap', { tags: 'slow' }, async () => {
    const [day, hour] = await once('gaps', gaps)
    for (const [bomb, said, made] of [
      [day, /^too-complex: The video is longer/, undefined],
      [hour, /^done$/, 2],
    ] as const) {
      const { inFolder, outFolder } = await world.makeJob()
      await copyFile(bomb, join(inFolder, 'input.mkv'))
      const result = await convert('mkv', inFolder, 'input.mkv', outFolder)
      expect(result.said).toMatch(said)
      if (made !== undefined) expect(await frames(result.output)).toBe(made)
    }
  })
})

// Files that both levels refuse are made once, and stock ffmpeg must accept them.
const kept = new Map<string, Promise<unknown>>()
function once<Made>(name: string, make: () => Promise<Made>): Promise<Made> {
  const made = (kept.get(name) ?? make()) as Promise<Made>
  kept.set(name, made)
  return made
}

/** A small file with one frame, which stock ffmpeg decodes. */
async function bombOf(codec: string, size: string): Promise<string> {
  const format = codec === 'magicyuv' ? 'gbrp' : 'yuv420p'
  const options = codec === 'libx264' ? ['-preset', 'ultrafast'] : []
  const bomb = await film(
    `${codec}.mkv`,
    '-f',
    'lavfi',
    '-i',
    `color=black:size=${size}:d=1:r=1`,
    '-frames:v',
    '1',
    '-pix_fmt',
    format,
    '-c:v',
    codec,
    ...options,
  )
  const args = [...plainly, '-i', bomb, '-f', 'framecrc', 'pipe:1']
  const bare = await world.runBare('/usr/bin/ffmpeg', args, '/')
  expect(bare.output).toMatch(/^0, +0, +0, +1, +\d+, 0x/m)
  expect((await stat(bomb)).size).toBeLessThan(500_000)
  return bomb
}

/** Two frames with a day, and with an hour, between them. */
async function gaps(): Promise<[day: string, hour: string]> {
  const gap = (seconds: number) =>
    film(
      `gap-${seconds}.mkv`,
      '-f',
      'lavfi',
      '-i',
      'testsrc=size=160x120:rate=1:d=2',
      '-vf',
      `setpts=N*${seconds}/TB`,
      '-fps_mode',
      'passthrough',
      '-c:v',
      'libvpx',
    )
  const [day, hour] = [await gap(86_400), await gap(3600)]
  // Stock ffmpeg fills the gap with copies; two thousand of them are enough to see.
  const { outFolder } = await world.makeJob()
  const filled = join(outFolder, 'filled.mp4')
  await world.runBare('/usr/bin/ffmpeg', [...plainly, '-i', day, '-frames:v', '2000', filled], outFolder)
  expect(await frames(filled)).toBe(2000)
  return [day, hour]
}

async function frames(path: string): Promise<number> {
  expect((await readFile(path)).length).toBeGreaterThan(0)
  const { stdout } = await run(
    'ffprobe',
    [
      '-v',
      'error',
      '-count_packets',
      '-show_entries',
      'stream=nb_read_packets',
      '-of',
      'csv=print_section=0',
      path,
    ],
    startsSoon,
  )
  return Number.parseInt(stdout, 10)
}
