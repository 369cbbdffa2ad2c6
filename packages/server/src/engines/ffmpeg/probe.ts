import { failed } from '../../errors.ts'
import type { Sandbox } from '../../sandbox/sandbox.ts'
import type { Demuxer } from './demuxer.ts'
import { explainEnd, tooLong } from './failure.ts'
import { type MediaLimits, probeLimits } from './limits.ts'
import { type MediaInfo, probedEntries, readMediaInfo } from './media-info.ts'
import { untrustedInput } from './untrusted-input.ts'

/** What a stage needs to start a program on one job's folders. */
export interface Workplace {
  sandbox: Sandbox
  inFolder: string
  outFolder: string
  signal: AbortSignal
  limits: MediaLimits
  threads: number
}

export interface Source {
  /** As the box sees it: `/in/…` or `/out/…`. */
  path: string
  demuxer: Demuxer
}

/** Asks ffprobe, in the box, what is in a file. `extra` are further options of ffprobe. */
export async function probe(
  place: Workplace,
  source: Source,
  extra: readonly string[] = [],
): Promise<MediaInfo> {
  const { sandbox, inFolder, outFolder, signal, limits, threads } = place
  const result = await sandbox.run({
    program: 'ffprobe',
    args: [
      ...['-hide_banner', '-loglevel', 'error', '-show_entries', probedEntries, '-of', 'json=compact=1'],
      ...extra,
      ...untrustedInput('ffprobe', source.demuxer, limits, threads),
      ...['-i', source.path],
    ],
    inFolder,
    outFolder,
    limits: probeLimits,
    signal,
  })
  if (result.ending !== 'exited' || result.exitCode !== 0) throw explainEnd(result, 'ffprobe')
  return readMediaInfo(result.untrustedStdout)
}

export interface Extent {
  /** From the first packet's time stamp to the last one's. */
  lastSeconds: number | undefined
  packets: number
  /** The demuxer itself said that the file stops too early. */
  isCutOff: boolean
}

/**
 * Reads all packets of one stream without decoding them: how long is it really? For files whose header
 * does not say (recordings that were streamed), and as a second opinion on those whose header may be wrong.
 */
export async function measure(place: Workplace, source: Source, stream: number): Promise<Extent> {
  const { sandbox, inFolder, outFolder, signal, limits, threads } = place
  let first: number | undefined
  let last: number | undefined
  let packets = 0
  const result = await sandbox.run({
    program: 'ffprobe',
    args: [
      ...['-hide_banner', '-loglevel', 'error', '-select_streams', String(stream)],
      ...['-show_entries', 'packet=pts_time,dts_time', '-of', 'csv=print_section=0'],
      ...untrustedInput('ffprobe', source.demuxer, limits, threads),
      ...['-i', source.path],
    ],
    inFolder,
    outFolder,
    limits: { ...probeLimits, wallSeconds: 300, cpuSeconds: 300, logBytes: 64 * 1024 },
    signal,
    onStdoutLine(untrustedLine) {
      packets += 1
      // AVI and plain streams know no display time, only the order of decoding.
      const seconds = untrustedLine.split(',').map(Number.parseFloat).find(Number.isFinite)
      if (seconds === undefined) return
      first = Math.min(first ?? seconds, seconds)
      last = Math.max(last ?? seconds, seconds)
    },
  })
  if (result.ending !== 'exited' || result.exitCode !== 0) throw explainEnd(result, 'ffprobe packets')
  return {
    lastSeconds: last === undefined || first === undefined ? undefined : last - first,
    packets,
    isCutOff: /partial file|ended prematurely|Truncat/i.test(result.untrustedStderr),
  }
}

/** Throws when nothing in the file can be converted; the sentence says why. */
export function refuseOversized(info: MediaInfo, limits: MediaLimits): void {
  if ((info.seconds ?? 0) > limits.seconds) {
    throw tooLong(limits.seconds)
  }
  for (const { kind, width, height } of info.streams) {
    if (kind === 'video' && width * height > limits.pixels) {
      throw failed.tooComplex(
        `The picture is too large to convert: ${width} × ${height} pixels. Scale it down first.`,
      )
    }
  }
}
