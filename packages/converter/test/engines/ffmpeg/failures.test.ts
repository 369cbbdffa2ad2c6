import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ConversionFailed } from '../../../src/failure.ts'
import type { SandboxSpec } from '../../../src/sandbox/sandbox.ts'
import { type FilmConverter, h264, openFilmConverter, testPicture, testSound, vp8 } from './support.ts'

// Each failure word with a file or a limit that earns it. Nothing that is cut short may be `done`.

let kiln: FilmConverter

beforeAll(async () => {
  kiln = await openFilmConverter()
})
afterAll(() => kiln.close())

async function write(name: string, bytes: Buffer | string): Promise<string> {
  const path = join(kiln.folder, name)
  await writeFile(path, bytes)
  return path
}

const film = (name: string, seconds: number, ...args: string[]) =>
  kiln.film(name, ...testPicture(seconds), ...testSound(seconds), ...args)

/** Takes seconds to become a WebM. */
let slowFilm: Promise<string> | undefined
const slow = () => {
  slowFilm ??= kiln.film('slow.mp4', ...testPicture(60), ...h264)
  return slowFilm
}

describe('damaged files', () => {
  it.each([
    ['mp4', 'mkv', [...h264, '-c:a', 'aac', '-movflags', '+faststart']],
    ['mov', 'webm', [...h264, '-c:a', 'aac', '-movflags', '+faststart']],
    ['mkv', 'mp4', [...h264, '-c:a', 'aac']],
    ['flv', 'mp4', ['-c:v', 'flv', '-c:a', 'libmp3lame', '-ar', '44100']],
    ['avi', 'mp4', ['-c:v', 'mpeg4', '-c:a', 'libmp3lame']],
    ['wmv', 'mp4', ['-c:v', 'wmv2', '-c:a', 'wmav2', '-f', 'asf']],
  ] as const)('a %s of which the end is missing', async (from, to, args) => {
    const whole = await readFile(await film(`whole.${from}`, 8, ...args))
    const cut = await write(`cut.${from}`, whole.subarray(0, Math.floor(whole.length * 0.6)))
    expect(await kiln.failure(cut, from, to)).toMatch(/^corrupt-input: The file is cut off/)
  })

  it.each([
    ['mp4', 'mkv', 'zeros', [...h264, '-g', '10', '-movflags', '+faststart']],
    ['mkv', 'mp4', 'noise', ['-c:v', 'libx265', '-preset', 'ultrafast', '-x265-params', 'log-level=error']],
    ['mkv', 'webm', 'zeros', ['-c:v', 'libvpx-vp9', '-deadline', 'realtime', '-cpu-used', '8']],
  ] as const)(
    'a picture in %s that is to be copied to %s, and whose last seconds are %s',
    { tags: 'slow' },
    async (from, to, what, args) => {
      const bytes = await readFile(await kiln.film(`whole-to-${to}.${from}`, ...testPicture(8), ...args))
      const kept = Math.floor(bytes.length * 0.75)
      const rest = bytes.length - kept
      bytes.set(what === 'noise' ? randomBytes(rest) : Buffer.alloc(rest), kept)
      const broken = await write(`broken-to-${to}.${from}`, bytes)
      expect(await kiln.failure(broken, from, to)).toMatch(/^corrupt-input: /)
    },
  )

  it('a few missing bytes at the end are no reason to fail', async () => {
    const whole = await readFile(await film('nearly.mkv', 4, ...h264, '-c:a', 'aac'))
    const nearly = await write('nearly-cut.mkv', whole.subarray(0, whole.length - 200))
    expect((await kiln.convert(nearly, 'mkv', 'mp4')).path).toBeTruthy()
  })

  it.each(['mp4', 'mov', 'mkv', 'avi'] as const)('random bytes as %s', async (from) => {
    const noise = await write(`noise.${from}`, randomBytes(20_000))
    expect(await kiln.failure(noise, from, 'webm')).toMatch(/^wrong-format: /)
  })

  it('a picture of which only the first frame decodes', async () => {
    const bytes = await readFile(await kiln.film('rubble.mkv', ...testPicture(2), ...vp8))
    bytes.fill(0x55, 1000, bytes.length - 1000)
    expect(await kiln.failure(await write('rubble-broken.mkv', bytes), 'mkv', 'mp4')).toMatch(
      /^corrupt-input: /,
    )
  })

  it('an index that never came', async () => {
    const whole = await readFile(await film('index.mp4', 2, ...h264, '-c:a', 'aac'))
    const cut = await write('no-index.mp4', whole.subarray(0, whole.indexOf('moov') - 4))
    expect(await kiln.failure(cut, 'mp4', 'mkv')).toMatch(/^corrupt-input: The video cannot be read/)
  })
})

describe('files that are not supported', () => {
  it('only sound', async () => {
    const sound = await kiln.film('sound.mp4', ...testSound(1), '-c:a', 'aac')
    expect(await kiln.failure(sound, 'mp4', 'webm')).toMatch(/^unsupported: There is no video in the file/)
  })

  it('a codec that is not on the list, by its name', async () => {
    const magic = await kiln.film('magic.mkv', ...testPicture(1), '-c:v', 'magicyuv', '-pix_fmt', 'gbrp')
    expect(await kiln.failure(magic, 'mkv', 'mp4')).toMatch(/^unsupported: .*magicyuv/)
  })
})

describe('limits', () => {
  it('length, by what the header says', async () => {
    const input = await film('long.mkv', 4, ...h264, '-c:a', 'aac')
    expect(await kiln.failure(input, 'mkv', 'mp4', { limits: { seconds: 2 } })).toMatch(
      /^too-complex: The video is longer than 2 seconds/,
    )
  })

  it('length, by what comes where the header is silent', async () => {
    const input = await kiln.film('long-live.webm', ...testPicture(4), ...vp8, '-live', '1')
    expect(await kiln.failure(input, 'webm', 'mp4', { limits: { seconds: 2 } })).toMatch(/^too-complex: /)
  })

  it('length, by what is written where the header lies', async () => {
    const bytes = await readFile(await kiln.film('liar.mkv', ...testPicture(6), ...vp8))
    // Duration of the segment: element 4489, eight bytes, in milliseconds.
    const place = bytes.indexOf(Buffer.from('448988', 'hex')) + 3
    expect(bytes.readDoubleBE(place)).toBeCloseTo(6000, -2)
    bytes.writeDoubleBE(1000, place)
    const tag = bytes.indexOf('00:00:06')
    if (tag > 0) bytes.write('00:00:01.000', tag)
    const liar = await write('liar-short.mkv', bytes)
    expect(await kiln.failure(liar, 'mkv', 'mp4', { limits: { seconds: 3 } })).toMatch(/^too-complex: /)
  })

  it('size of the output', async () => {
    const input = await film('large.mkv', 4, ...h264, '-crf', '5', '-c:a', 'aac')
    expect(await kiln.failure(input, 'mkv', 'mp4', { limits: { outputBytes: 50_000 } })).toMatch(
      /^too-complex: The converted video would be larger/,
    )
  })

  it('size of the picture', async () => {
    const input = await kiln.film('big.mkv', ...testPicture(1, '320x240'), ...h264)
    expect(await kiln.failure(input, 'mkv', 'mp4', { limits: { pixels: 160 * 120 } })).toMatch(
      /^too-complex: The picture is too large/,
    )
  })

  it('time', async () => {
    expect(await kiln.failure(await slow(), 'mp4', 'webm', { limits: { wallSeconds: 1 } })).toMatch(
      /^timeout: /,
    )
  })

  it('length of a GIF', async () => {
    const input = await kiln.film('gif-long.mp4', ...testPicture(4), ...h264)
    expect(await kiln.failure(input, 'mp4', 'gif', { limits: { gifPixels: 10_000 } })).toMatch(
      /^too-complex: The video is too long for a GIF/,
    )
  })
})

it('stops at once when it is cancelled, without a failure code', async () => {
  const input = await slow()
  const controller = new AbortController()
  const started = performance.now()
  const conversion = kiln.convert(input, 'mp4', 'webm', { signal: controller.signal })
  setTimeout(() => controller.abort(), 700)
  const error = await conversion.catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(Error)
  expect(error).not.toBeInstanceOf(ConversionFailed)
  expect(performance.now() - started).toBeLessThan(5000)
})

it('reports progress on the way, never backwards', async () => {
  const input = await kiln.film('progress.avi', ...testPicture(3), '-c:v', 'mpeg4')
  // Read in real time, a short film takes long enough to report progress.
  const slowly = (spec: SandboxSpec) =>
    spec.program === '/usr/bin/ffmpeg'
      ? { ...spec, args: spec.args.flatMap((arg) => (arg === '-i' ? ['-re', arg] : [arg])) }
      : spec
  const { progress } = await kiln.convert(input, 'avi', 'mp4', { change: slowly })
  expect(progress.length).toBeGreaterThan(2)
  expect(progress).toEqual([...new Set(progress)].sort((a, b) => a - b))
  expect(progress.some((fraction) => fraction > 0.02 && fraction < 0.98)).toBe(true)
})

it('knows the version of ffmpeg', async () => {
  const { stdout } = await promisify(execFile)('ffmpeg', ['-version'])
  expect(stdout).toContain(`${(await kiln.converter.describe()).engines[0]?.detail} `)
})
