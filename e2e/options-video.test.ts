import { execFileSync } from 'node:child_process'
import { beforeAll, expect, test } from 'vitest'
import { someClient } from './accounts.ts'
import { convertWith, type Options, runWith } from './options.ts'
import { requirement } from './requirements.ts'
import type { Bytes } from './service.ts'

// Options of video. The video is made and probed by ffmpeg, which the service's own set-up installs.

const client = someClient()
let source: Bytes

beforeAll(() => {
  const made = execFileSync('ffmpeg', [
    '-v',
    'error',
    '-f',
    'lavfi',
    '-i',
    'testsrc2=size=320x240:rate=10:duration=4',
    '-f',
    'lavfi',
    '-i',
    'sine=duration=4',
    '-c:v',
    'libx264',
    '-pix_fmt',
    'yuv420p',
    '-g',
    '40',
    '-c:a',
    'aac',
    '-f',
    'matroska',
    '-',
  ])
  source = new Uint8Array(made)
})

interface Facts {
  streams: { codec_type: string; width?: number; height?: number; nb_read_packets: string }[]
  format: { duration: string }
}

const look = (bytes: Bytes): Facts =>
  JSON.parse(
    execFileSync(
      'ffprobe',
      [
        '-v',
        'error',
        '-count_packets',
        '-show_entries',
        'stream=codec_type,width,height,nb_read_packets:format=duration',
        '-of',
        'json',
        '-',
      ],
      { input: bytes },
    ).toString(),
  ) as Facts

const toMp4 = (options: Options) => convertWith(client, 'mkv-to-mp4', source, options)

test(`${requirement('video-options.height', 'video-options.start-end', 'video-options.sound')} a smaller and shorter video without sound`, async () => {
  const { streams, format } = look(await toMp4({ height: 120, start: 1, end: 2.5, sound: false }))
  expect(streams).toEqual([expect.objectContaining({ codec_type: 'video', width: 160, height: 120 })])
  expect(Number(format.duration)).toBeCloseTo(1.5, 1)
  const behind = await runWith(client, 'mkv-to-mp4', source, { start: 60 })
  expect(behind.error).toMatch(/^unsupported: .*`start`/)
})

test(`${requirement('video-options.quality', 'video-options.max-bytes')} a video of less quality, and of a given size`, async () => {
  const [low, high, small] = await Promise.all([
    toMp4({ quality: 'low' }),
    toMp4({ quality: 'high' }),
    toMp4({ maxBytes: 40_000 }),
  ])
  expect(low.length * 1.5).toBeLessThan(high.length)
  expect(small.length).toBeLessThanOrEqual(40_000)
  expect(look(small).streams.map(({ codec_type }) => codec_type)).toEqual(['video', 'audio'])
  expect(Number(look(small).format.duration)).toBeCloseTo(4, 0)
  const tooSmall = await runWith(client, 'mkv-to-mp4', source, { maxBytes: 10_000 })
  expect(tooSmall.error).toMatch(/^too-complex: .*`maxBytes`/)
})

test(`${requirement('gif-options.width', 'gif-options.frames-per-second', 'video-options.start-end')} a GIF`, async () => {
  const asked = { width: 80, framesPerSecond: 5, end: 2 }
  const { streams } = look(await convertWith(client, 'mkv-to-gif', source, asked))
  expect(streams).toEqual([expect.objectContaining({ width: 80, height: 60 })])
  expect(Number(streams[0]?.nb_read_packets)).toBeCloseTo(10, -0.5)
})
