import { failed } from '../../failure.ts'
import { maxStreams } from './limits.ts'

// The output of ffprobe, limited and validated. ffprobe has parsed an untrusted file, so its output is untrusted too:
// every field is read by name, with an expected type and range, and everything else is dropped.

export interface MediaInfo {
  /** The version of ffprobe. */
  version: string
  seconds: number | undefined
  streams: readonly MediaStream[]
  /** When the decoded frames are shown, where the question asked for them. */
  frames: readonly { stream: number; seconds: number }[]
}

export interface MediaStream {
  index: number
  kind: string
  codec: string
  /** Four characters by which the container names the codec. */
  tag: string
  profile: string
  seconds: number | undefined
  isDefault: boolean
  isCover: boolean
  width: number
  height: number
  pixelFormat: string
  hasReorderedFrames: boolean
  isInterlaced: boolean
  hasUnknownFieldOrder: boolean
  colorTransfer: string
  framesPerSecond: number | undefined
  /** Does a display matrix turn or mirror the picture? */
  isTurned: boolean
  hasSquarePixels: boolean
  /** WebM stores transparency as a second picture next to the visible one. */
  hasAlphaBeside: boolean
  channels: number
  /** Frames that were decoded, where the question asked for it. */
  decodedFrames: number | undefined
}

/** Value of ffprobe's `-show_entries`: exactly the fields read below. */
export const probedEntries = [
  'program_version=version',
  'format=duration',
  'stream=index,codec_type,codec_name,codec_tag_string,profile,duration,width,height,pix_fmt,has_b_frames,' +
    'field_order,color_transfer,r_frame_rate,avg_frame_rate,sample_aspect_ratio,channels,nb_read_frames',
  'stream_disposition=default,attached_pic,timed_thumbnails',
  'stream_tags=DURATION,alpha_mode,ALPHA_MODE',
  'stream_side_data=displaymatrix,rotation',
].join(':')

type Fields = Record<string, unknown>

export function readMediaInfo(untrustedJson: string): MediaInfo {
  let parsed: unknown
  try {
    parsed = JSON.parse(untrustedJson)
  } catch (error) {
    throw failed.corruptInput('The video has no readable description of its streams. Export it again.', error)
  }
  const root = fields(parsed)
  const streams = Array.isArray(root.streams) ? root.streams.slice(0, maxStreams).map(readStream) : []
  return {
    version: word(fields(root.program_version).version),
    seconds: duration(fields(root.format).duration),
    streams: streams.filter(({ index }) => index >= 0),
    frames: Array.isArray(root.frames) ? root.frames.slice(0, maxFrames).map(readFrame) : [],
  }
}

/** Value of a further `-show_entries`, for the frames. */
export const probedFrames = 'frame=stream_index,pts_time'
const maxFrames = 20_000

function readFrame(untrusted: unknown): { stream: number; seconds: number } {
  const frame = fields(untrusted)
  return { stream: integer(frame.stream_index, -1, 100_000), seconds: duration(frame.pts_time) ?? 0 }
}

function readStream(untrusted: unknown): MediaStream {
  const stream = fields(untrusted)
  const disposition = fields(stream.disposition)
  const tags = fields(stream.tags)
  const fieldOrder = word(stream.field_order)
  const aspect = word(stream.sample_aspect_ratio)
  return {
    index: integer(stream.index, -1, 100_000),
    kind: word(stream.codec_type),
    codec: word(stream.codec_name),
    tag: word(stream.codec_tag_string),
    profile: word(stream.profile),
    seconds: duration(stream.duration) ?? clock(tags.DURATION),
    isDefault: disposition.default === 1,
    isCover: disposition.attached_pic === 1 || disposition.timed_thumbnails === 1,
    width: integer(stream.width, 0, 1_000_000),
    height: integer(stream.height, 0, 1_000_000),
    pixelFormat: word(stream.pix_fmt),
    hasReorderedFrames: integer(stream.has_b_frames, 0, 100) > 0,
    isInterlaced: ['tt', 'bb', 'tb', 'bt'].includes(fieldOrder),
    hasUnknownFieldOrder: fieldOrder === '' || fieldOrder === 'unknown',
    colorTransfer: word(stream.color_transfer),
    framesPerSecond: ratio(stream.avg_frame_rate) ?? ratio(stream.r_frame_rate),
    isTurned: Array.isArray(stream.side_data_list) && stream.side_data_list.some(turns),
    hasSquarePixels: aspect === '' || aspect === '1:1' || aspect === '0:1',
    hasAlphaBeside: tags.alpha_mode === '1' || tags.ALPHA_MODE === '1',
    channels: integer(stream.channels, 0, 1024),
    decodedFrames: stream.nb_read_frames === undefined ? undefined : integer(stream.nb_read_frames, 0, 1e9),
  }
}

// `displaymatrix` is three lines of an address and three numbers; the upper left 2 × 2 turns the picture.
function turns(untrusted: unknown): boolean {
  const { displaymatrix, rotation } = fields(untrusted)
  if (typeof displaymatrix === 'string') {
    const [a, b, , c, d] = [
      ...displaymatrix
        .slice(0, 500)
        .replace(/^\s*\w+:/gm, '')
        .matchAll(/-?\d+/g),
    ].map(Number)
    if (d !== undefined) return b !== 0 || c !== 0 || (a ?? 0) <= 0 || d <= 0
  }
  return typeof rotation === 'number' && rotation !== 0
}

const fields = (value: unknown): Fields =>
  typeof value === 'object' && value !== null ? (value as Fields) : {}

const word = (value: unknown): string =>
  typeof value === 'string' && /^[\w.:()[\] +/-]{1,64}$/.test(value) ? value : ''

const integer = (value: unknown, min: number, max: number): number => {
  const number = typeof value === 'number' ? value : typeof value === 'string' ? Number(value) : Number.NaN
  return Number.isInteger(number) && number >= min && number <= max ? number : Math.min(min, 0)
}

function duration(value: unknown): number | undefined {
  const seconds = typeof value === 'string' ? Number(value) : Number.NaN
  return Number.isFinite(seconds) && seconds > 0 ? seconds : undefined
}

/** Matroska keeps a stream's length in a tag: `00:01:02.345000000`. */
function clock(value: unknown): number | undefined {
  const match = typeof value === 'string' ? /^(\d{1,4}):(\d\d):(\d\d(?:\.\d{1,9})?)$/.exec(value) : null
  if (!match) return undefined
  return duration(String(Number(match[1]) * 3600 + Number(match[2]) * 60 + Number(match[3])))
}

function ratio(value: unknown): number | undefined {
  const match = typeof value === 'string' ? /^(\d{1,9})\/(\d{1,9})$/.exec(value) : null
  const quotient = match ? Number(match[1]) / Number(match[2]) : Number.NaN
  return Number.isFinite(quotient) && quotient > 0 ? quotient : undefined
}
