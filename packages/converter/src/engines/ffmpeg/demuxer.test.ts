import { describe, expect, it } from 'vitest'
import { mpegDemuxer } from './demuxer.ts'

const packets = (size: number, start: number) => {
  const head = Buffer.alloc(1024, 1)
  for (let at = start; at < head.length; at += size) head[at] = 0x47
  return head
}

describe('mpegDemuxer', () => {
  it.each([
    ['a program stream', Buffer.from('000001ba44000400', 'hex'), 'mpeg'],
    ['plain video', Buffer.from('000001b314000f0', 'hex'), 'mpegvideo'],
    ['a transport stream', packets(188, 0), 'mpegts'],
    ['one that starts in the middle of a packet', packets(188, 77), 'mpegts'],
    ['one with time stamps', packets(192, 4), 'mpegts'],
  ])('knows %s', (_, head, demuxer) => {
    expect(mpegDemuxer(head)).toBe(demuxer)
  })

  it.each([Buffer.alloc(0), Buffer.from('#EXTM3U\n'), Buffer.alloc(1024)])(
    'refuses anything else',
    (head) => {
      expect(() => mpegDemuxer(head)).toThrow(/does not start like an MPEG video/)
    },
  )
})
