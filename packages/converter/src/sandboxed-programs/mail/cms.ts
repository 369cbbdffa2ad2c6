import { failed } from '../../failure.ts'

// S/MIME (RFC 8551): a message inside a CMS structure (RFC 5652). Signed content is readable; encrypted content is not.

const signedData = '1.2.840.113549.1.7.2'
const encryptedKinds = new Set(['1.2.840.113549.1.7.3', '1.2.840.113549.1.9.16.1.23'])
const maxDepth = 16

interface Element {
  tag: number
  content: Buffer
  /** Offset behind the element. */
  end: number
}

export const encryptedMessage = (): Error =>
  failed.unsupported(
    'The message is encrypted, and only its recipient can read it. Save a decrypted copy in the mail program and send that.',
  )

/** The MIME message inside a signed one. Throws when the message is encrypted. */
export function signedContent(cms: Buffer): Buffer {
  const [type, wrapper] = childrenOf(elementAt(cms, 0))
  const kind = type ? objectId(type.content) : ''
  if (encryptedKinds.has(kind)) throw encryptedMessage()
  if (kind !== signedData || !wrapper)
    throw failed.corruptInput('The signed message cannot be read: it is damaged.')
  const signed = childrenOf(wrapper)[0]
  const encapsulated = signed ? childrenOf(signed)[2] : undefined
  const octets = encapsulated ? childrenOf(encapsulated)[1] : undefined
  if (!octets) throw failed.corruptInput('The signed message has no content: only its signature was saved.')
  return octetsOf(octets, 0)
}

function elementAt(bytes: Buffer, at: number): Element {
  const tag = bytes.readUInt8(at)
  const first = bytes.readUInt8(at + 1)
  if (first === 0x80) return indefiniteElement(bytes, at, tag)
  const lengthBytes = first < 0x80 ? 0 : first & 0x7f
  const length = lengthBytes === 0 ? first : bytes.readUIntBE(at + 2, Math.min(6, lengthBytes))
  const start = at + 2 + lengthBytes
  return { tag, content: bytes.subarray(start, start + length), end: start + length }
}

/** Ends with two zero bytes. */
function indefiniteElement(bytes: Buffer, at: number, tag: number): Element {
  let next = at + 2
  while (bytes.readUInt16BE(next) !== 0) next = elementAt(bytes, next).end
  return { tag, content: bytes.subarray(at + 2, next), end: next + 2 }
}

function childrenOf({ content }: Element): Element[] {
  const children: Element[] = []
  for (let at = 0; at + 2 <= content.length; ) {
    const child = elementAt(content, at)
    children.push(child)
    at = child.end
  }
  return children
}

/** An octet string, which may consist of others. */
function octetsOf(element: Element, depth: number): Buffer {
  const isConstructed = (element.tag & 0x20) !== 0
  if (!isConstructed || depth > maxDepth) return element.content
  return Buffer.concat(childrenOf(element).map((child) => octetsOf(child, depth + 1)))
}

function objectId(bytes: Buffer): string {
  const first = bytes[0] ?? 0
  const parts = [Math.floor(first / 40), first % 40]
  let value = 0
  for (const byte of bytes.subarray(1)) {
    value = value * 128 + (byte & 0x7f)
    if (byte < 0x80) {
      parts.push(value)
      value = 0
    }
  }
  return parts.join('.')
}
