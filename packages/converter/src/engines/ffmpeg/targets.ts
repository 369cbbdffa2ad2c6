import type { Demuxer } from './demuxer.ts'
import type { MediaStream } from './media-info.ts'

// The codecs that each target accepts unchanged. A stream that fits is copied: lossless, and a hundred times faster.
// "Fits" is stricter than the container's standard: people want an MP4 that plays, so the MP4 list contains what
// current phones, browsers and televisions play, and everything else is encoded.

export type TargetName = 'mp4' | 'mov' | 'mkv' | 'webm' | 'gif'

export interface Target {
  muxer: string
  /** Reads the output when it is checked. */
  demuxer: Demuxer
  copiesVideo: (stream: MediaStream) => boolean
  copiesAudio: (stream: MediaStream) => boolean
  videoEncoder: 'h264' | 'vp9' | 'gif'
  /** undefined: the target has no sound. */
  audioEncoder: 'aac' | 'opus' | undefined
  copiesSubtitles: readonly string[]
  /** The codec for other text subtitles. */
  textSubtitles: 'mov_text' | 'subrip' | 'webvtt' | undefined
  /** Does the container keep a display matrix? If not, a turned picture has to be encoded upright. */
  keepsTurning: boolean
  keepsCover: boolean
}

/** Eight bits and 4:2:0: the only kind of H.264 that hardware decoders agree on. */
const isPlainH264 = ({ codec, pixelFormat }: MediaStream) =>
  codec === 'h264' && (pixelFormat === 'yuv420p' || pixelFormat === 'yuvj420p')

/** The formats that phones record: HEVC Main and Main 10. AV1 Main plays in every current browser. */
const isMainProfile = ({ codec, pixelFormat }: MediaStream) =>
  (codec === 'hevc' || codec === 'av1') && /^yuvj?420p(10le)?$/.test(pixelFormat)

const oneOf = (codecs: readonly string[]) => (stream: MediaStream) => codecs.includes(stream.codec)
const nothing = () => false

const pcm = [
  'pcm_s16le',
  'pcm_s16be',
  'pcm_s24le',
  'pcm_s24be',
  'pcm_s32le',
  'pcm_s32be',
  'pcm_f32le',
  'pcm_u8',
]

export const targets: Readonly<Record<TargetName, Target>> = {
  mp4: {
    muxer: 'mp4',
    demuxer: 'mov',
    // Not VP9, MPEG-4 Part 2 or MPEG-2: allowed in an MP4, but half of the players show nothing.
    copiesVideo: (stream) => isPlainH264(stream) || isMainProfile(stream),
    // Not AC-3, Opus, FLAC or ALAC: each is silent somewhere that matters, and sound is cheap to encode.
    copiesAudio: oneOf(['aac', 'mp3']),
    videoEncoder: 'h264',
    audioEncoder: 'aac',
    copiesSubtitles: ['mov_text', 'dvd_subtitle'],
    textSubtitles: 'mov_text',
    keepsTurning: true,
    keepsCover: true,
  },
  mov: {
    muxer: 'mov',
    demuxer: 'mov',
    // QuickTime is a format for editing: every codec that the container supports is copied.
    copiesVideo: oneOf(['h264', 'hevc', 'prores', 'mjpeg', 'mpeg4']),
    copiesAudio: oneOf(['aac', 'mp3', 'alac', 'ac3', 'eac3', ...pcm]),
    videoEncoder: 'h264',
    audioEncoder: 'aac',
    copiesSubtitles: ['mov_text'],
    textSubtitles: 'mov_text',
    keepsTurning: true,
    keepsCover: false,
  },
  mkv: {
    muxer: 'matroska',
    demuxer: 'matroska',
    copiesVideo: oneOf('h264 hevc av1 vp8 vp9 mpeg4 mpeg1video mpeg2video mjpeg prores theora'.split(' ')),
    copiesAudio: oneOf(
      'aac mp3 mp2 ac3 eac3 dts truehd opus vorbis flac alac pcm_s16le pcm_s24le pcm_s32le pcm_f32le pcm_u8'.split(
        ' ',
      ),
    ),
    videoEncoder: 'h264',
    audioEncoder: 'aac',
    copiesSubtitles: ['subrip', 'ass', 'webvtt', 'dvd_subtitle', 'hdmv_pgs_subtitle', 'dvb_subtitle'],
    textSubtitles: 'subrip',
    // ffmpeg learnt to write it in Matroska only with version 7.
    keepsTurning: false,
    keepsCover: false,
  },
  webm: {
    muxer: 'webm',
    demuxer: 'matroska',
    copiesVideo: (stream) =>
      oneOf(['vp8', 'vp9'])(stream) || (stream.codec === 'av1' && isMainProfile(stream)),
    copiesAudio: oneOf(['opus', 'vorbis']),
    videoEncoder: 'vp9',
    audioEncoder: 'opus',
    copiesSubtitles: ['webvtt'],
    textSubtitles: 'webvtt',
    keepsTurning: false,
    keepsCover: false,
  },
  gif: {
    muxer: 'gif',
    demuxer: 'gif',
    copiesVideo: nothing,
    copiesAudio: nothing,
    videoEncoder: 'gif',
    audioEncoder: undefined,
    copiesSubtitles: [],
    textSubtitles: undefined,
    keepsTurning: false,
    keepsCover: false,
  },
}

export const isTarget = (name: string): name is TargetName => Object.hasOwn(targets, name)
