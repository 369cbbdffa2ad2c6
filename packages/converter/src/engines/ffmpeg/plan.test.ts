import { describe, expect, it } from 'vitest'
import {
  film,
  pictureStream,
  soundStream,
  subtitleStream,
} from '../../../test/engines/ffmpeg/example-streams.ts'
import { ConversionFailed } from '../../failure.ts'
import type { MediaInfo } from './media-info.ts'
import { expectedSeconds, hasShortcuts, makePlan } from './plan.ts'
import { type TargetName, targets } from './targets.ts'

const plan = (info: MediaInfo, to: TargetName, from: Parameters<typeof makePlan>[1] = 'matroska') =>
  makePlan(info, from, targets[to], 'copy-what-fits')

function wordOf(run: () => unknown): string {
  try {
    run()
  } catch (error) {
    if (error instanceof ConversionFailed) return `${error.word}: ${error.message}`
    throw error
  }
  return 'no failure'
}

describe('which pictures are copied', () => {
  it.each([
    ['mp4', 'h264', 'yuv420p', true],
    ['mp4', 'h264', 'yuvj420p', true],
    ['mp4', 'h264', 'yuv420p10le', false],
    ['mp4', 'h264', 'yuv444p', false],
    ['mp4', 'hevc', 'yuv420p', true],
    ['mp4', 'hevc', 'yuv420p10le', true],
    ['mp4', 'hevc', 'yuv422p10le', false],
    ['mp4', 'av1', 'yuv420p', true],
    ['mp4', 'vp9', 'yuv420p', false],
    ['mp4', 'vp8', 'yuv420p', false],
    ['mp4', 'mpeg4', 'yuv420p', false],
    ['mp4', 'mpeg2video', 'yuv420p', false],
    ['webm', 'vp9', 'yuv420p', true],
    ['webm', 'vp8', 'yuv420p', true],
    ['webm', 'av1', 'yuv420p10le', true],
    ['webm', 'h264', 'yuv420p', false],
    ['mov', 'h264', 'yuv420p10le', true],
    ['mov', 'prores', 'yuv422p10le', true],
    ['mov', 'av1', 'yuv420p', false],
    ['mkv', 'av1', 'yuv420p', true],
    ['mkv', 'hevc', 'yuv420p10le', true],
    ['mkv', 'h263', 'yuv420p', false],
    ['gif', 'gif', 'bgra', false],
  ] as const)('to %s: %s %s → %s', (to, codec, pixelFormat, copy) => {
    expect(plan(film(pictureStream({ codec, pixelFormat })), to).video.copy).toBe(copy)
  })

  it('keeps a turned picture only where the container keeps the turning', () => {
    const turned = film(pictureStream({ isTurned: true }))
    expect(plan(turned, 'mp4').video.copy).toBe(true)
    expect(plan(turned, 'mkv').video.copy).toBe(false)
  })

  it('does not copy reordered frames out of AVI', () => {
    expect(plan(film(pictureStream({ hasReorderedFrames: true })), 'mp4', 'avi').video.copy).toBe(false)
    expect(plan(film(pictureStream()), 'mp4', 'avi').video.copy).toBe(true)
    expect(plan(film(pictureStream({ hasReorderedFrames: true })), 'mp4', 'mov').video.copy).toBe(true)
  })
})

describe('which sound is copied', () => {
  it.each([
    ['mp4', 'aac', true],
    ['mp4', 'mp3', true],
    ['mp4', 'ac3', false],
    ['mp4', 'opus', false],
    ['mp4', 'pcm_s16le', false],
    ['webm', 'opus', true],
    ['webm', 'vorbis', true],
    ['webm', 'aac', false],
    ['mov', 'pcm_s24be', true],
    ['mov', 'opus', false],
    ['mkv', 'dts', true],
    ['mkv', 'amr_nb', false],
  ] as const)('to %s: %s → %s', (to, codec, copy) => {
    expect(plan(film(pictureStream(), soundStream({ codec })), to).audio[0]?.copy).toBe(copy)
  })

  it('decides per stream', () => {
    const { video, audio } = plan(film(pictureStream(), soundStream({ codec: 'ac3' })), 'mp4')
    expect([video.copy, audio[0]?.copy]).toEqual([true, false])
  })

  it('keeps every track, leaves out one that cannot be read, and has none in a GIF', () => {
    const tracks = film(
      pictureStream(),
      soundStream(),
      soundStream({ index: 2, codec: 'atrac3' }),
      soundStream({ index: 3, codec: 'mp3' }),
    )
    expect(plan(tracks, 'mp4').audio.map(({ stream }) => stream.index)).toEqual([1, 3])
    expect(plan(tracks, 'gif').audio).toEqual([])
  })

  it('refuses to make a film silent', () => {
    const atrac = film(pictureStream(), soundStream({ codec: 'atrac3' }))
    expect(wordOf(() => plan(atrac, 'mp4'))).toMatch(/^unsupported: .*atrac3/)
  })
})

describe('subtitles', () => {
  it.each([
    ['mp4', 'subrip', 'mov_text'],
    ['mp4', 'ass', 'mov_text'],
    ['mp4', 'mov_text', 'copy'],
    ['mp4', 'dvd_subtitle', 'copy'],
    ['mp4', 'hdmv_pgs_subtitle', undefined],
    ['mov', 'mov_text', 'copy'],
    ['mov', 'dvd_subtitle', undefined],
    ['mkv', 'mov_text', 'subrip'],
    ['mkv', 'dvd_subtitle', 'copy'],
    ['webm', 'mov_text', 'webvtt'],
    ['webm', 'webvtt', 'copy'],
    ['webm', 'dvd_subtitle', undefined],
    ['gif', 'subrip', undefined],
  ] as const)('to %s: %s → %s', (to, codec, encoder) => {
    const { subtitles } = plan(film(pictureStream(), subtitleStream(codec)), to)
    expect(subtitles[0]?.encoder).toBe(encoder)
  })
})

describe('which picture', () => {
  it('takes no cover for the film, and keeps the cover in an MP4', () => {
    const cover = pictureStream({ index: 0, codec: 'mjpeg', isCover: true })
    const made = plan(film(cover, pictureStream({ index: 1 })), 'mp4')
    expect([made.video.stream.index, made.cover?.index]).toEqual([1, 0])
    expect(plan(film(cover, pictureStream({ index: 1 })), 'mkv').cover).toBeUndefined()
  })

  it('prefers the default one', () => {
    const both = film(pictureStream({ isDefault: false }), pictureStream({ index: 1 }))
    expect(plan(both, 'mp4').video.stream.index).toBe(1)
  })

  it.each([
    ['only sound', film(soundStream()), /^unsupported: There is no video/],
    [
      'sound with a cover',
      film(soundStream(), pictureStream({ isCover: true })),
      /^unsupported: There is no video/,
    ],
    ['nothing', film(), /^corrupt-input: There is no video/],
    ['another codec', film(pictureStream({ codec: 'magicyuv' })), /^unsupported: .*magicyuv/],
    ['a codec without a name', film(pictureStream({ codec: '', tag: 'X<b>Z' })), /^unsupported: .* XbZ,/],
    ['no size', film(pictureStream({ width: 0 })), /^corrupt-input: /],
    ['DRM', film(pictureStream({ tag: 'encv' })), /^password-protected: /],
  ])('refuses %s', (_, info, sentence) => {
    expect(wordOf(() => plan(info, 'mp4'))).toMatch(sentence)
  })
})

describe('the cautious manner', () => {
  it('encodes everything and leaves subtitles out', () => {
    const info = film(pictureStream(), soundStream(), subtitleStream('mov_text'))
    const quick = plan(info, 'mp4', 'mov')
    const cautious = makePlan(info, 'mov', targets.mp4, 'cautious')
    expect(hasShortcuts(quick)).toBe(true)
    expect(hasShortcuts(cautious)).toBe(false)
    expect([cautious.video.copy, cautious.audio[0]?.copy, cautious.subtitles]).toEqual([false, false, []])
  })
})

describe('expected length', () => {
  const lengthOf = (info: MediaInfo) => expectedSeconds(info, plan(info, 'mp4'))

  it('is that of the longest stream that is kept', () => {
    const info = { ...film(pictureStream({ seconds: 4 }), soundStream({ seconds: 6 })), seconds: 30 }
    expect(lengthOf(info)).toEqual({ all: 6, video: 4 })
  })

  it('is bounded by the container, whose edit list may hide a part of a stream', () => {
    expect(lengthOf({ ...film(pictureStream({ seconds: 60 })), seconds: 10 })).toEqual({ all: 10, video: 10 })
  })

  it("is the container's where streams do not declare it, unless subtitles may be longest", () => {
    const silentHeader = pictureStream({ seconds: undefined })
    expect(lengthOf(film(silentHeader))).toEqual({ all: 10 })
    expect(lengthOf(film(silentHeader, subtitleStream('subrip')))).toEqual({})
    expect(lengthOf({ ...film(silentHeader), seconds: undefined })).toEqual({})
  })
})
