import { readdir } from 'node:fs/promises'
import { inflateSync } from 'node:zlib'
import { compressedRows, unfilterRow } from '../png.ts'
import { openOutput } from './open-output.ts'

// Pages as PNG on transparent paper, as cairo draws them: everything painted, even in white, is visible. Runs in a thread.

/** `even` is an empty page with a background of one colour, as slides have. */
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

const bytesPerPixel = 4
const maxBytes = 16 * 1024 * 1024

function inkOf(png: Buffer): Ink {
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)]
  // Eight bits each for red, green, blue and alpha, not interlaced.
  if (png[24] !== 8 || png[25] !== 6 || png[28] !== 0) throw new Error('not the PNG that was asked for')
  const rows = inflateSync(compressedRows(png), { maxOutputLength: maxBytes })
  const bytes = width * bytesPerPixel
  let above: Buffer = Buffer.alloc(bytes)
  let first: Buffer | undefined
  for (let y = 0; y < height; y += 1) {
    const at = y * (bytes + 1)
    const row = unfilterRow(rows[at] ?? 0, rows.subarray(at + 1, at + 1 + bytes), above, bytesPerPixel)
    first ??= Buffer.alloc(bytes, row.subarray(0, bytesPerPixel))
    if (!row.equals(first)) return 'something'
    above = row
  }
  return first?.some((byte) => byte !== 0) ? 'even' : 'nothing'
}
