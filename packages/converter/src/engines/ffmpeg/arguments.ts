import type { VideoArgument } from '../../catalog/options/video.ts'
import { failed } from '../../failure.ts'
import { chooseGifSize, gifFilters, pictureFilters } from './filters.ts'
import type { MediaLimits } from './limits.ts'
import type { MediaStream } from './media-info.ts'
import { optionList } from './options.ts'
import type { Plan } from './plan.ts'
import type { Rate } from './size-goal.ts'
import type { Target } from './targets.ts'

// Translates a plan into ffmpeg's output options. They consist of constants and numbers; no text of a user or of a
// probe gets into them.

export interface OutputOptions {
  /** The caller's options. */
  asked: VideoArgument
  /** Where the size of the file is given. */
  rate?: Rate | undefined
  limits: MediaLimits
  threads: number
  /** Duration of the result, where it is known. */
  seconds: number | undefined
  /** The source is a GIF, whose last frame may have a long duration. */
  isAnimation: boolean
}

/** Options before the input: a decoder other than ffmpeg's first choice. */
export function decoderArguments({ video: { stream, copy } }: Plan): string[] {
  if (copy || !stream.hasAlphaBeside) return []
  return [`-c:${stream.index}`, stream.codec === 'vp9' ? 'libvpx-vp9' : 'libvpx']
}

export function outputArguments(plan: Plan, target: Target, options: OutputOptions): string[] {
  return [
    ...maps(plan),
    ...videoArguments(plan, target, options),
    ...plan.audio.flatMap(({ stream, copy }, track) =>
      audioArguments(stream, copy, track, target, options.rate),
    ),
    ...plan.subtitles.flatMap(({ encoder }, track) => [`-c:s:${track}`, encoder]),
    ...(plan.cover ? ['-c:v:1', 'copy', '-disposition:v:1', 'attached_pic'] : []),
    '-dn',
    ...optionList({
      map_metadata: 0,
      map_chapters: 0,
      max_muxing_queue_size: 4096,
      t: longest(options),
      fs: options.limits.outputBytes,
    }),
    ...containerArguments(target),
  ]
}

/** From where the source is entered. */
const longest = ({ limits, asked: { start = 0, end } }: OutputOptions): number =>
  end === undefined ? limits.seconds : Math.min(limits.seconds, end - start)

/** Options before the input: where it is entered. */
export const entryArguments = ({ start }: VideoArgument): string[] =>
  start === undefined || start === 0 ? [] : ['-ss', String(start)]

const maps = ({ video, audio, subtitles, cover }: Plan): string[] =>
  [video, ...(cover ? [{ stream: cover }] : []), ...audio, ...subtitles].flatMap(({ stream }) => [
    '-map',
    `0:${stream.index}`,
  ])

function videoArguments({ video: { stream, copy } }: Plan, target: Target, options: OutputOptions): string[] {
  if (copy) return ['-c:v:0', 'copy', ...(stream.codec === 'hevc' && target.demuxer === 'mov' ? hevcTag : [])]
  switch (target.videoEncoder) {
    case 'gif':
      return gifArguments(stream, options)
    case 'h264':
      return h264Arguments(stream, options)
    case 'vp9':
      return vp9Arguments(stream, options)
  }
}

/** Apple's players support HEVC only with this tag. */
const hevcTag = ['-tag:v:0', 'hvc1']

/** Frames keep their own times: a gap of an hour is one long frame, not a hundred thousand copies. */
const keepFrameTimes = { 'fps_mode:v:0': 'vfr' }

const maxHeight = ({ asked, rate }: OutputOptions): number | undefined => {
  const bounds = [asked.height, rate?.maxHeight].filter((each) => each !== undefined)
  return bounds.length > 0 ? Math.min(...bounds) : undefined
}

/** The usual one is `medium`. */
const constantRates = { h264: { low: 28, medium: 21, high: 17 }, vp9: { low: 40, medium: 32, high: 24 } }

const constantRate = (codec: 'h264' | 'vp9', { asked }: OutputOptions): number =>
  constantRates[codec][asked.quality ?? 'medium']

function h264Arguments(stream: MediaStream, options: OutputOptions): string[] {
  const filters = pictureFilters(stream, { evenSides: true, maxHeight: maxHeight(options) })
  const { rate } = options
  return optionList({
    'filter:v:0': options.isAnimation ? `${evenPace(stream)},${filters}` : filters,
    'c:v:0': 'libx264',
    preset: h264Preset(work(stream, options)),
    crf: constantRate('h264', options),
    'maxrate:v:0': rate?.picture,
    'bufsize:v:0': rate?.picture,
    'profile:v:0': 'high',
    'threads:v:0': options.threads,
    ...keepFrameTimes,
  })
}

// Frames of a GIF have any duration, including the last one; only a constant frame rate keeps the duration of the last.
function evenPace({ framesPerSecond }: MediaStream): string {
  return `fps=${Math.min(50, Math.max(10, Math.ceil(framesPerSecond ?? 25)))}`
}

function vp9Arguments(stream: MediaStream, options: OutputOptions): string[] {
  return optionList({
    'filter:v:0': pictureFilters(stream, { evenSides: false, maxHeight: maxHeight(options) }),
    'c:v:0': 'libvpx-vp9',
    crf: constantRate('vp9', options),
    'b:v:0': options.rate?.picture ?? 0,
    'row-mt': 1,
    'tile-columns': 2,
    ...vp9Speed(work(stream, options)),
    'threads:v:0': options.threads,
    ...keepFrameTimes,
  })
}

function gifArguments(stream: MediaStream, { limits, seconds, asked }: OutputOptions): string[] {
  const { width, framesPerSecond } = asked
  const size = chooseGifSize(stream, seconds ?? 0, limits.gifPixels, {
    ...(width === undefined ? {} : { width }),
    ...(framesPerSecond === undefined ? {} : { framesPerSecond }),
  })
  if (!size) {
    throw failed.tooComplex(
      width === undefined && framesPerSecond === undefined
        ? 'The video is too long for a GIF. Cut it to a few minutes, or convert it to WebM.'
        : 'The video is too long for a GIF of this width and rate. Ask for less of them, or for a shorter part.',
    )
  }
  return optionList({
    'filter:v:0': gifFilters(stream, size),
    'c:v:0': 'gif',
    loop: 0,
    ...keepFrameTimes,
  })
}

/** Thousand million pixels to encode; an hour of 1080p at 30 frames is 224. */
function work({ width, height, framesPerSecond }: MediaStream, { seconds }: OutputOptions): number {
  return (width * height * Math.min(framesPerSecond ?? 30, 120) * (seconds ?? 600)) / 1e9
}

// Measured on two cores: a thousand million pixels take about 20 s with `veryfast`. Long films get a
// faster setting rather than the time limit.
const h264Preset = (pixels: number): string =>
  pixels < 40 ? 'veryfast' : pixels < 80 ? 'superfast' : 'ultrafast'

// VP9 takes about 100 s with `good`, 30 s with `realtime`. `good` is a sixth smaller at the same quality:
// worth it for clips of a few seconds, too slow for everything else.
const vp9Speed = (pixels: number) =>
  pixels < 0.03
    ? { deadline: 'good', 'cpu-used': 4 }
    : { deadline: 'realtime', 'cpu-used': pixels < 20 ? 6 : 8 }

function audioArguments(
  stream: MediaStream,
  copy: boolean,
  track: number,
  target: Target,
  rate: Rate | undefined,
): string[] {
  const codec = `-c:a:${track}`
  if (copy) return [codec, 'copy']
  const channels = Math.min(8, Math.max(1, stream.channels))
  const common = [`-filter:a:${track}`, speakerLayouts, `-b:a:${track}`]
  const bits = (usual: number) => `${Math.min(usual, Math.floor((rate?.sound ?? usual * 1000) / 1000))}k`
  return target.audioEncoder === 'opus'
    ? [codec, 'libopus', ...common, bits(32 + 48 * channels)]
    : [codec, 'aac', ...common, bits(32 + 64 * channels)]
}

/** Layouts that both encoders and all players support; others (5.1 with side speakers) are mapped to the nearest. */
const speakerLayouts = 'aformat=channel_layouts=mono|stereo|3.0|quad|5.0|5.1|7.1'

function containerArguments({ muxer }: Target): string[] {
  // The index goes to the front, so that a player can start before everything is loaded.
  // A time code in the metadata would become a data stream again.
  const ofQuickTime =
    muxer === 'mp4' || muxer === 'mov' ? ['-movflags', '+faststart', '-write_tmcd', '0'] : []
  return [...ofQuickTime, '-f', muxer]
}
