import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { argumentsOf } from '../../catalog/options/option.ts'
import { type VideoArgument, videoOptions } from '../../catalog/options/video.ts'
import { failed } from '../../failure.ts'
import { askVersion } from '../ask-version.ts'
import type { Engine, EngineParts, EngineRun } from '../engine.ts'
import { ifPreloadWorks, openPreloaded, preloadedProgram } from '../preloaded-program.ts'
import { attempt, type Conversion, FailedRun, openPrograms, type Programs, secondsOf } from './attempt.ts'
import { UnusableOutput } from './check.ts'
import { chooseDemuxer, refuseCutOff } from './demuxer.ts'
import { defaultMediaLimits, type MediaLimits, probeLimits, runLimits } from './limits.ts'
import type { MediaInfo } from './media-info.ts'
import { hasShortcuts, makePlan, type Plan } from './plan.ts'
import { probe, refuseOversized, type Source, type Workplace } from './probe.ts'
import { onlyRising } from './progress.ts'
import { maxTries, type Rate, rateFor } from './size-goal.ts'
import { streamFindings } from './stream-findings.ts'
import { stubsFit, withStubs } from './stub-libraries.ts'
import { isTarget, type TargetName, targets } from './targets.ts'

// Converts one video in four stages; each program has its own sandbox:
//   probe   what is in the file, read by the demuxer that the pair names (ffprobe)
//   plan    which streams are copied, encoded or dropped (no program)
//   run     ffmpeg, whose reports become the progress
//   check   is the output what the plan promised? (ffprobe)
// The programs of all three are opened at the same time: they may be pre-warmed, and if not, those of run and check
// start while the probe works. A plan with copied streams or subtitles may fail on files that violate the standard.
// It is then tried once more with everything encoded and without subtitles.

export interface FfmpegOptions {
  /** Threads for decoder, filters and encoder, each. */
  threads?: number
  limits?: Partial<MediaLimits>
}

/** Libraries that Kiln needs and a build of ffmpeg may lack. */
const neededLibraries = ['libx264', 'libvpx', 'libopus', 'libdav1d', 'libzimg']

export function createFfmpegEngine(parts: EngineParts, options: FfmpegOptions = {}): Engine {
  const limits = { ...defaultMediaLimits, ...options.limits }
  const threads = options.threads ?? 2
  const programsWith = (more: typeof withStubs) => ({
    ffmpeg: preloadedProgram('ffmpeg', { ...more, limits: runLimits(limits, threads) }),
    ffprobe: preloadedProgram('ffprobe', { ...more, limits: probeLimits }),
  })
  const [whole, lean] = [programsWith({}), programsWith(withStubs)]
  const current = () => (stubsFit() ? lean : whole)
  return {
    name: 'ffmpeg',
    // A megabyte of well packed video is a minute of film; encoding it takes up to ten times as long.
    budget: { seconds: 120, secondsPerMegabyte: 600 },
    convert: (run) => {
      const { sandbox, inFolder, outFolder, signal } = run
      const programs = current()
      const open: Workplace['open'] = (name) => openPreloaded(parts.sandbox, run, programs[name])
      return convert(run, { sandbox, inFolder, outFolder, signal, limits, threads, open })
    },
    prewarmedPrograms: () => {
      const { ffmpeg, ffprobe } = current()
      return ifPreloadWorks(parts.sandbox, [ffprobe, ffmpeg, ffprobe])
    },
    version: () => version(parts),
  }
}

async function version(parts: EngineParts): Promise<string> {
  const spec = {
    ...(stubsFit() ? withStubs : {}),
    program: 'ffmpeg',
    args: ['-version'],
    limits: probeLimits,
  }
  const advice = 'ffmpeg does not start. Install the package ffmpeg.'
  const { version, untrustedStdout } = await askVersion(parts, spec, /^ffmpeg version \S{1,40}/, advice)
  const missing = neededLibraries.filter((name) => !untrustedStdout.includes(`--enable-${name}`))
  if (missing.length > 0) throw new Error(`${version} was built without ${missing.join(', ')}.`)
  return version
}

async function convert(run: EngineRun, place: Workplace): Promise<string> {
  const { from, to, inFolder, inputName } = run
  if (!isTarget(to)) throw new Error(`No video target ${to}; add one in engines/ffmpeg/targets.ts`)
  const demuxer = await chooseDemuxer(from, join(inFolder, inputName))
  await refuseCutOff(join(inFolder, inputName), demuxer)
  const source = { path: `/in/${inputName}`, demuxer }
  const outputName = `output.${to}`
  const asked = argumentsOf(videoOptions, run.pair, run.options)
  const reporting = { note: run.note, onProgress: onlyRising(run.onProgress) }
  await probeAndConvert(place, source, to, outputName, asked, reporting)
  return outputName
}

async function probeAndConvert(
  place: Workplace,
  source: Source,
  to: TargetName,
  outputName: string,
  asked: VideoArgument,
  { onProgress, note }: Pick<EngineRun, 'onProgress' | 'note'>,
): Promise<void> {
  const probing = probe(place, await place.open('ffprobe'), source)
  // Awaited below; a rejection meanwhile must not count as unhandled.
  probing.catch(() => {})
  const programs = await openPrograms(place)
  const info = await probing
  note({ version: info.version, input: lengthOf(info) })
  refuseOversized(info, place.limits)
  const target = targets[to]
  const conversion: Conversion = { place, source, target, outputName, info, asked, onProgress }
  const carryOut: CarryOut = async (plan, opened, rate) => {
    const output = await attempt(conversion, plan, opened, rate)
    note({ ...streamFindings(info, plan, target), output: lengthOf(output) })
  }
  try {
    if (asked.maxBytes === undefined) await convertOnce(conversion, programs, carryOut)
    else await convertWithin(conversion, programs, asked.maxBytes, carryOut)
  } catch (error) {
    throw asFailure(error)
  }
  onProgress(1)
}

const lengthOf = ({ seconds }: MediaInfo) => ({ seconds: seconds ?? null })

type CarryOut = (plan: Plan, programs: Programs, rate?: Rate) => Promise<void>

async function convertOnce(conversion: Conversion, programs: Programs, carryOut: CarryOut): Promise<void> {
  const { place, source, target, info, asked } = conversion
  const plan = makePlan(info, source.demuxer, target, 'copy-what-fits', asked)
  await carryOut(plan, programs).catch(async (error: unknown) => {
    if (!mayHelpToEncode(error) || !hasShortcuts(plan)) throw error
    await carryOut(makePlan(info, source.demuxer, target, 'cautious', asked), await openPrograms(place))
  })
}

async function convertWithin(
  conversion: Conversion,
  first: Programs,
  maxBytes: number,
  carryOut: CarryOut,
): Promise<void> {
  const { place, source, target, info, asked, outputName } = conversion
  const plan = makePlan(info, source.demuxer, target, 'copy-what-fits', asked)
  const seconds = await secondsOf(conversion, plan)
  let less = 1
  for (let tried = 0; tried < maxTries; tried++) {
    const rate = rateFor(maxBytes, seconds, plan, less)
    if (!rate) break
    await carryOut(plan, tried === 0 ? first : await openPrograms(place), rate)
    const { size } = await stat(join(place.outFolder, outputName))
    if (size <= maxBytes) return
    less *= (maxBytes / size) * 0.95
  }
  throw failed.tooComplex(
    `The video cannot be made as small as ${maxBytes} bytes. Allow more in the option \`maxBytes\`, or convert a shorter part.`,
  )
}

const mayHelpToEncode = (error: unknown): boolean =>
  error instanceof UnusableOutput || error instanceof FailedRun

const asFailure = (error: unknown): unknown => {
  if (error instanceof FailedRun) return error.reason
  if (!(error instanceof UnusableOutput)) return error
  return failed.corruptInput('The file gave no usable video. It is probably damaged; export it again.', error)
}
