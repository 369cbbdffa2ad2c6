// The Content-Type of a message, corrected where a reader that takes it at its word would show nothing of the message.

const header = /^content-type:[^\r\n]*(?:\r?\n[ \t][^\r\n]*)*/im
const maxBoundary = 200

export function correctContentType(message: Buffer): Buffer {
  const text = message.toString('latin1')
  const head = text.split(/\r?\n\r?\n/, 1)[0] ?? ''
  const declared = header.exec(head)?.[0]
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
