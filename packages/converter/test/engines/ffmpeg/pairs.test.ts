import { open } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { FormatName } from '../../../src/catalog/pairs.ts'
import {
  type FilmConverter,
  h264,
  inspect,
  openFilmConverter,
  testPicture,
  testSound,
  vp8,
} from './support.ts'

// Every pair once, from a film in the codecs that its source format usually holds.

const seconds = 1
const sources: Readonly<Partial<Record<FormatName, readonly string[]>>> = {
  mp4: [...h264, '-c:a', 'aac'],
  mov: ['-c:v', 'prores', '-c:a', 'pcm_s16be'],
  mkv: [...h264, '-c:a', 'libopus'],
  avi: ['-c:v', 'mpeg4', '-c:a', 'libmp3lame'],
  webm: [...vp8, '-c:a', 'libvorbis'],
  wmv: ['-c:v', 'wmv2', '-c:a', 'wmav2', '-f', 'asf'],
  flv: ['-c:v', 'flv', '-c:a', 'libmp3lame', '-ar', '44100'],
  mpeg: ['-c:v', 'mpeg2video', '-r', '25', '-c:a', 'mp2', '-f', 'mpeg'],
  ts: [...h264, '-c:a', 'aac', '-f', 'mpegts'],
  m4v: [...h264, '-c:a', 'aac', '-f', 'mp4'],
  '3gp': ['-c:v', 'h263', '-s', '352x288', '-c:a', 'aac', '-f', '3gp'],
  ogv: ['-c:v', 'libtheora', '-c:a', 'libvorbis', '-f', 'ogg'],
  mxf: ['-c:v', 'mpeg2video', '-r', '25', '-c:a', 'pcm_s16le', '-ar', '48000', '-f', 'mxf'],
  vob: ['-c:v', 'mpeg2video', '-r', '25', '-c:a', 'ac3', '-f', 'vob'],
  rm: ['-c:v', 'rv20', '-s', '352x288', '-c:a', 'ac3', '-f', 'rm'],
}

const promises: Readonly<Record<string, { container: RegExp; video: string; audio: string }>> = {
  mp4: { container: /mp4/, video: 'h264', audio: 'aac|mp3' },
  mov: { container: /mov/, video: 'h264', audio: 'aac' },
  mkv: { container: /matroska/, video: 'h264', audio: 'aac' },
  webm: { container: /webm/, video: 'vp9', audio: 'opus' },
}

let kiln: FilmConverter

beforeAll(async () => {
  kiln = await openFilmConverter()
})
afterAll(() => kiln.close())

const made = new Map<FormatName, Promise<string>>()
/** One film of each format for all its pairs. */
const source = (format: FormatName): Promise<string> => {
  const film =
    made.get(format) ??
    kiln.film(`source.${format}`, ...testPicture(seconds), ...testSound(seconds), ...(sources[format] ?? []))
  made.set(format, film)
  return film
}

describe('video to video', () => {
  const keepsFilm = async (from: FormatName, to: FormatName) => {
    const { path, progress } = await kiln.convert(await source(from), from, to)
    const film = await inspect(path)
    const promise = promises[to]
    expect(film.container).toMatch(promise?.container ?? /^$/)
    expect(film.video.codec_name).toBe(promise?.video)
    expect(film.audio[0]?.codec_name).toMatch(new RegExp(`^(${promise?.audio})$`))
    expect(film.seconds).toBeGreaterThan(seconds - 0.3)
    expect(film.seconds).toBeLessThan(seconds + 0.5)
    expect(film.complaints).toBe('')
    expect(progress.at(-1)).toBe(1)
    if (to === 'mp4' || to === 'mov') expect(await boxOrder(path)).toMatch(/moov.*mdat/)
  }
  it.each([
    ['mov', 'mp4'],
    ['mkv', 'mp4'],
    ['avi', 'mp4'],
    ['webm', 'mp4'],
    ['wmv', 'mp4'],
    ['mp4', 'webm'],
    ['mp4', 'mov'],
    ['mp4', 'mkv'],
  ] as const)('%s → %s', keepsFilm)
  it.each([
    ['flv', 'mp4'],
    ['mpeg', 'mp4'],
    ['ts', 'mp4'],
    ['m4v', 'mp4'],
    ['3gp', 'mp4'],
    ['ogv', 'mp4'],
    ['mxf', 'mp4'],
    ['vob', 'mp4'],
    ['rm', 'mp4'],
    ['mov', 'webm'],
    ['mkv', 'webm'],
    ['avi', 'webm'],
  ] as const)('%s → %s', { tags: 'slow' }, keepsFilm)
})

describe('video to GIF', () => {
  it.each(['mp4', 'mov', 'webm', 'mkv'] as const)('%s → gif', async (from) => {
    const { path } = await kiln.convert(await source(from), from, 'gif')
    const film = await inspect(path)
    expect(film.container).toBe('gif')
    expect([film.video.width, film.video.height]).toEqual([160, 120])
    expect(film.seconds).toBeGreaterThan(seconds - 0.3)
    expect(film.seconds).toBeLessThan(seconds + 0.5)
    expect(Number(film.video.nb_read_frames)).toBeGreaterThan(10 * seconds)
  })
})

it('gif → mp4', async () => {
  const gif = await kiln.film('source.gif', ...testPicture(seconds, '160x120', 10))
  const { path } = await kiln.convert(gif, 'gif', 'mp4')
  const film = await inspect(path)
  expect([film.video.codec_name, film.video.pix_fmt]).toEqual(['h264', 'yuv420p'])
  expect(film.seconds).toBeCloseTo(seconds, 0)
  expect(film.complaints).toBe('')
})

/** Names of the boxes at the top of a QuickTime file, in order. */
async function boxOrder(path: string): Promise<string> {
  const handle = await open(path)
  try {
    const { size } = await handle.stat()
    const head = Buffer.alloc(16)
    const names: string[] = []
    for (let at = 0; at + 8 <= size; ) {
      await handle.read(head, 0, 16, at)
      names.push(head.toString('latin1', 4, 8))
      const length = head.readUInt32BE(0)
      at += length === 1 ? Number(head.readBigUInt64BE(8)) : length || size
    }
    return names.join(' ')
  } finally {
    await handle.close()
  }
}
