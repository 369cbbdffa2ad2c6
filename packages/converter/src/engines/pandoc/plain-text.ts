import { isUtf8 } from 'node:buffer'
import { createReadStream, createWriteStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { failed } from '../../failure.ts'

// Pandoc reads UTF-8 only. People also have UTF-16 (Windows), Latin-1 (old files), and HTML that names its
// own encoding.

const headBytes = 4096
const chunkBytes = 1024 * 1024

/** The encoding to decode the file with, or undefined when it is UTF-8 already. */
export async function encodingOf(path: string, isHtml: boolean): Promise<string | undefined> {
  const handle = await open(path, 'r')
  try {
    const head = (await handle.read(Buffer.alloc(headBytes), 0, headBytes, 0)).buffer
    const wide = wideEncoding(head)
    if (wide) return wide
    const declared = isHtml ? declaredEncoding(head.toString('latin1')) : undefined
    // The one encoding of the web whose bytes are all ASCII: they would pass for UTF-8.
    if (declared === 'iso-2022-jp') return declared
    let carried = Buffer.alloc(0)
    let valid = true
    for await (const chunk of handle.createReadStream({
      start: 0,
      highWaterMark: chunkBytes,
      autoClose: false,
    })) {
      if ((chunk as Buffer).includes(0)) throw notText()
      if (!valid) continue
      const text = Buffer.concat([carried, chunk as Buffer])
      const end = lastWholeCharacter(text)
      valid = isUtf8(text.subarray(0, end))
      carried = text.subarray(end)
    }
    if (valid && isUtf8(carried)) return undefined
    return declared ?? 'windows-1252'
  } finally {
    await handle.close()
  }
}

const notText = () =>
  failed.wrongFormat(
    'The file holds binary data, not text. Send the document itself, saved as text in UTF-8.',
  )

function wideEncoding(head: Buffer): string | undefined {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le'
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be'
  // Without a mark: Western text has a zero in every other byte.
  const length =
    head.indexOf('\0\0\0\0', 0, 'latin1') === -1 ? head.length : head.indexOf('\0\0\0\0', 0, 'latin1')
  const sample = head.subarray(0, length)
  const zerosAt = (parity: number) =>
    sample.filter((byte, index) => byte === 0 && index % 2 === parity).length
  const [even, odd] = [zerosAt(0), zerosAt(1)]
  const most = sample.length / 2 - 1
  if (sample.length >= 4 && odd > most * 0.6 && even < most * 0.05 + 1) return 'utf-16le'
  if (sample.length >= 4 && even > most * 0.6 && odd < most * 0.05 + 1) return 'utf-16be'
  return undefined
}

function declaredEncoding(head: string): string | undefined {
  const label =
    /<meta[^>]+charset\s*=\s*["']?\s*([\w.:-]+)/i.exec(head)?.[1] ??
    /^\s*<\?xml[^>]+encoding\s*=\s*["']([\w.:-]+)/i.exec(head)?.[1]
  if (label === undefined) return undefined
  try {
    const { encoding } = new TextDecoder(label)
    // The file has been found not to be UTF-8, and its head was read byte by byte: a name that begins with utf- is wrong.
    return encoding.startsWith('utf-') ? undefined : encoding
  } catch {
    return undefined
  }
}

/** Where the last character that may continue in the next chunk begins. */
function lastWholeCharacter(text: Buffer): number {
  for (let back = 1; back <= Math.min(3, text.length); back += 1) {
    const byte = text[text.length - back] ?? 0
    if (byte < 0x80) return text.length
    if (byte >= 0xc0) {
      const needs = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2
      return back < needs ? text.length - back : text.length
    }
  }
  return text.length
}

/** Writes the file anew as UTF-8; `target` must not exist. */
export async function writeAsUtf8(source: string, encoding: string, target: string): Promise<void> {
  const decoder = new TextDecoder(encoding)
  async function* decoded(chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) yield decoder.decode(chunk, { stream: true })
    yield decoder.decode()
  }
  await pipeline(createReadStream(source), decoded, createWriteStream(target, { flags: 'wx', mode: 0o644 }))
}
