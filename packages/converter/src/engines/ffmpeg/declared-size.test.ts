import { expect, it } from 'vitest'
import { declaredBytes } from './declared-size.ts'

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
] as const)('%s %#', (demuxer, head, bytes) => {
  expect(declaredBytes(demuxer, head)).toBe(bytes)
})
