import { expect, it } from 'vitest'
import { pictureStream } from '../../../test/engines/ffmpeg/example-streams.ts'
import { lastPackets } from './last-packets.ts'

const plan = (codec: string, copy = true) => ({
  video: { stream: pictureStream({ codec }), copy },
  audio: [],
  subtitles: [],
  cover: undefined,
})

const read = (...lines: string[]) => {
  const ending = lastPackets(plan('h264'), 20)
  for (const line of lines) ending?.onLine(line)
  return ending?.reachEnd()
}

const unit = '#tb 0: 1/1000'

it('has the end when a packet of the last second came through, in whatever order', () => {
  expect(read(unit, '0,      -8057,      -7977,       40,    31486, 0x7a8388c3')).toBe(false)
  expect(read(unit, '0, 900, 980, 40, 31486, 0x7a8388c3', 'out_time_us=20000000')).toBe(false)
  expect(read(unit, '0, 1000, 1080, 40, 31, 0x7a8388c3', '0, 1040, 1000, 40, 31, 0x1, F=0x0')).toBe(true)
})

it('has no end without packets, or without their unit of time', () => {
  expect(read()).toBe(false)
  expect(read('0, 1900, 1900, 40, 31486, 0x7a8388c3')).toBe(false)
})

it('leaves other codecs, short videos and unknown ends to a decoder', () => {
  // A packet of zeros is accepted as AV1, and one that starts a few bytes late as VP9.
  for (const codec of ['av1', 'vp9', 'vp8', 'mpeg4', 'prores'])
    expect(lastPackets(plan(codec), 20)).toBeUndefined()
  expect(lastPackets(plan('h264'), 3)).toBeUndefined()
  expect(lastPackets(plan('h264'), undefined)).toBeUndefined()
  expect(lastPackets(plan('h264', false), 20)).toBeUndefined()
})
