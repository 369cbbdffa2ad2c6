import { readdir } from 'node:fs/promises'
import { inflateSync } from 'node:zlib'
import { openOutput } from './open-output.ts'

// Pages as PNG with transparent paper, as cairo draws them: whatever was painted, white too, is seen. Runs in a thread.

/** `even` is paper of one colour, which slides have, and nothing on it. */
export type Ink = 'nothing' | 'even' | 'something'

export async function inkIn(folder: string): Promise<Ink> {
  let found: Ink = 'nothing'
  for (const name of await readdir(folder)) {
    const { handle } = await openOutput(folder, name)
    const ink = inkOf(await handle.readFile().finally(() => handle.close()))
    if (ink === 'something') return ink
    if (ink === 'even') found = ink
  }
  return found
}

const bytesPerDot = 4
const mostBytes = 16 * 1024 * 1024

function inkOf(png: Buffer): Ink {
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)]
  // Eight bits each for red, green, blue and how much it covers, not interlaced.
  if (png[24] !== 8 || png[25] !== 6 || png[28] !== 0) throw new Error('not the PNG that was asked for')
  const data: Buffer[] = []
  for (let at = 8; at + 8 <= png.length; at += 12 + png.readUInt32BE(at)) {
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT')
      data.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)))
  }
  const lines = inflateSync(Buffer.concat(data), { maxOutputLength: mostBytes })
  const bytes = width * bytesPerDot
  let above: Buffer = Buffer.alloc(bytes)
  let first: Buffer | undefined
  for (let line = 0; line < height; line += 1) {
    const at = line * (bytes + 1)
    const dots = unfilter(lines[at] ?? 0, lines.subarray(at + 1, at + 1 + bytes), above)
    first ??= Buffer.alloc(bytes, dots.subarray(0, bytesPerDot))
    if (!dots.equals(first)) return 'something'
    above = dots
  }
  return first?.some((byte) => byte !== 0) ? 'even' : 'nothing'
}

/** A scan line of a PNG is filtered: the difference to the left, the upper, their average, or the Paeth predictor. */
function unfilter(filter: number, line: Buffer, above: Buffer): Buffer {
  const dots = Buffer.from(line)
  for (let at = 0; at < dots.length; at += 1) {
    const left = dots[at - bytesPerDot] ?? 0
    const up = above[at] ?? 0
    const corner = at < bytesPerDot ? 0 : (above[at - bytesPerDot] ?? 0)
    const guess = [0, left, up, (left + up) >> 1, nearest(left, up, corner)][filter] ?? 0
    dots[at] = (line[at] ?? 0) + guess
  }
  return dots
}

function nearest(left: number, up: number, corner: number): number {
  const guess = left + up - corner
  const [toLeft, toUp, toCorner] = [Math.abs(guess - left), Math.abs(guess - up), Math.abs(guess - corner)]
  if (toLeft <= toUp && toLeft <= toCorner) return left
  return toUp <= toCorner ? up : corner
}
