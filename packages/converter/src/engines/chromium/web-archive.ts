import { createReadStream, createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'

// The page goes to Chromium as a web archive (MHTML) with one part. That is the strictest way to show a
// page that Chromium has: scripts in an archive never run, and whatever the page refers to is looked
// for inside the archive and nowhere else, be it a file, an address or a frame. data: URIs still work.

const boundary = 'kiln-page'

const opening = [
  'MIME-Version: 1.0',
  `Content-Type: multipart/related; type="text/html"; boundary="${boundary}"`,
  '',
  `--${boundary}`,
  'Content-Type: text/html; charset=utf-8',
  'Content-Transfer-Encoding: base64',
  // Where links within the page are based. The name can exist nowhere.
  'Content-Location: https://page.invalid/',
  '',
  '',
].join('\r\n')

// A doctype stays first: a page that loses it is laid out by other rules.
const beforeContent = /^\uFEFF?\s*(?:<\?xml[^>]*\?>\s*)?(?:<!--[\s\S]*?-->\s*)*<!doctype[^>]*>/i

/** Wraps a UTF-8 page as `target`, with `style` before the page's own styles, which therefore take precedence. */
export async function writeWebArchive(page: string, target: string, style: string): Promise<void> {
  async function* archive(chunks: AsyncIterable<string>) {
    let first = true
    let rest = Buffer.alloc(0)
    yield opening
    for await (const chunk of chunks) {
      // The mark outweighs whatever encoding the page itself claims.
      const text = first ? `\uFEFF${withStyle(chunk, style).replace(/^\uFEFF/, '')}` : chunk
      first = false
      const bytes = Buffer.concat([rest, Buffer.from(text, 'utf8')])
      const whole = bytes.length - (bytes.length % lineBytes)
      yield lines(bytes.subarray(0, whole))
      rest = Buffer.from(bytes.subarray(whole))
    }
    yield lines(rest)
    yield `\r\n--${boundary}--\r\n`
  }
  await pipeline(
    createReadStream(page, { encoding: 'utf8', highWaterMark: 64 * 1024 }),
    archive,
    createWriteStream(target, { flags: 'wx', mode: 0o644 }),
  )
}

export function withStyle(start: string, style: string): string {
  if (style === '') return start
  const at = beforeContent.exec(start)?.[0].length ?? 0
  return `${start.slice(0, at)}<style>${style}</style>${start.slice(at)}`
}

/** 76 characters of base64. */
const lineBytes = 57

const lines = (bytes: Buffer): string => bytes.toString('base64').replaceAll(/.{1,76}/g, '$&\r\n')
