import { failed } from '../../failure.ts'
import type { PrewarmedProcess } from '../../sandbox/prewarmed-process.ts'
import type { Sandbox, SandboxResult } from '../../sandbox/sandbox.ts'
import type { Demuxer } from './demuxer.ts'
import { explainEnd, tooLong } from './failure.ts'
import { type MediaLimits, probeLimits } from './limits.ts'
import { type MediaInfo, probedEntries, readMediaInfo } from './media-info.ts'
import { optionList, untrustedInput } from './options.ts'
import { stubsFit, withStubs } from './stub-libraries.ts'

export type Opened = Pick<PrewarmedProcess, 'give'>

/** Everything that a stage needs to start a program on one job's directories. */
export interface Workplace {
  sandbox: Sandbox
  inFolder: string
  outFolder: string
  signal: AbortSignal
  limits: MediaLimits
  threads: number
  /** Opens a process of the program, which may be pre-warmed. */
  open(program: 'ffmpeg' | 'ffprobe'): Promise<Opened>
}

export interface Source {
  /** Path inside the sandbox: `/in/…` or `/out/…`. */
  path: string
  demuxer: Demuxer
}

/** Lists the streams of a file with ffprobe, in the sandbox. */
export async function probe(place: Workplace, reader: Opened, source: Source): Promise<MediaInfo> {
  return readAnswer(await reader.give({ args: probeArguments(place, source) }), place.signal)
}

/** `extra` are further options of ffprobe. */
export const probeArguments = (
  { limits, threads }: Workplace,
  source: Source,
  extra: readonly string[] = [],
): string[] => [
  '-hide_banner',
  ...optionList({ loglevel: 'error', show_entries: probedEntries, of: 'json=compact=1' }),
  ...extra,
  ...untrustedInput('ffprobe', source.demuxer, limits, threads),
  '-i',
  source.path,
]

export function readAnswer(result: SandboxResult, signal: AbortSignal): MediaInfo {
  if (result.ending !== 'exited' || result.exitCode !== 0) throw explainEnd(result, 'ffprobe', signal)
  return readMediaInfo(result.untrustedStdout)
}

export interface Extent {
  /** When the last packet starts and when it ends, from the first one's start. */
  lastSeconds: number | undefined
  endSeconds: number | undefined
  packets: number
}

/**
 * Reads all packets of one stream without decoding them, to measure its real duration. For files whose header lacks it
 * (streamed recordings), and to verify headers that may be wrong.
 */
export async function measure(place: Workplace, source: Source, stream: number): Promise<Extent> {
  const { sandbox, inFolder, outFolder, signal, limits, threads } = place
  let first = Number.POSITIVE_INFINITY
  let last = Number.NEGATIVE_INFINITY
  let end = Number.NEGATIVE_INFINITY
  let packets = 0
  const result = await sandbox.run({
    ...(stubsFit() ? withStubs : {}),
    program: 'ffprobe',
    args: [
      '-hide_banner',
      ...optionList({
        loglevel: 'error',
        select_streams: stream,
        show_entries: 'packet=pts_time,dts_time,duration_time',
        of: 'csv=print_section=0',
      }),
      ...untrustedInput('ffprobe', source.demuxer, limits, threads),
      '-i',
      source.path,
    ],
    inFolder,
    outFolder,
    limits: { ...probeLimits, wallSeconds: 300, cpuSeconds: 300, logBytes: 64 * 1024 },
    signal,
    onStdoutLine(untrustedLine) {
      packets += 1
      const [display, decoding, duration] = untrustedLine.split(',').map(Number.parseFloat)
      // AVI and elementary streams have no presentation time, only decoding order.
      const start = [display, decoding].find(Number.isFinite)
      if (start === undefined) return
      first = Math.min(first, start)
      last = Math.max(last, start)
      end = Math.max(end, start + (Number.isFinite(duration) ? (duration ?? 0) : 0))
    },
  })
  if (result.ending !== 'exited' || result.exitCode !== 0) throw explainEnd(result, 'ffprobe packets', signal)
  return Number.isFinite(first)
    ? { lastSeconds: last - first, endSeconds: end - first, packets }
    : { lastSeconds: undefined, endSeconds: undefined, packets }
}

/** Pixel formats that H.264 encoders accept. */
const longestSide = 16_384

/** Throws when the file exceeds a limit; the message gives the reason. */
export function refuseOversized(info: MediaInfo, limits: MediaLimits): void {
  if ((info.seconds ?? 0) > limits.seconds) {
    throw tooLong(limits.seconds)
  }
  for (const { kind, width, height } of info.streams) {
    if (kind === 'video' && (width * height > limits.pixels || Math.max(width, height) > longestSide)) {
      throw failed.tooComplex(
        `The picture is too large to convert: ${width} × ${height} pixels. Scale it down first.`,
      )
    }
  }
}
