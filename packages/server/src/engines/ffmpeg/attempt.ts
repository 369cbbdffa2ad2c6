import { ConversionFailed, failed } from '../../errors.ts'
import { decoderArguments, outputArguments } from './arguments.ts'
import { checkVideo } from './check.ts'
import { explainEnd, tooLong } from './failure.ts'
import { probeLimits, runLimits } from './limits.ts'
import type { MediaInfo } from './media-info.ts'
import { expectedSeconds, type Plan } from './plan.ts'
import { type Preparation, type PreparedProgram, prepareProgram } from './prepared-program.ts'
import { measure, type Source, type Workplace } from './probe.ts'
import { createProgressReader, type ProgressReader } from './progress.ts'
import type { Target } from './targets.ts'
import { untrustedInput } from './untrusted-input.ts'

// The stages run and check: one plan carried out and its result judged.

export interface Conversion {
  place: Workplace
  source: Source
  target: Target
  outputName: string
  info: MediaInfo
  onProgress: (fraction: number) => void
}

/** ffmpeg gave up on the file; `reason` is what to say if nothing else helps. */
export class FailedRun extends Error {
  override readonly name = 'FailedRun'
  readonly reason: Error
  constructor(reason: Error) {
    super(reason.message, { cause: reason })
    this.reason = reason
  }
}

/** The ffmpeg of a conversion, before there is a plan. Its reports go to whoever listens at the time. */
export interface PreparedRun {
  program: PreparedProgram
  listen(progress: ProgressReader): void
}

export async function prepareRun(
  place: Workplace,
  source: Source,
  outputName: string,
  prepare: (place: Workplace, preparation: Preparation) => Promise<PreparedProgram> | PreparedProgram,
): Promise<PreparedRun> {
  let progress: ProgressReader | undefined
  const program = await prepare(place, {
    program: 'ffmpeg',
    paths: [source.path, `/out/${outputName}`],
    limits: runLimits(place.limits, place.threads),
    onStdoutLine: (untrustedLine) => progress?.onLine(untrustedLine),
  })
  return {
    program,
    listen(reader) {
      progress = reader
    },
  }
}

export async function attempt(conversion: Conversion, plan: Plan, run: PreparedRun): Promise<void> {
  const { place, source, target, outputName, info, onProgress } = conversion
  const expected = expectedSeconds(info, plan)
  const seconds = expected.all ?? (await measuredSeconds(conversion, plan))
  if (seconds > place.limits.seconds) throw tooLong(place.limits.seconds)
  const progress = createProgressReader(seconds, (fraction) => onProgress(fraction * 0.99))
  run.listen(progress)
  const running = run.program.start(runArguments(conversion, plan, seconds))
  // A fault of the box is met below; until then it must not count as unhandled.
  running.catch(() => {})
  const reader = await prepareProgram(place, {
    program: 'ffprobe',
    paths: [`/out/${outputName}`],
    // It waits as long as the run takes.
    limits: { ...probeLimits, wallSeconds: probeLimits.wallSeconds + place.limits.wallSeconds },
  })
  try {
    const result = await running
    if (result.ending !== 'exited') throw explainEnd(result, 'ffmpeg')
    if (result.exitCode !== 0) throw failedRun(explainEnd(result, 'ffmpeg'))
    if (progress.writtenSeconds() >= place.limits.seconds) throw tooLong(place.limits.seconds)
    await checkVideo(place, reader, outputName, { plan, target, source, expected })
  } finally {
    await reader.abandon()
  }
}

function runArguments(
  { place, source, target, outputName }: Conversion,
  plan: Plan,
  seconds: number,
): string[] {
  const { limits, threads } = place
  return [
    ...['-nostdin', '-hide_banner', '-loglevel', 'error', '-nostats', '-progress', 'pipe:1', '-y'],
    ...['-filter_threads', String(threads)],
    ...untrustedInput('ffmpeg', source.demuxer, limits, threads),
    ...decoderArguments(plan),
    ...['-i', source.path],
    ...outputArguments(plan, target, { limits, threads, seconds, isAnimation: source.demuxer === 'gif' }),
    `/out/${outputName}`,
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
