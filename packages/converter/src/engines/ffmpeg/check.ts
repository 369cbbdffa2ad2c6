import { lstat } from 'node:fs/promises'
import { join } from 'node:path'
import type { VideoArgument } from '../../catalog/options/video.ts'
import { ConversionFailed, failed } from '../../failure.ts'
import { tooLarge, tooLong } from './failure.ts'
import { lastSeconds, minMissed } from './last-packets.ts'
import { type MediaInfo, type MediaStream, probedFrames } from './media-info.ts'
import { cutSeconds, type Plan } from './plan.ts'
import { measure, type Opened, probeArguments, readAnswer, type Source, type Workplace } from './probe.ts'
import type { Target } from './targets.ts'

// ffmpeg exits with 0 when it stopped in the middle of a damaged file, when `-fs` truncated the output, and when it
// copied a stream that cannot be decoded. So the output is opened again and compared with the plan: container, codecs,
// approximately the source's duration, and first frames that decode. The last seconds of a copied video stream have to
// decode as well, unless its last packets were found to be valid (last-packets.ts).

/** The output is no good, and the manner of converting may be to blame. */
export class UnusableOutput extends Error {
  override readonly name = 'UnusableOutput'
}

export interface Promised {
  plan: Plan
  target: Target
  source: Source
  expected: { all?: number; video?: number }
  asked: VideoArgument
  /** The end was checked already, and is complete. */
  hasEnd: boolean
}

/** Pictures in a row that no other is made from, as encoders write them at the most. */
const maxSkipped = 16

// Whether pictures decode shows without the deblocking filter. One of the first has to decode: a key frame is enough. To
// see the last seconds, the decoder starts at the key frame before them, which may be ten seconds earlier; pictures that
// no other is made from show nothing more.
const unfiltered = ['-skip_loop_filter', 'all']
const keyFrames = ['-skip_frame', 'nokey', ...unfiltered]
const referencedFrames = ['-skip_frame', 'noref', ...unfiltered]

/** For all streams together; enough for the first frames of an ordinary video with sound. */
const packetsToDecode = 40

/** `reader` is the ffprobe that waits to look at the output. */
export async function checkVideo(
  place: Workplace,
  reader: Opened,
  outputName: string,
  promised: Promised,
): Promise<MediaInfo> {
  const { plan, target } = promised
  // A missing file is reported below.
  const status = await lstat(join(place.outFolder, outputName)).catch(() => undefined)
  if (!status?.isFile() || status.size === 0) throw new UnusableOutput('no output file')
  if (status.size >= place.limits.outputBytes) throw tooLarge()
  const result: Source = { path: `/out/${outputName}`, demuxer: target.demuxer }
  const end = promised.expected.video ?? promised.expected.all
  // A GIF is always encoded, and its reader cannot seek.
  const looksAtEnd = plan.video.copy && !promised.hasEnd && end !== undefined && end > 2 * lastSeconds
  const decoded = looksAtEnd ? ['-show_entries', probedFrames, ...referencedFrames] : keyFrames
  const intervals = looksAtEnd ? `,${(end - lastSeconds).toFixed(3)}%` : ''
  const output = await read(reader, place, result, decoded, intervals)
  const video = checkStreams(output, plan, target)
  if (!video.decodedFrames && !(await decodesAlone(place, result, video))) {
    throw new UnusableOutput('the first frames of the picture do not decode')
  }
  await checkLength(place, promised, output, video)
  if (looksAtEnd) await checkEnd(place, result, output, video, end)
  return output
}

async function checkEnd(
  place: Workplace,
  result: Source,
  { frames }: MediaInfo,
  video: MediaStream,
  end: number,
): Promise<void> {
  const last = Math.max(
    0,
    ...frames.filter(({ stream }) => stream === video.index).map((each) => each.seconds),
  )
  if (last >= end - minMissed) return
  // The last frame may have a long duration; it decodes anyway.
  const { lastSeconds: lastStart = 0, packets } = await measure(place, result, video.index)
  const skipped = (maxSkipped * lastStart) / Math.max(1, packets)
  if (last < lastStart - Math.max(minMissed, skipped))
    throw new UnusableOutput('the last seconds of the picture do not decode')
}

const read = async (
  reader: Opened,
  place: Workplace,
  output: Source,
  extra: readonly string[] = [],
  moreIntervals = '',
): Promise<MediaInfo> => {
  const options = [...extra, '-count_frames', '-read_intervals', `%+#${packetsToDecode}${moreIntervals}`]
  try {
    return readAnswer(await reader.give({ args: probeArguments(place, output, options) }), place.signal)
  } catch (error) {
    if (!(error instanceof ConversionFailed)) throw error
    throw new UnusableOutput('the output cannot be read', { cause: error })
  }
}

/** Sound may fill the beginning of a file; then the picture's packets are read alone. */
async function decodesAlone(place: Workplace, output: Source, video: MediaStream): Promise<boolean> {
  const { streams } = await read(await place.open('ffprobe'), place, output, [
    '-select_streams',
    String(video.index),
  ])
  return streams.some(({ index, decodedFrames }) => index === video.index && Boolean(decodedFrames))
}

function checkStreams(output: MediaInfo, plan: Plan, target: Target): MediaStream {
  const video = output.streams.find(({ kind, isCover }) => kind === 'video' && !isCover)
  const codec = plan.video.copy ? plan.video.stream.codec : target.videoEncoder
  if (!video) throw new UnusableOutput('no picture in the output')
  if (video.codec !== codec) throw new UnusableOutput(`picture is ${video.codec}, not ${codec}`)
  const audio = output.streams.filter(({ kind }) => kind === 'audio')
  if (audio.length !== plan.audio.length) throw new UnusableOutput(`${audio.length} sound tracks`)
  for (const [track, { stream, copy }] of plan.audio.entries()) {
    const promised = copy ? stream.codec : target.audioEncoder
    if (audio[track]?.codec !== promised) throw new UnusableOutput(`sound is not ${promised}`)
  }
  return video
}

/** Encoders and containers round durations; a lost second of a short clip exceeds that. */
const tolerated = (seconds: number) => seconds * 0.98 - 0.5

async function checkLength(
  place: Workplace,
  { plan, source, expected, asked }: Promised,
  output: MediaInfo,
  video: MediaStream,
): Promise<void> {
  const all = output.seconds ?? 0
  if (all >= place.limits.seconds) throw tooLong(place.limits.seconds)
  const picture = video.seconds ?? all
  const isWhole = all >= tolerated(expected.all ?? 0) && picture >= tolerated(expected.video ?? 0)
  if (isWhole) return
  // The last frame may have a long duration, which an encoder does not write. Then the source's packets do reach the
  // announced end, and the output reaches the start of the last one.
  const { lastSeconds = 0, endSeconds = 0 } = await measure(place, source, plan.video.stream.index)
  const declared = expected.video ?? expected.all ?? 0
  const reaches = cutSeconds(endSeconds, asked) >= tolerated(declared)
  if (reaches && picture >= tolerated(cutSeconds(lastSeconds, asked))) return
  throw failed.corruptInput(
    `The file is cut off or damaged: ${Math.round(expected.all ?? 0)} seconds are announced, but only ${Math.round(
      Math.min(all, picture),
    )} can be read. Copy or upload it again.`,
  )
}
