import { createReadStream } from 'node:fs'
import { analyse } from 'chardet'

// Text has no magic bytes. A file counts as text when all of it decodes as UTF-8 or as UTF-16, or when it holds
// no control characters and so may be of an older encoding. Which one, HTML may say itself; otherwise the
// frequency of its letters tells.

/** A name that TextDecoder understands. */
export interface TextEncoding {
  encoding: string
  byteOrderMark: boolean
}

const sampleBytes = 64 * 1024
const headBytes = 4096

/** The encoding of a text file, or nothing when the file is not text. Reads it once, as a stream. */
export async function detectTextEncoding(
  path: string,
  { isHtml = false }: { isHtml?: boolean } = {},
): Promise<TextEncoding | undefined> {
  let head: Buffer | undefined
  let marked = false
  let declared: string | undefined
  let utf8 = true
  let sample = Buffer.alloc(0)
  const strict = new TextDecoder('utf-8', { fatal: true })
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    if (!head) {
      head = chunk.subarray(0, headBytes)
      const mark = byteOrderMark(head)
      const wide = mark?.encoding ?? unmarkedUtf16(head)
      if (wide?.startsWith('utf-16')) return { encoding: wide, byteOrderMark: mark !== undefined }
      marked = mark !== undefined
      declared = isHtml ? declaredEncoding(head.toString('latin1')) : undefined
      // The one encoding of the web that hides in plain ASCII.
      if (declared === 'iso-2022-jp') return { encoding: declared, byteOrderMark: false }
    }
    if (hasControlCharacters(chunk)) return undefined
    if (sample.length < sampleBytes) sample = Buffer.concat([sample, interesting(chunk)])
    if (utf8) utf8 = decodes(strict, chunk)
  }
  if (utf8 && decodes(strict)) return { encoding: 'utf-8', byteOrderMark: marked }
  return { encoding: declared ?? guessLegacy(sample), byteOrderMark: false }
}

function decodes(decoder: InstanceType<typeof TextDecoder>, chunk?: Buffer): boolean {
  try {
    decoder.decode(chunk, { stream: chunk !== undefined })
    return true
  } catch {
    return false
  }
}

function byteOrderMark(head: Buffer): TextEncoding | undefined {
  if (head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf)
    return { encoding: 'utf-8', byteOrderMark: true }
  if (head[0] === 0xff && head[1] === 0xfe) return { encoding: 'utf-16le', byteOrderMark: true }
  if (head[0] === 0xfe && head[1] === 0xff) return { encoding: 'utf-16be', byteOrderMark: true }
  return undefined
}

/** Without a mark only UTF-16 of Western text can be told: every other byte of it is zero. */
function unmarkedUtf16(head: Buffer): string | undefined {
  const zeros = [0, 0]
  for (const [index, byte] of head.entries()) if (byte === 0) zeros[index % 2] = (zeros[index % 2] ?? 0) + 1
  const [even = 0, odd = 0] = zeros
  const characters = head.length / 2
  if (characters < 2) return undefined
  if (odd > characters * 0.6 && even < characters * 0.05) return 'utf-16le'
  if (even > characters * 0.6 && odd < characters * 0.05) return 'utf-16be'
  return undefined
}

function declaredEncoding(head: string): string | undefined {
  const label =
    /<meta[^<>]+charset\s*=\s*["']?\s*([\w.:-]+)/i.exec(head)?.[1] ??
    /^\s*<\?xml[^<>]+encoding\s*=\s*["']([\w.:-]+)/i.exec(head)?.[1]
  if (label === undefined || !decodableName(label)) return undefined
  const { encoding } = new TextDecoder(label)
  // What is UTF-8 has been found to be; what is not, and says so, does not know itself.
  return encoding.startsWith('utf-') ? undefined : encoding
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
