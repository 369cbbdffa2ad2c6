import { constants, createWriteStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'

// The page is passed to Chromium as a web archive (MHTML), together with its assets. That is the most restrictive way
// to show a page in Chromium: scripts in an archive never run, and every reference of the page (file, URL or frame) is
// resolved only inside the archive. data: URIs still work.

const boundary = 'kiln-page'

const head = `MIME-Version: 1.0\r\nContent-Type: multipart/related; type="text/html"; boundary="${boundary}"\r\n\r\n`

const partHead = (type: string, path: string): string =>
  [
    `--${boundary}`,
    `Content-Type: ${type}`,
    'Content-Transfer-Encoding: base64',
    `Content-Location: ${locationOf(path)}`,
    '',
    '',
  ].join('\r\n')

/** Where links within the page are based. The name can exist nowhere. */
const locationOf = (path: string): string =>
  new URL(path.replaceAll(/[%?#]/g, encodeURIComponent), 'https://page.invalid/').href

export interface PageParts {
  /** The path of the page among its parts. */
  path: string
  parts: readonly { path: string; type: string; bytes: Buffer }[]
}

/** Wraps a UTF-8 page as `target`, with `style` before the page's own styles, which therefore take precedence. */
export async function writeWebArchive(
  page: string,
  target: string,
  style: string,
  { path, parts }: PageParts = { path: '', parts: [] },
): Promise<void> {
  async function* archive(chunks: AsyncIterable<string>) {
    let first = true
    let rest = Buffer.alloc(0)
    yield head + partHead('text/html; charset=utf-8', path)
    for await (const chunk of chunks) {
      // The byte order mark overrides the encoding that the page declares.
      const text = first ? `\uFEFF${withStyle(chunk, style).replace(/^\uFEFF/, '')}` : chunk
      first = false
      const bytes = Buffer.concat([rest, Buffer.from(text, 'utf8')])
      const whole = bytes.length - (bytes.length % lineBytes)
      yield lines(bytes.subarray(0, whole))
      rest = Buffer.from(bytes.subarray(whole))
    }
    yield `${lines(rest)}\r\n`
    for (const part of parts) yield `${partHead(part.type, part.path)}${lines(part.bytes)}\r\n`
    yield `--${boundary}--\r\n`
  }
  // A program in the sandbox may have created it: it must not be a link to a file of the host.
  const file = await open(page, constants.O_RDONLY | constants.O_NOFOLLOW)
  await pipeline(
    file.createReadStream({ encoding: 'utf8', highWaterMark: 64 * 1024 }),
    archive,
    createWriteStream(target, { flags: 'wx', mode: 0o644 }),
  )
}

export function withStyle(start: string, style: string): string {
  if (style === '') return start
  const at = endOfDoctype(start)
  return `${start.slice(0, at)}<style>${style}</style>${start.slice(at)}`
}

/** The doctype must stay first: without it a page is laid out in quirks mode. 0 when there is none. */
function endOfDoctype(start: string): number {
  // Constructs that may precede the doctype, each with its end.
  const skipped = [
    ['<?xml', '?>'],
    ['<!--', '-->'],
  ] as const
  let at = start.startsWith('\uFEFF') ? 1 : 0
  for (;;) {
    while (/\s/.test(start.charAt(at))) at += 1
    const found = skipped.find(([open]) => start.startsWith(open, at))
    if (!found) break
    const end = start.indexOf(found[1], at + found[0].length)
    if (end === -1) return 0
    at = end + found[1].length
  }
  if (start.slice(at, at + 9).toLowerCase() !== '<!doctype') return 0
  return start.indexOf('>', at) + 1
}

/** 76 characters of base64. */
const lineBytes = 57

const lines = (bytes: Buffer): string => bytes.toString('base64').replaceAll(/.{1,76}/g, '$&\r\n')
