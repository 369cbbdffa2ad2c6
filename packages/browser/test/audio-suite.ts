import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import type { InputFile, TestPage } from './browsers.ts'

const file = (name: string, bytes: Uint8Array): InputFile => ({ name, bytes })
const rate = 48_000
const seconds = 1

const ffmpeg = (args: readonly string[], input?: Buffer): Buffer =>
  execFileSync('ffmpeg', ['-loglevel', 'error', '-y', ...args], { input, maxBuffer: 64 * 1024 * 1024 })

/** A tone of 440 Hz on the left and of 1,320 Hz on the right. */
const tone = [
  '-f',
  'lavfi',
  '-i',
  `aevalsrc=0.5*sin(440*2*PI*t)|0.25*sin(1320*2*PI*t):s=${rate}:d=${seconds}`,
]
const encoded = (...options: string[]) => ffmpeg([...tone, ...options, 'pipe:1'])

/** How strong a frequency is in the middle of the samples, from 0 to 1. */
function strength(samples: Float32Array, channel: number, frequency: number): number {
  let [real, imaginary, count] = [0, 0, 0]
  for (let at = rate / 4; at < (3 * rate) / 4; at++) {
    const value = samples[2 * at + channel] as number
    real += value * Math.cos((2 * Math.PI * frequency * at) / rate)
    imaginary += value * Math.sin((2 * Math.PI * frequency * at) / rate)
    count++
  }
  return (2 * Math.hypot(real, imaginary)) / count
}

const films = ['mp4', 'm4v', 'mov', '3gp', '3g2']
const fragmented = ['-movflags', 'frag_keyframe+empty_moov']

/** A file of each format that is read, by its name. Films have a picture too. */
function sources(): Record<string, Buffer> {
  const withPicture = (...options: string[]) =>
    ffmpeg([...tone, '-f', 'lavfi', '-i', `color=red:s=176x144:d=${seconds}`, ...options, 'pipe:1'])
  const aac = ['-c:a', 'aac', '-c:v', 'mpeg4', ...fragmented]
  return {
    wav: encoded('-f', 'wav'),
    mp3: encoded('-f', 'mp3'),
    flac: encoded('-f', 'flac'),
    aac: encoded('-f', 'adts'),
    m4a: encoded('-c:a', 'aac', ...fragmented, '-f', 'ipod'),
    ogg: encoded('-c:a', 'libvorbis', '-f', 'ogg'),
    opus: encoded('-c:a', 'libopus', '-f', 'opus'),
    mka: encoded('-c:a', 'libvorbis', '-f', 'matroska'),
    weba: encoded('-c:a', 'libopus', '-f', 'webm'),
    mkv: withPicture('-c:a', 'libopus', '-c:v', 'libvpx', '-f', 'matroska'),
    webm: withPicture('-c:a', 'libopus', '-c:v', 'libvpx', '-f', 'webm'),
    ts: withPicture('-c:a', 'aac', '-c:v', 'mpeg2video', '-f', 'mpegts'),
    ...Object.fromEntries(
      films.map((name) => [name, withPicture(...aac, '-f', name === 'm4v' ? 'mp4' : name)]),
    ),
  }
}

/** Decoded by ffmpeg. */
function expectTone(bytes: Buffer, pair: string): void {
  const raw = ffmpeg(['-i', 'pipe:0', '-f', 'f32le', '-ac', '2', '-ar', String(rate), 'pipe:1'], bytes)
  const samples = new Float32Array(new Uint8Array(raw).buffer)
  expect(samples.length / 2 / rate, pair).toBeGreaterThan(seconds - 0.1)
  expect(samples.length / 2 / rate, pair).toBeLessThan(seconds + 0.2)
  expect(strength(samples, 0, 440), pair).toBeCloseTo(0.5, 1)
  expect(strength(samples, 1, 1320), pair).toBeCloseTo(0.25, 1)
  expect(strength(samples, 0, 1320), pair).toBeLessThan(0.05)
}

const targets = { mp3: 'mp3', wav: 'wav', flac: 'flac', m4a: 'mov,mp4', aac: 'aac', ogg: 'ogg', opus: 'ogg' }

/** The container and codec that ffprobe finds. */
const formatOf = (bytes: Buffer): string =>
  execFileSync('ffprobe', ['-v', 'error', '-show_entries', 'format=format_name', '-of', 'csv=p=0', '-'], {
    input: bytes,
  }).toString()

export function testAudio(page: () => TestPage): void {
  test('every source becomes every target, with the same tones', async () => {
    for (const [from, bytes] of Object.entries(sources()))
      for (const [to, container] of Object.entries(targets)) {
        if (from === to) continue
        const output = await page().convert(file(`a.${from}`, bytes), to)
        expect(formatOf(output.bytes), `${from} to ${to}`).toContain(container)
        expectTone(output.bytes, `${from} to ${to}`)
      }
  })

  test('damaged files, wrong lengths and silence fail or end', async () => {
    expect((await page().failure(file('no.mp3', Buffer.from('no sound')), 'wav')).code).toBe('corrupt-input')
    const flac = encoded('-f', 'flac')
    expect((await page().failure(file('cut.flac', flac.subarray(0, 20)), 'wav')).code).toBe('corrupt-input')
    // 16 hours by its header: the length of the data chunk, and no data.
    const long = encoded('-f', 'wav').subarray(0, 200)
    const data = long.indexOf('data')
    long.writeUInt32LE(0xfffffff0, data + 4)
    long.writeUInt32LE(0xfffffff0, 4)
    const outcome = await page()
      .convert(file('long.wav', long), 'flac')
      .then(
        ({ bytes }) => (bytes.length < 100_000 ? 'short' : 'long'),
        (failure: Error) => failure.message,
      )
    expect(outcome).toMatch(/^(short|too-large|corrupt-input)/)
    const silent = ffmpeg([
      '-f',
      'lavfi',
      '-i',
      'color=red:s=64x64:d=1',
      '-c:v',
      'libvpx',
      '-f',
      'matroska',
      'pipe:1',
    ])
    expect((await page().failure(file('silent.mkv', silent), 'mp3')).message).toContain('no sound')
  })
}
