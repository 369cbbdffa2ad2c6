import type { Readable } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'

// Reads a stream to its end, keeps the first bytes and discards the rest, so that a program that floods its output
// neither fills the memory of the service nor blocks on a full pipe.

const maxLineLength = 8192

export interface Captured {
  /** The first bytes, exactly as the program wrote them. */
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
  // A broken pipe means that the program has ended, which its exit event reports.
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
      if (!skippingLongLine) onLine(piece.slice(0, maxLineLength))
      skippingLongLine = false
    }
    if (rest.length > maxLineLength) {
      if (!skippingLongLine) onLine(rest.slice(0, maxLineLength))
      skippingLongLine = true
      rest = ''
    }
  })
  stream.on('end', () => {
    if (rest !== '' && !skippingLongLine) onLine(rest.slice(0, maxLineLength))
  })
}
