import { optionList } from './options.ts'
import type { Plan } from './plan.ts'

// Checks the end of a copied video stream. It is not decoded, so a copy may end in invalid packets, and decoding the
// last seconds takes longer than copying a film. So the ffmpeg process that copies reads these seconds once more,
// through a bitstream filter that parses the headers of each packet and drops packets that are invalid for their codec.
// If packets come out up to the end, the end is complete; if not, check.ts decodes it.
//
// A decoder detects no more than that: it conceals missing data in a packet with valid headers, and outputs a picture.

/**
 * For each codec, the filter that reads all of a packet's headers. Those of VP9 and AV1 let packets through that their
 * decoders refuse.
 */
const filters: ReadonlyMap<string, string> = new Map(
  Object.entries({
    h264: 'h264_metadata',
    hevc: 'hevc_metadata',
  }),
)

export const lastSeconds = 2
/** More of the end than this has to be there. */
export const minMissed = 1
/** The reader enters at the key frame before. */
const maxPackets = 20_000

export interface LastPackets {
  /** A second input, for which `input` are the options, and an output that goes to stdout. */
  input(input: readonly string[]): string[]
  output: readonly string[]
  onLine(untrustedLine: string): void
  /** Did sound packets come to the end? */
  reachEnd(): boolean
}

/** `end` is when the copy ends, in seconds. Nothing where only a decoder finds out. */
export function lastPackets(
  { video: { stream, copy } }: Plan,
  end: number | undefined,
): LastPackets | undefined {
  const filter = filters.get(stream.codec)
  if (!copy || filter === undefined || end === undefined || end <= 2 * lastSeconds) return undefined
  const entry = end - lastSeconds
  let unit = Number.NaN
  let last = Number.NEGATIVE_INFINITY
  return {
    input: (input) => ['-ss', entry.toFixed(3), ...input],
    output: [
      ...optionList({
        map: `1:${stream.index}`,
        c: 'copy',
        'bsf:v': filter,
        t: lastSeconds,
        'frames:v': maxPackets,
        // Flush each line: progress uses the same pipe.
        flush_packets: 1,
        f: 'framecrc',
      }),
      'pipe:1',
    ],
    onLine(untrustedLine) {
      const [, over, under] = /^#tb 0: (\d{1,9})\/(\d{1,9})$/.exec(untrustedLine) ?? []
      if (over !== undefined) unit = Number(over) / Number(under)
      const shown = /^0, *-?\d{1,15}, *(-?\d{1,15}),/.exec(untrustedLine)?.[1]
      if (shown !== undefined) last = Math.max(last, entry + Number(shown) * unit)
    },
    reachEnd: () => last >= end - minMissed,
  }
}
