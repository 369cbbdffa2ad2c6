import type { MediaInfo, MediaStream } from '../../../src/engines/ffmpeg/media-info.ts'

// Streams as ffprobe describes ordinary ones, for unit tests.

export const pictureStream = (change: Partial<MediaStream> = {}): MediaStream => ({
  index: 0,
  kind: 'video',
  codec: 'h264',
  tag: 'avc1',
  profile: 'High',
  seconds: 10,
  isDefault: true,
  isCover: false,
  width: 1280,
  height: 720,
  pixelFormat: 'yuv420p',
  hasReorderedFrames: false,
  isInterlaced: false,
  hasUnknownFieldOrder: false,
  colorTransfer: '',
  framesPerSecond: 30,
  isTurned: false,
  hasSquarePixels: true,
  hasAlphaBeside: false,
  channels: 0,
  decodedFrames: undefined,
  ...change,
})

export const soundStream = (change: Partial<MediaStream> = {}): MediaStream =>
  pictureStream({
    index: 1,
    kind: 'audio',
    codec: 'aac',
    tag: 'mp4a',
    width: 0,
    height: 0,
    channels: 2,
    ...change,
  })

export const subtitleStream = (codec: string, index = 2): MediaStream =>
  pictureStream({ index, kind: 'subtitle', codec, tag: '', width: 0, height: 0, seconds: undefined })

export const film = (...streams: MediaStream[]): MediaInfo => ({
  version: '',
  seconds: 10,
  streams,
  frames: [],
})
