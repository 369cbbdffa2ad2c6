import { decoderList, probeDecoderList } from './codecs.ts'
import type { Demuxer } from './demuxer.ts'
import { type MediaLimits, maxStreams } from './limits.ts'

/**
 * Options that precede every untrusted input file, for ffmpeg and ffprobe: exactly one demuxer, also for files inside
 * the file; local files only; decoders from our list; no frame above the limit. The file's name is ours and never a
 * user's.
 */
export const untrustedInput = (
  program: 'ffmpeg' | 'ffprobe',
  demuxer: Demuxer,
  limits: MediaLimits,
  threads: number,
): string[] =>
  optionList({
    protocol_whitelist: 'file',
    format_whitelist: demuxer,
    codec_whitelist: program === 'ffprobe' ? probeDecoderList : decoderList,
    max_pixels: limits.pixels,
    max_streams: maxStreams,
    threads,
    f: demuxer,
  })

/** Options with a value each, as arguments of ffmpeg and ffprobe; undefined leaves an option out. */
export const optionList = (options: Readonly<Record<string, string | number | undefined>>): string[] =>
  Object.entries(options).flatMap(([name, value]) => (value === undefined ? [] : [`-${name}`, String(value)]))
