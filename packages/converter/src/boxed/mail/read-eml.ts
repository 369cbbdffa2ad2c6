import PostalMime, { type Address, type Email } from 'postal-mime'
import { failed } from '../../failure.ts'
import type { Mail } from './mail.ts'

// Internet mail (RFC 5322 and MIME). A mail that was forwarded as a part stands behind the one that brings it.

const limits = { maxNestingDepth: 100, maxHeadersSize: 1024 * 1024, maxRfc822NestingDepth: 10 }

export async function readEml(bytes: Uint8Array): Promise<Mail> {
  let email: Email
  try {
    email = await PostalMime.parse(withoutEnvelope(bytes), { attachmentEncoding: 'arraybuffer', ...limits })
  } catch (error) {
    if (!/exceeded/.test(String(error)))
      throw failed.corruptInput('The mail could not be read: it is damaged or cut off.', error)
    throw failed.tooComplex(
      'The mail has parts within parts, or headers, beyond what any mail program makes. Save it anew from a mail program.',
      error,
    )
  }
  const { from, to, cc, bcc, subject = '', html = '', text = '', headers, attachments } = email
  const sent = headers.find(({ key }) => key === 'date')?.value ?? ''
  return {
    subject,
    heads: [
      ['From', addresses(from ? [from] : [])],
      ...([to, cc, bcc] as const).map(
        (list, i) => [['To', 'Cc', 'Bcc'][i] as string, addresses(list)] as const,
      ),
      ['Date', sent],
    ],
    body: html.trim() === '' ? { text } : { html },
    attachments: attachments.map(({ filename, mimeType, contentId, content }) => ({
      name: filename ?? '',
      type: mimeType,
      id: contentId?.replace(/^<|>$/g, ''),
      content: new Uint8Array(content as ArrayBuffer),
    })),
  }
}

/** Files cut out of a mailbox begin with a line that is no header. */
function withoutEnvelope(bytes: Uint8Array): Uint8Array {
  const isEnvelope = Buffer.from(bytes.subarray(0, 5)).toString('latin1') === 'From '
  return isEnvelope ? bytes.subarray(bytes.indexOf(0x0a) + 1) : bytes
}

const addresses = (list: readonly Address[] = []): string =>
  list
    .map(({ name, address, group }) => {
      if (group) return `${name}: ${addresses(group)}`
      if (!name || name === address) return address
      return address ? `${name} <${address}>` : name
    })
    .join(', ')
