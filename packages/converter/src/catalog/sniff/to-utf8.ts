import { createReadStream, createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { failed } from '../../failure.ts'
import { detectTextEncoding } from './text-encoding.ts'

/** Writes a text file anew as UTF-8 without a byte order mark; `target` must not exist. */
export async function toUtf8(source: string, encoding: string, target: string): Promise<void> {
  const decoder = new TextDecoder(encoding)
  async function* decoded(chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) yield decoder.decode(chunk, { stream: true })
    yield decoder.decode()
  }
  await pipeline(createReadStream(source), decoded, createWriteStream(target, { flags: 'wx', mode: 0o644 }))
}

/** Writes the copy only when the file is not UTF-8 already; tells whether it did. */
export async function toUtf8IfNeeded(source: string, isHtml: boolean, target: string): Promise<boolean> {
  const found = await detectTextEncoding(source, { isHtml })
  if (!found)
    throw failed.wrongFormat(
      'The file holds binary data, not text. Send the document itself, saved as text in UTF-8.',
    )
  if (found.encoding === 'utf-8') return false
  await toUtf8(source, found.encoding, target)
  return true
}
