import { describe, expect, it } from 'vitest'
import { declaredBytes, mpegDemuxer } from './demuxer.ts'

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

function asf(bytes: bigint, flags: number): Buffer {
  const head = Buffer.alloc(200)
  Buffer.from('a1dcab8c47a9cf118ee400c00c205365', 'hex').copy(head, 30)
  head.writeBigUInt64LE(bytes, 70)
  head.writeUInt32LE(flags, 118)
  return head
}

it.each([
  ['avi', Buffer.from('RIFF\x10\x27\0\0AVI ', 'latin1'), 10_008],
  ['avi', Buffer.from('RIFF'), undefined],
  ['avi', Buffer.from('#EXTM3U\n'), undefined],
  ['asf', asf(551_513n, 2), 551_513],
  ['asf', asf(551_513n, 3), undefined],
  ['asf', Buffer.alloc(200), undefined],
  ['asf', asf(551_513n, 2).subarray(0, 100), undefined],
  ['mov', Buffer.alloc(200), undefined],
] as const)('how long %s says it is %#', (demuxer, head, bytes) => {
  expect(declaredBytes(demuxer, head)).toBe(bytes)
})
