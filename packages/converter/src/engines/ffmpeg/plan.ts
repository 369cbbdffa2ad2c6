import type { VideoArgument } from '../../catalog/options/video.ts'
import { failed } from '../../failure.ts'
import { isAllowed } from './codecs.ts'
import type { Demuxer } from './demuxer.ts'
import type { MediaInfo, MediaStream } from './media-info.ts'
import type { Target } from './targets.ts'

// Decides for each stream of a file whether it is copied, encoded or dropped. A pure function, so that every rule has a
// line in a test. arguments.ts turns the decisions into ffmpeg's options.
//
// - One video stream: the default one that is not a cover. Without one, there is nothing to convert.
// - All audio streams. One whose codec is not supported is dropped as long as another is left; a film that would become
//   silent is refused instead.
// - Subtitles that the target supports; others are dropped and never fail the job.
// - Data streams (time codes, GPS of cameras) are dropped.

export interface Plan {
  video: { stream: MediaStream; copy: boolean }
  audio: readonly { stream: MediaStream; copy: boolean }[]
  subtitles: readonly { stream: MediaStream; encoder: string }[]
  cover: MediaStream | undefined
}

/** `cautious`: encodes everything and leaves subtitles out, for when copying did not work. */
export type Manner = 'copy-what-fits' | 'cautious'

/** More tracks than a film with all its dubs has. */
const maxAudioTracks = 16
const maxSubtitleTracks = 32

const textSubtitles = ['subrip', 'ass', 'webvtt', 'mov_text']

export function makePlan(
  info: MediaInfo,
  from: Demuxer,
  target: Target,
  manner: Manner,
  asked: VideoArgument = {},
): Plan {
  const careful = manner === 'cautious'
  const video = chooseVideo(info)
  return {
    video: { stream: video, copy: !careful && canCopyVideo(video, from, target) && !changes(video, asked) },
    audio:
      target.audioEncoder && !asked.silent
        ? chooseAudio(info).map((stream) => ({
            stream,
            copy: !careful && target.copiesAudio(stream) && asked.maxBytes === undefined && !asked.start,
          }))
        : [],
    subtitles: careful ? [] : chooseSubtitles(info, target),
    cover: careful || !target.keepsCover ? undefined : chooseCover(info),
  }
}

/** Is there anything that the cautious manner would do differently? */
export const hasShortcuts = ({ video, audio, subtitles, cover }: Plan): boolean =>
  video.copy || audio.some(({ copy }) => copy) || subtitles.length > 0 || cover !== undefined

function chooseVideo({ streams }: MediaInfo): MediaStream {
  const pictures = streams.filter(({ kind, isCover }) => kind === 'video' && !isCover)
  if (pictures.length === 0) {
    if (streams.some(({ kind }) => kind === 'audio')) {
      throw failed.unsupported('There is no video in the file, only sound. Convert it as an audio file.')
    }
    throw failed.corruptInput('There is no video in the file. It may be damaged; export it again.')
  }
  pictures.sort((a, b) => Number(b.isDefault) - Number(a.isDefault) || a.index - b.index)
  if (streams.some(({ tag }) => ['encv', 'enca', 'drmi', 'drms'].includes(tag))) {
    throw failed.passwordProtected(
      'The video is copy-protected (DRM) and cannot be converted without its key.',
    )
  }
  const video = pictures.find(({ codec }) => isAllowed(codec, 'video'))
  if (!video)
    throw failed.unsupported(`The picture is coded as ${codecLabel(pictures[0])}, which is not supported.`)
  if (video.width === 0 || video.height === 0) {
    throw failed.corruptInput('The video holds no picture that can be read. Export it again.')
  }
  return video
}

function canCopyVideo(video: MediaStream, from: Demuxer, target: Target): boolean {
  if (!target.copiesVideo(video)) return false
  if (video.isTurned && !target.keepsTurning) return false
  // AVI stores no display times; where frames are reordered they are unknown without decoding.
  return from !== 'avi' || !video.hasReorderedFrames
}

/** Do the options require encoding? A copy can end anywhere, but can start only at a key frame of the source. */
function changes(video: MediaStream, { height, quality, maxBytes, start = 0 }: VideoArgument): boolean {
  const shownHeight = video.isTurned ? Math.max(video.width, video.height) : video.height
  return (
    quality !== undefined ||
    maxBytes !== undefined ||
    start > 0 ||
    (height !== undefined && shownHeight > height)
  )
}

function chooseAudio({ streams }: MediaInfo): MediaStream[] {
  const tracks = streams.filter(({ kind }) => kind === 'audio')
  const readable = tracks.filter(({ codec, channels }) => isAllowed(codec, 'audio') && channels > 0)
  const [unreadable] = tracks
  if (unreadable && readable.length === 0) {
    if (isAllowed(unreadable.codec, 'audio')) return []
    throw failed.unsupported(`The sound is coded as ${codecLabel(unreadable)}, which is not supported.`)
  }
  return readable.slice(0, maxAudioTracks)
}

function chooseSubtitles({ streams }: MediaInfo, target: Target): { stream: MediaStream; encoder: string }[] {
  return streams
    .filter(({ kind }) => kind === 'subtitle')
    .flatMap((stream) => {
      if (target.copiesSubtitles.includes(stream.codec)) return [{ stream, encoder: 'copy' }]
      const encoder = textSubtitles.includes(stream.codec) ? target.textSubtitles : undefined
      return encoder ? [{ stream, encoder }] : []
    })
    .slice(0, maxSubtitleTracks)
}

const chooseCover = ({ streams }: MediaInfo): MediaStream | undefined =>
  streams.find(({ kind, isCover, codec }) => kind === 'video' && isCover && ['mjpeg', 'png'].includes(codec))

const codecLabel = (stream: MediaStream | undefined): string =>
  [stream?.codec, stream?.tag].map((name) => name?.replace(/\W/g, '')).find(Boolean) ?? 'something unknown'

/**
 * The expected duration of the result, according to the source; `video` only where that is known. A stream's own
 * duration includes parts that an edit list hides, so the container's duration is the upper bound.
 */
export function expectedSeconds(
  info: MediaInfo,
  plan: Plan,
  asked: VideoArgument = {},
): { all?: number; video?: number } {
  const { all, video } = sourceSeconds(info, plan)
  return {
    ...(all === undefined ? {} : { all: cutSeconds(all, asked) }),
    ...(video === undefined ? {} : { video: cutSeconds(video, asked) }),
  }
}

/** The duration that is left of this many seconds of the source. */
export const cutSeconds = (seconds: number, { start = 0, end = seconds }: VideoArgument): number =>
  Math.max(0, Math.min(seconds, end) - start)

function sourceSeconds(info: MediaInfo, plan: Plan): { all?: number; video?: number } {
  const whole = info.seconds ?? Number.POSITIVE_INFINITY
  const lengths = [plan.video.stream, ...plan.audio.map(({ stream }) => stream)].map(({ seconds }) => seconds)
  const known = lengths.filter((seconds) => seconds !== undefined)
  const video = plan.video.stream.seconds
  if (known.length === lengths.length) {
    return { all: Math.min(whole, Math.max(...known)), ...(video ? { video: Math.min(whole, video) } : {}) }
  }
  // The container's duration covers subtitles and data as well, so it is used only if there are none.
  const others = info.streams.some(({ kind }) => kind !== 'video' && kind !== 'audio')
  return info.seconds !== undefined && !others ? { all: info.seconds } : {}
}
