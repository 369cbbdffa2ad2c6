import type { MediaStream } from './media-info.ts'

// The ffmpeg filters between decoder and encoder. ffmpeg itself turns it upright first
// (display matrix), so widths and heights are expressions here, not the probed figures.

/** For H.264 and VP9: progressive, standard range, opaque, 8 bits, 4:2:0. */
export function pictureFilters(
  video: MediaStream,
  { evenSides, maxHeight }: { evenSides: boolean; maxHeight?: number | undefined },
): string {
  return [
    ...deinterlace(video),
    ...standardRange(video),
    ...opaque(video),
    ...(maxHeight === undefined ? [] : [scaledTo(maxHeight)]),
    ...(evenSides ? even(video) : []),
    'format=yuv420p',
  ].join(',')
}

// Both dimensions even, as some encoders require.
const scaledTo = (height: number): string => `scale=w=-2:h=trunc(min(${height}\\,ih)/2)*2:flags=bicubic`

// Only frames that are marked as interlaced are touched. Some demuxers do not report it: then the codecs of
// broadcast and camcorders are looked at frame by frame.
const mayBeInterlaced = ['mpeg2video', 'dvvideo', 'vc1', 'h264']

const deinterlace = (video: MediaStream): string[] =>
  video.isInterlaced || (video.hasUnknownFieldOrder && mayBeInterlaced.includes(video.codec))
    ? ['bwdif=mode=send_frame:deint=interlaced']
    : []

// HDR squeezed into 8 bits without tone mapping looks grey.
const standardRange = (video: MediaStream): string[] =>
  ['smpte2084', 'arib-std-b67'].includes(video.colorTransfer)
    ? [
        'zscale=transfer=linear:npl=100',
        'format=gbrpf32le',
        'zscale=primaries=bt709',
        'tonemap=hable:desat=0',
        'zscale=transfer=bt709:matrix=bt709:range=tv',
      ]
    : []

const hasAlpha = ({ pixelFormat, hasAlphaBeside }: MediaStream) =>
  hasAlphaBeside || /^(yuva|gbrap|rgba|bgra|argb|abgr|ya|pal8)/.test(pixelFormat)

/** Transparency becomes white, as on a page. (`drawbox` with `replace` would do, but crashes in ffmpeg 5.1.) */
const opaque = (video: MediaStream): string[] =>
  hasAlpha(video)
    ? [
        'format=rgba,split[picture][ground];[ground]lutrgb=r=255:g=255:b=255:a=255[white];' +
          '[white][picture]overlay=format=rgb',
      ]
    : []

// 4:2:0 has one colour for two pixels. A row or column less is not seen; scaling would blur everything.
function even({ width, height }: MediaStream): string[] {
  if (width % 2 === 0 && height % 2 === 0) return []
  if (width === 1 || height === 1) return ['pad=ceil(iw/2)*2:ceil(ih/2)*2']
  return ['crop=trunc(iw/2)*2:trunc(ih/2)*2:0:0']
}

export interface GifSize {
  /** Pixels of the longer side. */
  side: number
  /** In place of it. */
  width?: number
  framesPerSecond: number
}

// GIF counts time in hundredths of a second, so only rates that divide 100 play evenly.
const gifSizes: readonly GifSize[] = [
  { side: 640, framesPerSecond: 100 / 6 },
  { side: 480, framesPerSecond: 100 / 8 },
  { side: 360, framesPerSecond: 10 },
  { side: 320, framesPerSecond: 100 / 12 },
  { side: 240, framesPerSecond: 100 / 16 },
]

/**
 * The largest size whose frames stay within the budget, with the requested width and rate. Undefined when the video is
 * too long for such a GIF.
 */
export function chooseGifSize(
  video: MediaStream,
  seconds: number,
  pixelBudget: number,
  asked: { width?: number; framesPerSecond?: number } = {},
): GifSize | undefined {
  const sizes = gifSizes.map((size) => ({ ...size, ...asked }))
  return sizes.find(({ side, width, framesPerSecond }) => {
    const scale = Math.min(1, width ? width / shownWidth(video) : side / Math.max(video.width, video.height))
    const rate = Math.min(video.framesPerSecond ?? framesPerSecond, framesPerSecond)
    return video.width * scale * video.height * scale * rate * seconds <= pixelBudget
  })
}

/** The narrower side of a rotated picture: it overestimates the cost, which is safe. */
const shownWidth = ({ width, height, isTurned }: MediaStream): number =>
  isTurned ? Math.min(width, height) : width

/** One palette for the whole film, found and used in one go. */
export function gifFilters(video: MediaStream, { side, width, framesPerSecond }: GifSize): string {
  const tooFast = (video.framesPerSecond ?? Number.POSITIVE_INFINITY) > framesPerSecond
  return [
    ...deinterlace(video),
    ...(tooFast ? [`fps=${framesPerSecond.toFixed(4)}`] : []),
    ...standardRange(video),
    ...(video.hasSquarePixels ? [] : ['scale=iw*sar:ih', 'setsar=1']),
    width === undefined
      ? `scale=w=min(${side}\\,iw):h=min(${side}\\,ih):force_original_aspect_ratio=decrease:flags=lanczos`
      : `scale=w=min(${width}\\,iw):h=-1:flags=lanczos`,
    'split[frames][sample];[sample]palettegen[palette];' +
      '[frames][palette]paletteuse=dither=sierra2_4a:diff_mode=rectangle',
  ].join(',')
}
