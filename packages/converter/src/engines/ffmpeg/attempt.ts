import type { VideoArgument } from '../../catalog/options/video.ts'
import { ConversionFailed, failed } from '../../failure.ts'
import { decoderArguments, entryArguments, outputArguments } from './arguments.ts'
import { checkVideo } from './check.ts'
import { explainEnd, tooLong } from './failure.ts'
import { type LastPackets, lastPackets } from './last-packets.ts'
import type { MediaInfo } from './media-info.ts'
import { optionList, untrustedInput } from './options.ts'
import { cutSeconds, expectedSeconds, type Plan } from './plan.ts'
import { measure, type Opened, type Source, type Workplace } from './probe.ts'
import { createProgressReader } from './progress.ts'
import type { Rate } from './size-goal.ts'
import type { Target } from './targets.ts'

// The stages run and check: one plan carried out and its result judged.

export interface Conversion {
  place: Workplace
  source: Source
  target: Target
  outputName: string
  info: MediaInfo
  /** The caller's options. */
  asked: VideoArgument
  onProgress: (fraction: number) => void
}

/** ffmpeg failed on the file; `reason` is the message if no other attempt succeeds. */
export class FailedRun extends Error {
  override readonly name = 'FailedRun'
  readonly reason: Error
  constructor(reason: Error) {
    super(reason.message, { cause: reason })
    this.reason = reason
  }
}

/** The programs of an attempt, opened before there is a plan. */
export interface Programs {
  ffmpeg: Opened
  /** The ffprobe that looks at the output. */
  reader: Opened
}

export const openPrograms = async ({ open }: Workplace): Promise<Programs> => ({
  ffmpeg: await open('ffmpeg'),
  reader: await open('ffprobe'),
})

/** How long the result will be. */
export async function secondsOf(conversion: Conversion, plan: Plan): Promise<number> {
  const { place, info, asked } = conversion
  const known = expectedSeconds(info, plan, asked).all
  const seconds = known ?? cutSeconds(await measuredSeconds(conversion, plan), asked)
  if (seconds > place.limits.seconds) throw tooLong(place.limits.seconds)
  if (seconds <= 0) throw failed.unsupported('The option `start` is after the end of the video.')
  return seconds
}

/** Returns the properties of the output. */
export async function attempt(
  conversion: Conversion,
  plan: Plan,
  programs: Programs,
  rate?: Rate,
): Promise<MediaInfo> {
  const { place, source, target, outputName, info, asked, onProgress } = conversion
  const expected = expectedSeconds(info, plan, asked)
  const seconds = await secondsOf(conversion, plan)
  const progress = createProgressReader(seconds, (fraction) => onProgress(fraction * 0.99))
  const ending = lastPackets(plan, expected.video ?? expected.all)
  const result = await programs.ffmpeg.give({
    args: runArguments(conversion, plan, seconds, rate, ending),
    onStdoutLine(untrustedLine) {
      progress.onLine(untrustedLine)
      ending?.onLine(untrustedLine)
    },
  })
  if (result.ending !== 'exited') throw explainEnd(result, 'ffmpeg', place.signal)
  if (result.exitCode !== 0) throw failedRun(explainEnd(result, 'ffmpeg', place.signal))
  if (progress.writtenSeconds() >= place.limits.seconds) throw tooLong(place.limits.seconds)
  const promised = { plan, target, source, expected, asked, hasEnd: ending?.reachEnd() ?? false }
  return checkVideo(place, programs.reader, outputName, promised)
}

function runArguments(
  { place, source, target, outputName, asked }: Conversion,
  plan: Plan,
  seconds: number,
  rate: Rate | undefined,
  ending: LastPackets | undefined,
): string[] {
  const { limits, threads } = place
  const input = [...untrustedInput('ffmpeg', source.demuxer, limits, threads), '-i', source.path]
  return [
    '-nostdin',
    '-hide_banner',
    '-nostats',
    '-y',
    ...optionList({
      loglevel: 'error',
      progress: 'pipe:1',
      stats_period: 0.25,
      filter_threads: threads,
    }),
    ...decoderArguments(plan),
    ...entryArguments(asked),
    ...input,
    ...(ending?.input(input) ?? []),
    ...outputArguments(plan, target, {
      limits,
      threads,
      seconds,
      asked,
      rate,
      isAnimation: source.demuxer === 'gif',
    }),
    `/out/${outputName}`,
    ...(ending?.output ?? []),
  ]
}

const failedRun = (reason: Error): Error =>
  reason instanceof ConversionFailed && reason.word === 'corrupt-input' ? new FailedRun(reason) : reason

async function measuredSeconds({ place, source }: Conversion, { video: { stream } }: Plan): Promise<number> {
  const { lastSeconds, packets } = await measure(place, source, stream.index)
  if (packets === 0)
    throw failed.corruptInput('There are no frames in the video. It is damaged; export it again.')
  const frame = 1 / (stream.framesPerSecond ?? 25)
  return lastSeconds === undefined ? packets * frame : lastSeconds + frame
}
