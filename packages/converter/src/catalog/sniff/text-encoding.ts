import { createReadStream } from 'node:fs'
import { analyse } from 'chardet'

// Text has no magic bytes. A file counts as text when all of it decodes as UTF-8, or as UTF-16 with
// a byte order mark, or when it holds no control characters and so may be of an older encoding.

/** A name that TextDecoder and iconv understand. */
export interface TextEncoding {
  encoding: string
  byteOrderMark: boolean
}

const sampleBytes = 64 * 1024

/** The encoding of a text file, or nothing when the file is not text. Reads it once, as a stream. */
export async function detectTextEncoding(path: string): Promise<TextEncoding | undefined> {
  let first = true
  let marked: TextEncoding | undefined
  let utf8 = true
  let sample = Buffer.alloc(0)
  const strict = new TextDecoder('utf-8', { fatal: true })
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    if (first) {
      marked = byteOrderMark(chunk)
      first = false
    }
    if (marked && marked.encoding !== 'utf-8') return marked
    if (hasControlCharacters(chunk)) return undefined
    if (sample.length < sampleBytes) sample = Buffer.concat([sample, interesting(chunk)])
    if (utf8) utf8 = decodes(strict, chunk)
  }
  if (utf8 && decodes(strict)) return { encoding: 'utf-8', byteOrderMark: marked !== undefined }
  return { encoding: guessLegacy(sample), byteOrderMark: false }
}

function decodes(decoder: InstanceType<typeof TextDecoder>, chunk?: Buffer): boolean {
  try {
    decoder.decode(chunk, { stream: chunk !== undefined })
    return true
  } catch {
    return false
  }
}

export function byteOrderMark(head: Buffer): TextEncoding | undefined {
  if (head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf)
    return { encoding: 'utf-8', byteOrderMark: true }
  if (head[0] === 0xff && head[1] === 0xfe) return { encoding: 'utf-16le', byteOrderMark: true }
  if (head[0] === 0xfe && head[1] === 0xff) return { encoding: 'utf-16be', byteOrderMark: true }
  return undefined
}

// Tab, line feed, vertical tab, form feed, carriage return; escape for ISO-2022 text; 0x1A ended DOS files.
const allowedControls = new Set([0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x1a, 0x1b])

function hasControlCharacters(chunk: Buffer): boolean {
  for (const byte of chunk) if (byte < 0x20 && !allowedControls.has(byte)) return true
  return false
}

/** The stretch around the first byte that is not ASCII: that is where encodings differ. */
function interesting(chunk: Buffer): Buffer {
  const at = chunk.findIndex((byte) => byte >= 0x80)
  return at === -1 ? Buffer.alloc(0) : chunk.subarray(Math.max(0, at - 256), at + sampleBytes)
}

function guessLegacy(sample: Buffer): string {
  for (const guess of analyse(sample)) {
    // Text that calls itself ISO-8859-1 is Windows text, as browsers also assume.
    const name = guess.name === 'ISO-8859-1' ? 'windows-1252' : guess.name.toLowerCase()
    if (name.startsWith('utf') || name === 'ascii') continue
    if (decodableName(name)) return name
  }
  return 'windows-1252'
}

function decodableName(name: string): boolean {
  try {
    return new TextDecoder(name).encoding.length > 0
  } catch {
    return false
  }
}
