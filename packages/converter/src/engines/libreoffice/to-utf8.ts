import { createReadStream, createWriteStream } from 'node:fs'
import { chmod } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'

/** Writes a text file anew as UTF-8 without a byte order mark. */
export async function toUtf8(source: string, encoding: string, target: string): Promise<void> {
  const decoder = new TextDecoder(encoding)
  async function* decoded(chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) yield Buffer.from(decoder.decode(chunk, { stream: true }), 'utf8')
    yield Buffer.from(decoder.decode(), 'utf8')
  }
  await pipeline(createReadStream(source), decoded, createWriteStream(target, { flags: 'wx' }))
  await chmod(target, 0o666)
}
