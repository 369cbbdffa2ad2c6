import { lstat } from 'node:fs/promises'
import { failed } from '../../failure.ts'
import { readStart } from '../../read-start.ts'
import type { Demuxer } from './demuxer.ts'

// AVI and ASF files contain their size in the first bytes. ffmpeg's demuxers silently produce a shorter film when the
// end is missing, so truncation has to be detected here.

const headBytes = 64 * 1024
/** A few bytes less is the last index or padding, not a part of the film. */
const toleratedShare = 0.98

export function declaredBytes(demuxer: Demuxer, head: Buffer): number | undefined {
  if (demuxer === 'avi') return declaredByRiff(head)
  if (demuxer === 'asf') return declaredByAsf(head)
  return undefined
}

const declaredByRiff = (head: Buffer): number | undefined =>
  head.length >= 8 && head.toString('latin1', 0, 4) === 'RIFF' ? head.readUInt32LE(4) + 8 : undefined

const fileProperties = Buffer.from('a1dcab8c47a9cf118ee400c00c205365', 'hex')

function declaredByAsf(head: Buffer): number | undefined {
  const at = head.indexOf(fileProperties)
  if (at < 0 || at + 92 > head.length) return undefined
  // The header of a broadcast does not contain its length.
  const isBroadcast = (head.readUInt32LE(at + 88) & 1) === 1
  return isBroadcast ? undefined : Number(head.readBigUInt64LE(at + 40))
}

export async function refuseCutOff(path: string, demuxer: Demuxer): Promise<void> {
  if (demuxer !== 'avi' && demuxer !== 'asf') return
  const { size } = await lstat(path)
  const declared = declaredBytes(demuxer, await readStart(path, headBytes))
  if (declared !== undefined && size < declared * toleratedShare) {
    throw failed.corruptInput(
      `The file is cut off: it announces ${declared} bytes and has ${size}. Copy or upload it again.`,
    )
  }
}
