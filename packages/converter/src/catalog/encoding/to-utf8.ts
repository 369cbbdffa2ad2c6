import { createReadStream, createWriteStream } from 'node:fs'
import { rename } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'

/** Rewrites a text file as UTF-8 without a byte order mark. Returns how many characters could not be decoded. */
export async function toUtf8(path: string, encoding: string): Promise<number> {
  const decoder = new TextDecoder(encoding)
  let undecodable = 0
  const count = (text: string): string => {
    undecodable += text.split('\uFFFD').length - 1
    return text
  }
  async function* decoded(chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) yield count(decoder.decode(chunk, { stream: true }))
    yield count(decoder.decode())
  }
  const copy = `${path}.utf-8`
  await pipeline(createReadStream(path), decoded, createWriteStream(copy, { flags: 'wx', mode: 0o644 }))
  await rename(copy, path)
  return undecodable
}
