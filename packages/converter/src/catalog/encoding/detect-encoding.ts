import { createReadStream } from 'node:fs'
import type { TextEncoding } from '@kiln/contract'
import { declaredEncoding } from './declared-encoding.ts'
import { detectLegacy } from './detect-legacy.ts'
import { detectUtf16 } from './utf-16.ts'

// Text has no magic bytes. A file counts as text when all of it decodes as UTF-8 or as UTF-16, or when it has no
// control characters and so may be in a legacy encoding. The first of these that applies decides which encoding it is:
//
//   1. a byte order mark
//   2. it is valid UTF-8
//   3. a declaration in the text
//   4. the encoding and language whose statistics it fits best

export interface FoundEncoding extends TextEncoding {
  hasByteOrderMark: boolean
}

const sampleBytes = 64 * 1024
const headBytes = 4096

/** The encoding of a text file, or undefined when the file is not text. Reads the file once, as a stream. */
export async function detectEncoding(path: string): Promise<FoundEncoding | undefined> {
  let head: Buffer | undefined
  let isUtf8 = true
  // The only legacy encoding in use that consists of ASCII bytes: escape sequences switch to Japanese and back.
  let isIso2022 = false
  let sample = Buffer.alloc(0)
  const strict = new TextDecoder('utf-8', { fatal: true })
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    if (!head) {
      head = chunk.subarray(0, headBytes)
      const marked = byteOrderMark(head)
      if (marked && marked !== 'utf-8') return found(marked, 'byte-order-mark')
      const wide = hasControlCharacters(head) ? detectUtf16(head) : undefined
      if (wide) return found(wide, 'detected')
    }
    if (hasControlCharacters(chunk)) return undefined
    isIso2022 ||= chunk.includes('\x1b$B') || chunk.includes('\x1b$@')
    if (sample.length < sampleBytes) sample = Buffer.concat([sample, firstLegacyBytes(chunk)])
    if (isUtf8) isUtf8 = decodes(strict, chunk)
  }
  const start = head ?? Buffer.alloc(0)
  const declared = declaredEncoding(start.toString('latin1'))
  if (isIso2022) return found('iso-2022-jp', 'detected')
  if (isUtf8 && decodes(strict))
    return byteOrderMark(start) ? found('utf-8', 'byte-order-mark') : found('utf-8', 'detected')
  if (declared) return found(declared, 'declared')
  return { ...(await detectLegacy(wholeLines(sample))), by: 'detected', hasByteOrderMark: false }
}

const found = (name: string, by: TextEncoding['by']): FoundEncoding => ({
  name,
  confidence: 1,
  by,
  hasByteOrderMark: by === 'byte-order-mark',
})

function decodes(decoder: InstanceType<typeof TextDecoder>, chunk?: Buffer): boolean {
  try {
    decoder.decode(chunk, { stream: chunk !== undefined })
    return true
  } catch (error) {
    if (error instanceof TypeError) return false
    throw error
  }
}

function byteOrderMark(head: Buffer): 'utf-8' | 'utf-16le' | 'utf-16be' | undefined {
  if (head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf) return 'utf-8'
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le'
  return head[0] === 0xfe && head[1] === 0xff ? 'utf-16be' : undefined
}

// Tab, line feed, vertical tab, form feed, carriage return; escape for ISO-2022 text; 0x1A ended DOS files.
const allowedControls = new Set([0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x1a, 0x1b])

function hasControlCharacters(chunk: Buffer): boolean {
  for (const byte of chunk) if (byte < 0x20 && !allowedControls.has(byte)) return true
  return false
}

/** The bytes around the first one that is not ASCII: encodings differ only there. */
function firstLegacyBytes(chunk: Buffer): Buffer {
  const at = chunk.findIndex((byte) => byte >= 0x80)
  return at === -1 ? Buffer.alloc(0) : chunk.subarray(Math.max(0, at - 256), at + sampleBytes)
}

/** Without the last line when it may end inside a character. */
function wholeLines(sample: Buffer): Buffer {
  const end = sample.lastIndexOf(0x0a)
  return sample.length < sampleBytes || end === -1 ? sample : sample.subarray(0, end)
}
