import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ConversionFailed, failed } from '../../errors.ts'
import type { Sandbox } from '../../sandbox/sandbox.ts'
import type { Engine, EngineRun } from '../engine.ts'
import { refuseCutOff } from './announced-size.ts'
import { decoderArguments, outputArguments } from './arguments.ts'
import { checkVideo, UnusableOutput } from './check.ts'
import { chooseDemuxer } from './demuxer.ts'
import { explainEnd, tooLong } from './failure.ts'
import { defaultMediaLimits, type MediaLimits, probeLimits, runLimits } from './limits.ts'
import type { MediaInfo } from './media-info.ts'
import { expectedSeconds, hasShortcuts, type Manner, makePlan, type Plan } from './plan.ts'
import { measure, probe, refuseOversized, type Source, type Workplace } from './probe.ts'
import { createProgressReader, onlyRising } from './progress.ts'
import { isTarget, type Target, targets } from './targets.ts'
import { untrustedInput } from './untrusted-input.ts'

// One video, in four stages, each in a box of its own:
//   probe   what is in the file, read by the demuxer that the pair names
//   plan    which streams are copied, encoded or left out (no program)
//   run     ffmpeg, whose reports become the progress
//   check   is the output what the plan promised?
// A plan with copied streams or subtitles may fail on files that bend the rules. It is then tried once
// more with everything encoded and without subtitles. What still fails, fails.

export interface FfmpegOptions {
  /** Threads for decoder, filters and encoder, each. */
  threads?: number
  limits?: Partial<MediaLimits>
}

export function createFfmpegEngine(options: FfmpegOptions = {}): Engine {
  const limits = { ...defaultMediaLimits, ...options.limits }
  const threads = options.threads ?? 2
  return {
    name: 'ffmpeg',
    convert: (run) => convert(run, limits, threads),
    version,
  }
}

interface Conversion {
  place: Workplace
  source: Source
  target: Target
  outputName: string
  info: MediaInfo
  onProgress: (fraction: number) => void
}

async function convert(run: EngineRun, limits: MediaLimits, threads: number): Promise<string> {
  const { from, to, inFolder, inputName, outFolder, sandbox, signal } = run
  if (!isTarget(to)) throw new Error(`No video target ${to}; add one in engines/ffmpeg/targets.ts`)
  const place = { sandbox, inFolder, outFolder, signal, limits, threads }
  const demuxer = await chooseDemuxer(from, join(inFolder, inputName))
  await refuseCutOff(join(inFolder, inputName), demuxer)
  const source = { path: `/in/${inputName}`, demuxer }
  const info = await probe(place, source)
  refuseOversized(info, limits)
  const conversion: Conversion = {
    place,
    source,
    target: targets[to],
    outputName: `output.${to}`,
    info,
    onProgress: onlyRising(run.onProgress),
  }
  const plan = makePlan(info, demuxer, conversion.target, 'copy-what-fits')
  try {
    await attempt(conversion, plan)
  } catch (error) {
    if (!mayHelpToEncode(error) || !hasShortcuts(plan)) throw asFailure(error)
    await attempt(conversion, makePlan(info, demuxer, conversion.target, 'cautious' satisfies Manner)).catch(
      (second: unknown) => {
        throw asFailure(second)
      },
    )
  }
  conversion.onProgress(1)
  return conversion.outputName
}

const mayHelpToEncode = (error: unknown): boolean =>
  error instanceof UnusableOutput || error instanceof FailedRun

const asFailure = (error: unknown): unknown => {
  if (error instanceof FailedRun) return error.reason
  if (!(error instanceof UnusableOutput)) return error
  return failed.corruptInput(
    'No usable video came out of the file. It is probably damaged; export it again.',
    error,
  )
}

/** ffmpeg gave up on the file; `reason` is what to say if nothing else helps. */
class FailedRun extends Error {
  readonly reason: Error
  constructor(reason: Error) {
    super(reason.message, { cause: reason })
    this.reason = reason
  }
}

async function attempt(conversion: Conversion, plan: Plan): Promise<void> {
  const { place, source, target, outputName, info, onProgress } = conversion
  const expected = expectedSeconds(info, plan)
  const seconds = expected.all ?? (await measuredSeconds(conversion, plan))
  if (seconds > place.limits.seconds) throw tooLong(place.limits.seconds)
  const progress = createProgressReader(seconds, (fraction) => onProgress(fraction * 0.99))
  const result = await place.sandbox.run({
    program: 'ffmpeg',
    args: [
      ...['-nostdin', '-hide_banner', '-loglevel', 'error', '-nostats', '-progress', 'pipe:1', '-y'],
      ...['-filter_threads', String(place.threads)],
      ...untrustedInput('ffmpeg', source.demuxer, place.limits, place.threads),
      ...decoderArguments(plan),
      ...['-i', source.path],
      ...outputArguments(plan, target, {
        limits: place.limits,
        threads: place.threads,
        seconds,
        isAnimation: source.demuxer === 'gif',
      }),
      `/out/${outputName}`,
    ],
    inFolder: place.inFolder,
    outFolder: place.outFolder,
    limits: runLimits(place.limits, place.threads),
    signal: place.signal,
    onStdoutLine: progress.onLine,
  })
  if (result.ending !== 'exited') throw explainEnd(result, 'ffmpeg')
  if (result.exitCode !== 0) throw failedRun(explainEnd(result, 'ffmpeg'))
  if (progress.writtenSeconds() >= place.limits.seconds) throw tooLong(place.limits.seconds)
  await checkVideo(place, outputName, { plan, target, source, expected })
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

const neededLibraries = ['libx264', 'libvpx', 'libopus', 'libdav1d', 'libzimg']

async function version(sandbox: Sandbox): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'kiln-ffmpeg-'))
  try {
    const inFolder = join(folder, 'in')
    const outFolder = join(folder, 'out')
    await mkdir(inFolder)
    await mkdir(outFolder)
    const result = await sandbox.run({
      program: 'ffmpeg',
      args: ['-version'],
      inFolder,
      outFolder,
      limits: probeLimits,
    })
    const number = /^ffmpeg version (\S{1,40})/.exec(result.untrustedStdout)?.[1]
    if (result.exitCode !== 0 || !number) throw new Error('ffmpeg does not run. Install the package ffmpeg.')
    const missing = neededLibraries.filter((name) => !result.untrustedStdout.includes(`--enable-${name}`))
    if (missing.length > 0) throw new Error(`ffmpeg ${number} was built without ${missing.join(', ')}.`)
    return number
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
