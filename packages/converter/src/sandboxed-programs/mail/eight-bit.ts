import { detectLegacy } from '../../catalog/encoding/detect-legacy.ts'
import { encodingName } from '../../catalog/encoding/encoding-names.ts'
import { endOfHeaders } from './header-end.ts'

// Mails that are not what MIME demands: headers with bytes beyond ASCII, and bodies beyond ASCII without a charset.

/** The message with its headers in UTF-8, and with a charset where it has one body and no charset. */
export async function declareCharsets(message: Buffer): Promise<Buffer> {
  const end = endOfHeaders(message)
  const [head, body] = [message.subarray(0, end), message.subarray(end)]
  const text = head.toString('latin1')
  const declared = /^content-type:[^\r\n]*(?:\r?\n[ \t][^\r\n]*)*/im.exec(text)?.[0] ?? ''
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

const isAscii = (bytes: Buffer): boolean => bytes.every((byte) => byte < 0x80)

function isUtf8(bytes: Buffer): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(0, detectedBytes), { stream: true })
    return true
  } catch (error) {
    if (error instanceof TypeError) return false
    throw error
  }
}
