import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SandboxSpec } from '../../../src/sandbox/sandbox.ts'
import {
  type FilmConverter,
  h264,
  inspect,
  openFilmConverter,
  pictureHash,
  subtitleFile,
  testPicture,
  testSound,
} from './support.ts'

// How each stream is treated: copied or encoded, kept or dropped.

let kiln: FilmConverter

beforeAll(async () => {
  kiln = await openFilmConverter()
})
afterAll(() => kiln.close())

describe('copying', () => {
  it('leaves every byte of a picture that fits as it is', async () => {
    const input = await kiln.film(
      'fits.mkv',
      ...testPicture(2),
      ...testSound(2),
      ...h264,
      '-bf',
      '2',
      '-c:a',
      'aac',
    )
    const { path } = await kiln.convert(input, 'mkv', 'mp4')
    expect(await pictureHash(path)).toBe(await pictureHash(input))
  })

  it('copies the picture and encodes only the sound where only the sound does not fit', async () => {
    const input = await kiln.film(
      'mixed.mkv',
      ...testPicture(2),
      ...testSound(2),
      ...[...h264, '-c:a', 'ac3', '-ac', '6'],
    )
    const { path } = await kiln.convert(input, 'mkv', 'mp4')
    const film = await inspect(path)
    expect(await pictureHash(path)).toBe(await pictureHash(input))
    expect([film.audio[0]?.codec_name, film.audio[0]?.channels]).toEqual(['aac', 6])
  })

  it('names HEVC so that Apple plays it', async () => {
    const input = await kiln.film(
      'hevc.mkv',
      ...testPicture(1),
      ...[
        '-c:v',
        'libx265',
        '-preset',
        'ultrafast',
        '-x265-params',
        'log-level=none',
        '-pix_fmt',
        'yuv420p10le',
      ],
    )
    const { video } = await inspect((await kiln.convert(input, 'mkv', 'mp4')).path)
    expect([video.codec_name, video.codec_tag_string, video.pix_fmt]).toEqual(['hevc', 'hvc1', 'yuv420p10le'])
  })

  it('copies VP9 and Opus into WebM', async () => {
    const input = await kiln.film(
      'web.mkv',
      ...testPicture(1),
      ...testSound(1),
      '-c:v',
      'libvpx-vp9',
      '-deadline',
      'realtime',
      '-cpu-used',
      '8',
      '-c:a',
      'libopus',
    )
    const programs: string[] = []
    const watched = (spec: SandboxSpec) => {
      programs.push(`${spec.program} ${spec.args.join(' ')}`)
      return spec
    }
    await kiln.convert(input, 'mkv', 'webm', { change: watched })
    const run = programs.find((line) => line.startsWith('/usr/bin/ffmpeg '))
    expect(run).toContain('-c:v:0 copy')
    expect(run).toContain('-c:a:0 copy')
  })

  it('encodes frames that AVI stores in another order than they are shown', async () => {
    const input = await kiln.film('reordered.avi', ...testPicture(2), ...h264, '-bf', '3', '-g', '30')
    const { path } = await kiln.convert(input, 'avi', 'mp4')
    expect(Number((await inspect(path)).video.nb_read_frames)).toBe(30)
    expect(await pictureHash(path)).not.toBe(await pictureHash(input))
  })

  it('encodes everything when the copy fails', async () => {
    const input = await kiln.film('stubborn.mkv', ...testPicture(1), ...testSound(1), ...h264, '-c:a', 'aac')
    let runs = 0
    const breakingCopies = (spec: SandboxSpec) => {
      if (spec.program !== '/usr/bin/ffmpeg') return spec
      runs += 1
      // The OGG muxer takes neither codec as a copy.
      return runs === 1 ? { ...spec, args: spec.args.map((arg) => (arg === 'mp4' ? 'ogg' : arg)) } : spec
    }
    const { path, progress } = await kiln.convert(input, 'mkv', 'mp4', { change: breakingCopies })
    expect(runs).toBe(2)
    expect(await pictureHash(path)).not.toBe(await pictureHash(input))
    expect(progress).toEqual([...progress].sort((a, b) => a - b))
  })
})

describe('sound', () => {
  it('has all tracks with their languages', async () => {
    const input = await kiln.film(
      'dubs.mkv',
      ...testPicture(1),
      ...testSound(1),
      ...testSound(1),
      '-map',
      '0',
      '-map',
      '1',
      '-map',
      '2',
      ...h264,
      '-c:a:0',
      'aac',
      '-c:a:1',
      'libopus',
      '-metadata:s:a:0',
      'language=fre',
      '-metadata:s:a:1',
      'language=jpn',
    )
    for (const [to, codecs] of [
      ['mp4', ['aac', 'aac']],
      ['webm', ['opus', 'opus']],
    ] as const) {
      const film = await inspect((await kiln.convert(input, 'mkv', to)).path)
      expect(film.audio.map(({ codec_name }) => codec_name)).toEqual(codecs)
      expect(film.audio.map(({ tags }) => tags?.language)).toEqual(['fre', 'jpn'])
    }
  })

  it('keeps surround, also the layout with side speakers that Opus does not know', async () => {
    const input = await kiln.film(
      'surround.mkv',
      ...testPicture(1),
      ...testSound(1),
      ...[...h264, '-c:a', 'ac3', '-af', 'pan=5.1(side)|FL=c0|FR=c0|FC=c0|LFE=c0|SL=c0|SR=c0'],
    )
    const film = await inspect((await kiln.convert(input, 'mkv', 'webm')).path)
    expect([film.audio[0]?.codec_name, film.audio[0]?.channels]).toEqual(['opus', 6])
  })

  it('works on silence and without any sound', async () => {
    const silent = await kiln.film(
      'silent.mov',
      ...testPicture(1),
      '-f',
      'lavfi',
      '-i',
      'anullsrc=d=1',
      ...h264,
      '-c:a',
      'aac',
    )
    expect((await inspect((await kiln.convert(silent, 'mov', 'webm')).path)).audio.length).toBe(1)
    const mute = await kiln.film('mute.mov', ...testPicture(1), ...h264)
    expect((await inspect((await kiln.convert(mute, 'mov', 'webm')).path)).audio.length).toBe(0)
  })
})

describe('subtitles', () => {
  it.each([
    ['mkv', 'srt', 'mp4', 'mov_text'],
    ['mkv', 'ass', 'mp4', 'mov_text'],
    ['mkv', 'webvtt', 'mp4', 'mov_text'],
    ['mp4', 'mov_text', 'mkv', 'subrip'],
    ['mp4', 'mov_text', 'mov', 'mov_text'],
    ['mp4', 'mov_text', 'webm', 'webvtt'],
    ['mkv', 'srt', 'webm', 'webvtt'],
  ] as const)('survive: %s with %s → %s with %s', async (from, codec, to, becomes) => {
    const input = await kiln.film(
      `words-${codec}.${from}`,
      ...testPicture(2),
      '-i',
      await subtitleFile(kiln.folder),
      ...h264,
      '-c:s',
      codec,
      '-metadata:s:s:0',
      'language=ger',
    )
    const { path } = await kiln.convert(input, from, to)
    const film = await inspect(path)
    expect(film.subtitles.map(({ codec_name, tags }) => [codec_name, tags?.language])).toEqual([
      [becomes, 'ger'],
    ])
    const words = await kiln.film(`words-out-${codec}-${to}.srt`, '-i', path, '-map', '0:s:0')
    expect(await readFile(words, 'utf8')).toMatch(/Good morning[\s\S]*Good night/)
  })

  it('do not make a GIF fail', async () => {
    const input = await kiln.film(
      'words-gif.mkv',
      ...testPicture(1),
      '-i',
      await subtitleFile(kiln.folder),
      '-t',
      '1',
      ...h264,
      '-c:s',
      'srt',
    )
    expect((await inspect((await kiln.convert(input, 'mkv', 'gif')).path)).subtitles).toEqual([])
  })
})

describe('what surrounds the film', () => {
  it('keeps title and chapters', async () => {
    const chapters = join(kiln.folder, 'chapters.txt')
    const chapter = (start: number, end: number, title: string) =>
      `[CHAPTER]\nTIMEBASE=1/1000\nSTART=${start}\nEND=${end}\ntitle=${title}\n`
    await writeFile(
      chapters,
      `;FFMETADATA1\ntitle=The Film\n${chapter(0, 1000, 'One')}${chapter(1000, 2000, 'Two')}`,
    )
    const input = await kiln.film(
      'chapters.mkv',
      ...testPicture(2),
      ...[
        '-f',
        'ffmetadata',
        '-i',
        chapters,
        '-map',
        '0',
        '-map_metadata',
        '1',
        '-map_chapters',
        '1',
        ...h264,
      ],
    )
    for (const to of ['mp4', 'webm'] as const) {
      const film = await inspect((await kiln.convert(input, 'mkv', to)).path)
      expect(film.tags.title ?? film.tags.TITLE).toBe('The Film')
      expect(film.chapters.map(({ tags }) => tags?.title)).toEqual(['One', 'Two'])
    }
  })

  it('takes no cover for the film, and keeps it in an MP4', async () => {
    const plain = await kiln.film('plain.mp4', ...testPicture(1), ...testSound(1), ...h264, '-c:a', 'aac')
    const picture = await kiln.film('cover.jpg', ...testPicture(1, '64x64'), '-frames:v', '1')
    const input = await kiln.film(
      'covered.m4v',
      '-i',
      picture,
      '-i',
      plain,
      '-map',
      '0',
      '-map',
      '1',
      '-c',
      'copy',
      '-f',
      'mp4',
      '-disposition:v:0',
      'attached_pic',
    )
    const film = await inspect((await kiln.convert(input, 'm4v', 'mp4')).path)
    expect([film.video.codec_name, film.video.width]).toEqual(['h264', 160])
    expect(film.streams.filter(({ disposition }) => disposition.attached_pic).length).toBe(1)
  })

  it('leaves data streams out', async () => {
    const input = await kiln.film(
      'timecode.mov',
      ...testPicture(1, '160x120', 25),
      ...[...h264, '-timecode', '01:00:00:00'],
    )
    expect((await inspect(input)).streams.some(({ codec_type }) => codec_type === 'data')).toBe(true)
    const film = await inspect((await kiln.convert(input, 'mov', 'mp4')).path)
    expect(film.streams.map(({ codec_type }) => codec_type)).not.toContain('audio')
    expect(film.video.codec_name).toBe('h264')
  })
})
