import { describe, expect, it } from 'vitest'
import { pictureStream } from '../../../test/engines/ffmpeg/example-streams.ts'
import { chooseGifSize, gifFilters, pictureFilters } from './filters.ts'
import type { MediaStream } from './media-info.ts'

const filters = (change: Partial<MediaStream>, evenSides = true) =>
  pictureFilters(pictureStream(change), { evenSides })

describe('pictureFilters', () => {
  it.each([
    ['an ordinary picture', {}, 'format=yuv420p'],
    ['an odd size', { width: 101 }, 'crop=trunc(iw/2)*2:trunc(ih/2)*2:0:0,format=yuv420p'],
    ['a single column', { width: 1 }, 'pad=ceil(iw/2)*2:ceil(ih/2)*2,format=yuv420p'],
    ['interlaced', { isInterlaced: true }, 'bwdif=mode=send_frame:deint=interlaced,format=yuv420p'],
    [
      'broadcast video that does not say',
      { codec: 'mpeg2video', hasUnknownFieldOrder: true },
      'bwdif=mode=send_frame:deint=interlaced,format=yuv420p',
    ],
    ['web video that does not say', { codec: 'vp9', hasUnknownFieldOrder: true }, 'format=yuv420p'],
  ])('for %s', (_, change, expected) => {
    expect(filters(change)).toBe(expected)
  })

  it('maps HDR to the standard range and lays transparency on white', () => {
    expect(filters({ colorTransfer: 'smpte2084' })).toContain('tonemap')
    expect(filters({ colorTransfer: 'arib-std-b67' })).toContain('tonemap')
    expect(filters({ colorTransfer: 'bt709' })).not.toContain('tonemap')
    expect(filters({ pixelFormat: 'bgra' })).toContain('lutrgb=r=255:g=255:b=255:a=255')
    expect(filters({ pixelFormat: 'yuva444p10le' })).toContain('lutrgb=r=255:g=255:b=255:a=255')
  })

  it('keeps odd sizes where the encoder accepts them', () => {
    expect(filters({ width: 101 }, false)).toBe('format=yuv420p')
  })
})

describe('GIF sizes', () => {
  const side = (seconds: number, change: Partial<MediaStream> = {}) =>
    chooseGifSize(pictureStream(change), seconds, 120_000_000)?.side

  it('get smaller as the film gets longer, until it is too long', () => {
    expect([5, 60, 120, 200, 500, 3600].map((seconds) => side(seconds))).toEqual([
      640,
      480,
      360,
      320,
      240,
      undefined,
    ])
  })

  it('count what is really there: small pictures at few frames may be longer', () => {
    expect(side(600, { width: 100, height: 100, framesPerSecond: 2 })).toBe(640)
  })

  it('squares pixels and drops frames only where needed', () => {
    const size = { side: 480, framesPerSecond: 12.5 }
    expect(gifFilters(pictureStream({ framesPerSecond: 10 }), size)).not.toContain('fps=')
    expect(gifFilters(pictureStream(), size)).toContain('fps=12.5000')
    expect(gifFilters(pictureStream({ hasSquarePixels: false }), size)).toContain('scale=iw*sar:ih,setsar=1')
  })
})
