import type { Readable } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'

// Reads a stream to its end, keeps the first bytes and throws the rest away, so that a program
// that floods its output neither fills our memory nor blocks on a full pipe.

const longestLine = 8192

export interface Captured {
  /** What was kept, bounded but otherwise as the program wrote it. */
  untrustedText(): string
}

export function capture(
  stream: Readable,
  keepBytes: number,
  onLine?: (untrustedLine: string) => void,
): Captured {
  const kept: Buffer[] = []
  let room = keepBytes
  stream.on('data', (chunk: Buffer) => {
    if (room <= 0) return
    const part = chunk.subarray(0, room)
    room -= part.length
    kept.push(part)
  })
  // Every run ends with the other side closing the pipe; there is nothing to do about it here.
  stream.on('error', () => {})
  if (onLine) emitLines(stream, onLine)
  return { untrustedText: () => Buffer.concat(kept).toString('utf8') }
}

function emitLines(stream: Readable, onLine: (untrustedLine: string) => void): void {
  const decoder = new StringDecoder('utf8')
  let rest = ''
  let skippingLongLine = false
  stream.on('data', (chunk: Buffer) => {
    const pieces = (rest + decoder.write(chunk)).split('\n')
    rest = pieces.pop() ?? ''
    for (const piece of pieces) {
      if (!skippingLongLine) onLine(piece.slice(0, longestLine))
      skippingLongLine = false
    }
    if (rest.length > longestLine) {
      if (!skippingLongLine) onLine(rest.slice(0, longestLine))
      skippingLongLine = true
      rest = ''
    }
  })
  stream.on('end', () => {
    if (rest !== '' && !skippingLongLine) onLine(rest.slice(0, longestLine))
  })
}
