import PostalMime, { type Address, addressParser, type Email } from 'postal-mime'
import { shownText } from '../../catalog/file-types/shown-text.ts'
import { ConversionFailed, failed } from '../../failure.ts'
import { encryptedMessage, signedContent } from './cms.ts'
import { textHtml } from './html.ts'
import { type Attachment, type Body, isEmptyBody, type Mail } from './mail.ts'
import { repairMessage } from './repair-message.ts'
import { isTnef, readTnef } from './tnef.ts'

// Internet mail (RFC 5322 and MIME), also as a web archive (MHTML). A message that was forwarded as a part follows the
// message that contains it.

const limits = { maxNestingDepth: 100, maxHeadersSize: 1024 * 1024, maxRfc822NestingDepth: 10 }
const maxSignatures = 5

export async function readEml(bytes: Uint8Array, signatures = 0): Promise<Mail> {
  const { message, locations } = await repairMessage(Buffer.from(bytes))
  const email = await parse(message)
  const { to, cc, bcc, subject = '', html = '', text = '', headers } = email
  const from = headers.filter(({ key }) => key === 'from').flatMap(({ value }) => addressParser(value))
  const date = headers.find(({ key }) => key === 'date')?.value ?? ''
  const mail: Mail = {
    subject,
    headers: [
      ['From', addresses(from)],
      ['To', addresses(to)],
      ['Cc', addresses(cc)],
      ['Bcc', addresses(bcc)],
      ['Date', date],
    ],
    body: html.trim() === '' ? { text } : { html },
    attachments: email.attachments.map(({ filename, mimeType, contentId, content }) => {
      const id = contentId?.replace(/^<|>$/g, '')
      const location = id === undefined ? undefined : locations.get(id)
      return {
        name: filename ?? '',
        type: mimeType,
        id,
        location,
        content: new Uint8Array(content as ArrayBuffer),
      }
    }),
  }
  return unwrapSignature(await unwrapTnef(mail), signatures)
}

async function parse(message: Buffer): Promise<Email> {
  try {
    return await PostalMime.parse(message, { attachmentEncoding: 'arraybuffer', ...limits })
  } catch (error) {
    if (!/exceeded/.test(String(error)))
      throw failed.corruptInput('The mail could not be read: it is damaged or cut off.', error)
    throw failed.tooComplex(
      'The mail has more nested parts, or longer headers, than any mail program writes. Save it again from a mail program.',
      error,
    )
  }
}

async function unwrapTnef(mail: Mail): Promise<Mail> {
  const packed = mail.attachments.find(({ content }) => isTnef(content))
  if (!packed) return mail
  try {
    const { body, attachments } = await readTnef(packed.content)
    const others = mail.attachments.filter((each) => each !== packed)
    return { ...mail, body: withPacked(mail.body, body), attachments: [...others, ...attachments] }
  } catch (error) {
    // Damaged: it stays in the list of attachments.
    if (error instanceof RangeError) return mail
    throw error
  }
}

/** Outlook sends the packed body as plain text too. Other programs, and mailing lists, write a text of their own beside it. */
function withPacked(body: Body, packed: Body | undefined): Body {
  if (!packed) return body
  const said = new Set(wordsOf('html' in packed ? packed.html : packed.text))
  const isSame = wordsOf('html' in body ? shownText(body.html) : body.text).every((word) => said.has(word))
  return isSame ? packed : { html: `${htmlOf(body)}<hr>${htmlOf(packed)}` }
}

/** Words of ASCII letters: an HTML body may write others as references. */
const wordsOf = (text: string): string[] => text.toLowerCase().match(/[a-z]{3,}/g) ?? []

const htmlOf = (body: Body): string => ('html' in body ? body.html : textHtml(body.text))

/** A message inside an S/MIME signature replaces the body. Throws when the message is encrypted. */
export async function unwrapSignature(mail: Mail, signatures = 0): Promise<Mail> {
  if (!isEmptyBody(mail.body)) return mail
  if (mail.attachments.some(({ type }) => type === 'application/pgp-encrypted')) throw encryptedMessage()
  const signed = mail.attachments.find(isCms)
  if (!signed || signatures >= maxSignatures) return mail
  const { body, attachments } = await readEml(contentOf(signed), signatures + 1)
  return {
    ...mail,
    body,
    attachments: [...mail.attachments.filter((each) => each !== signed), ...attachments],
  }
}

const isCms = ({ type, name }: Attachment): boolean =>
  /^application\/(?:x-)?pkcs7-mime$/.test(type) || /\.p7m$/i.test(name)

function contentOf({ content }: Attachment): Buffer {
  try {
    return signedContent(Buffer.from(content))
  } catch (error) {
    if (error instanceof ConversionFailed) throw error
    throw failed.corruptInput('The signed message cannot be read: it is damaged.', error)
  }
}

const addresses = (list: readonly Address[] = []): string =>
  list
    .map(({ name, address, group }) => {
      if (group) return `${name}: ${addresses(group)}`
      if (!name || name === address) return address
      return address ? `${name} <${address}>` : name
    })
    .join(', ')
