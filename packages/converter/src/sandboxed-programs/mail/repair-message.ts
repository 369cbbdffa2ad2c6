import { isAscii } from 'node:buffer'
import { decodeStrictly } from '../../catalog/encoding/decode-strictly.ts'
import { detectLegacy } from '../../catalog/encoding/detect-legacy.ts'
import { encodingName } from '../../catalog/encoding/encoding-names.ts'

// Changes messages that are not what MIME demands, where a reader that takes them at their word would lose content.

export interface Repaired {
  message: Buffer
  /** Content-Location by Content-ID. */
  locations: ReadonlyMap<string, string>
}

export const repairMessage = async (message: Buffer): Promise<Repaired> =>
  addContentIds(await declareCharsets(correctContentType(endHeaders(message))))

// Some programs end the headers with a line of blanks, or with none, and a reader that waits for an empty line takes the
// text for headers. A line that is no header ends them, unless another header follows it: then it is a broken one.

const field = /^[!-9;-~]+[ \t]*:.*(?:\r?\n[ \t]+\S.*)*(?:\r?\n|$)/gm

/** The message with an empty line after its headers. */
function endHeaders(message: Buffer): Buffer {
  const end = endOfHeaders(message)
  const head = message.toString('latin1', 0, end)
  let last = 0
  for (const { 0: line, index } of head.matchAll(field)) last = index + line.length
  if (last === 0 || head.slice(last).trim() === '') return message
  return Buffer.concat([message.subarray(0, last), Buffer.from('\r\n'), message.subarray(last)])
}

/** Where the empty line is. */
function endOfHeaders(message: Buffer): number {
  const ends = ['\r\n\r\n', '\n\n'].map((mark) => message.indexOf(mark)).filter((at) => at !== -1)
  return ends.length === 0 ? message.length : Math.min(...ends)
}

const contentType = /^content-type:[^\r\n]*(?:\r?\n[ \t][^\r\n]*)*/im
const maxBoundary = 200

/** A type that contradicts what is in the message becomes plain text, or gets the boundary that is used. */
function correctContentType(message: Buffer): Buffer {
  const text = message.toString('latin1')
  const head = text.split(/\r?\n\r?\n/, 1)[0] ?? ''
  const declared = contentType.exec(head)?.[0]
  const corrected = declared && correctionOf(declared, head, text.slice(head.length))
  return corrected
    ? Buffer.from(
        text.replace(declared, () => corrected),
        'latin1',
      )
    : message
}

function correctionOf(declared: string, head: string, body: string): string | undefined {
  const [, type = '', parameters = ''] = /^content-type:\s*([^\s;]*)([\s\S]*)/i.exec(declared) ?? []
  if (/^multipart\//i.test(type)) return multipart(type, parameters, body)
  // RFC 2045, 5.2, and RFC 2046, 4.1.4: an invalid type, and any text, is read as plain text.
  const isUnknownText =
    /^text\/(?!plain$|html$|rtf$)/i.test(type) && !/^content-disposition:\s*attachment/im.test(head)
  return isUnknownText || !type.includes('/') ? `Content-Type: text/plain${parameters}` : undefined
}

/** Parts that are divided by another line than the declared one, or by none, would all be lost. */
function multipart(type: string, parameters: string, body: string): string | undefined {
  const [, quoted, bare = ''] = /\bboundary\s*=\s*(?:"([^"]*)"|([^\s;]*))/i.exec(parameters) ?? []
  const boundary = quoted ?? bare
  if (boundary !== '' && lineOf(boundary).test(body)) return undefined
  const used = /^--([^\s"][^\r\n"]*)\r?\ncontent-/im.exec(body)?.[1]?.trimEnd()
  if (used === undefined || used.length > maxBoundary) return 'Content-Type: text/plain'
  return `Content-Type: ${type}; boundary="${used}"`
}

const lineOf = (boundary: string): RegExp =>
  new RegExp(`^--${boundary.trimEnd().replaceAll(/\W/g, '\\$&')}(?:--)?[ \\t]*$`, 'm')

/** The message with its headers in UTF-8, and with a charset where it has one body and no charset. */
async function declareCharsets(message: Buffer): Promise<Buffer> {
  const end = endOfHeaders(message)
  const [head, body] = [message.subarray(0, end), message.subarray(end)]
  const text = head.toString('latin1')
  const declared = contentType.exec(text)?.[0] ?? ''
  const charset = encodingName(/charset\s*=\s*"?([\w.:-]{1,40})/i.exec(declared)?.[1] ?? '')
  const isMultipart = /^content-type:\s*multipart\//i.test(declared)
  const isEncoded = /^content-transfer-encoding:\s*(?:base64|quoted-printable)/im.test(text)
  const guess = async (bytes: Buffer) =>
    charset ?? (isUtf8(bytes) ? 'utf-8' : (await detectLegacy(bytes)).name)
  const readable = isUtf8(head) ? head : Buffer.from(new TextDecoder(await guess(head)).decode(head))
  if (charset || isMultipart || isEncoded || isAscii(body)) return Buffer.concat([readable, body])
  const type = /^content-type:\s*([\w/+.-]+)/i.exec(declared)?.[1] ?? 'text/plain'
  if (!type.startsWith('text/')) return Buffer.concat([readable, body])
  const others = readable
    .toString('utf8')
    .replace(declared, `Content-Type: ${type}; charset=${await guess(body)}`)
  const withType =
    declared === '' ? `Content-Type: text/plain; charset=${await guess(body)}\r\n${readable}` : others
  return Buffer.concat([Buffer.from(withType), body])
}

const detectedBytes = 64 * 1024

const isUtf8 = (bytes: Buffer): boolean =>
  decodeStrictly(bytes.subarray(0, detectedBytes), 'utf-8', true) !== undefined

// postal-mime reports the Content-ID of a part and not its Content-Location. A part that has only the latter gets a
// Content-ID here, before the message is parsed.

const locationHeader = /^content-location:[ \t]*([^\r\n]{1,2000})/gim

function addContentIds(message: Buffer): Repaired {
  const text = message.toString('latin1')
  const locations = new Map<string, string>()
  const changed = text.replaceAll(locationHeader, (line, location: string, at: number) => {
    const id = `${locations.size}@location.kiln`
    if (hasContentId(text, at)) return line
    locations.set(id, location.trim())
    return `Content-ID: <${id}>\r\n${line}`
  })
  return { message: locations.size === 0 ? message : Buffer.from(changed, 'latin1'), locations }
}

/** Headers of a part are short: a longer block is not looked through. */
const maxHeaderBytes = 4000

function hasContentId(text: string, at: number): boolean {
  const before =
    text
      .slice(Math.max(0, at - maxHeaderBytes), at)
      .split(/\r?\n\r?\n/)
      .at(-1) ?? ''
  const after = text.slice(at, at + maxHeaderBytes).split(/\r?\n\r?\n/, 1)[0] ?? ''
  return /^content-id:/im.test(before + after)
}
