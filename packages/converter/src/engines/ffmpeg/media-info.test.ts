import { describe, expect, it } from 'vitest'
import { readMediaInfo } from './media-info.ts'

const one = (stream: unknown) => readMediaInfo(JSON.stringify({ streams: [stream] })).streams[0]

describe('readMediaInfo', () => {
  it('reads an ordinary answer', () => {
    const info = readMediaInfo(
      JSON.stringify({
        format: { duration: '12.5' },
        streams: [
          {
            index: 0,
            codec_type: 'video',
            codec_name: 'h264',
            codec_tag_string: 'avc1',
            width: 1920,
            height: 1080,
            pix_fmt: 'yuv420p',
            has_b_frames: 2,
            field_order: 'tt',
            sample_aspect_ratio: '4:3',
            avg_frame_rate: '30000/1001',
            duration: '12.4',
            disposition: { default: 1, attached_pic: 0 },
          },
          { index: 1, codec_type: 'audio', codec_name: 'aac', channels: 6, tags: { DURATION: '00:01:02.5' } },
        ],
      }),
    )
    expect(info.seconds).toBe(12.5)
    expect(info.streams[0]).toMatchObject({
      codec: 'h264',
      seconds: 12.4,
      hasReorderedFrames: true,
      isInterlaced: true,
      hasSquarePixels: false,
      isDefault: true,
      isCover: false,
    })
    expect(info.streams[0]?.framesPerSecond).toBeCloseTo(29.97)
    expect(info.streams[1]).toMatchObject({ kind: 'audio', channels: 6, seconds: 62.5 })
  })

  it.each([
    [
      'upright',
      '\n00000000:        65536           0           0\n00000001:            0       65536           0\n00000002:            0           0  1073741824\n',
      false,
    ],
    [
      'turned by 90°',
      '\n00000000:            0       65536           0\n00000001:       -65536           0           0\n00000002:            0           0  1073741824\n',
      true,
    ],
    [
      'mirrored',
      '\n00000000:       -65536           0           0\n00000001:            0       65536           0\n00000002:            0           0  1073741824\n',
      true,
    ],
  ])('sees whether the picture is %s', (_, displaymatrix, turned) => {
    expect(one({ index: 0, side_data_list: [{ displaymatrix, rotation: 0 }] })?.isTurned).toBe(turned)
  })

  it('does not believe what is out of range or of the wrong type', () => {
    expect(
      one({
        index: 0,
        codec_name: `x${'y'.repeat(100)}`,
        codec_type: ['video'],
        width: -5,
        height: 1e12,
        duration: 'N/A',
        avg_frame_rate: '1/0',
        channels: 'many',
        side_data_list: 'none',
        tags: { DURATION: '99:99' },
      }),
    ).toMatchObject({
      codec: '',
      kind: '',
      width: 0,
      height: 0,
      seconds: undefined,
      framesPerSecond: undefined,
      channels: 0,
      isTurned: false,
    })
  })

  it.each(['', '{"streams": [', 'null', '[]', '{"streams": {"length": 1e9}}'])('survives %j', (json) => {
    let result: unknown
    try {
      result = readMediaInfo(json).streams
    } catch (error) {
      result = (error as { word?: string }).word
    }
    expect([[], 'corrupt-input']).toContainEqual(result)
  })

  it('bounds the number of streams', () => {
    const streams = Array.from({ length: 5000 }, (_, index) => ({ index }))
    expect(readMediaInfo(JSON.stringify({ streams })).streams.length).toBe(128)
  })
})
