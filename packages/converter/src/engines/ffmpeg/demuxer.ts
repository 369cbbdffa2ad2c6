import { lstat } from 'node:fs/promises'
import { failed } from '../../failure.ts'
import { readStart } from '../../read-start.ts'

// ffmpeg's format detection may take a text file for a playlist and open other files. So detection is never used: the
// pair determines the demuxer. Only the MPEG family shares its extensions among three demuxers, which are distinguished
// by the first bytes; none of the three can open another file.

export type Demuxer =
  | 'mov'
  | 'matroska'
  | 'avi'
  | 'asf'
  | 'flv'
  | 'ogg'
  | 'gif'
  | 'mpeg'
  | 'mpegts'
  | 'mpegvideo'
  | 'mxf'
  | 'rm'

const demuxers: Readonly<Record<string, Demuxer | 'mpeg-family'>> = {
  mp4: 'mov',
  mov: 'mov',
  m4v: 'mov',
  '3gp': 'mov',
  mkv: 'matroska',
  webm: 'matroska',
  avi: 'avi',
  wmv: 'asf',
  flv: 'flv',
  ogv: 'ogg',
  gif: 'gif',
  mpeg: 'mpeg-family',
  ts: 'mpeg-family',
  vob: 'mpeg-family',
  mxf: 'mxf',
  rm: 'rm',
}

export async function chooseDemuxer(from: string, inputPath: string): Promise<Demuxer> {
  const demuxer = demuxers[from]
  if (demuxer === undefined) throw new Error(`No demuxer for ${from}; add one in engines/ffmpeg/demuxer.ts`)
  return demuxer === 'mpeg-family' ? mpegDemuxer(await readStart(inputPath, 1024)) : demuxer
}

export function mpegDemuxer(head: Buffer): Demuxer {
  const startCode = head.length >= 4 ? head.readUInt32BE(0) : 0
  if (startCode === 0x000001ba) return 'mpeg'
  if (startCode === 0x000001b3) return 'mpegvideo'
  if (isTransportStream(head)) return 'mpegts'
  throw failed.corruptInput(
    'The file does not start like an MPEG video: neither a program stream, nor a transport stream, nor plain video. Export it again.',
  )
}

/** Packets of 188 bytes, or of 192 (cameras, Blu-ray); a recording may start in the middle of one. */
function isTransportStream(head: Buffer): boolean {
  for (const size of [188, 192]) {
    for (let start = 0; start < size; start++) {
      if ([0, 1, 2].every((packet) => head[start + packet * size] === 0x47)) return true
    }
  }
  return false
}

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
