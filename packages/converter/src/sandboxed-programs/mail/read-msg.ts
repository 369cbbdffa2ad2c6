import msgReader, { type FieldsData } from '@kenjiuno/msgreader'
import { decodeStrictly } from '../../catalog/encoding/decode-strictly.ts'
import { encodingName } from '../../catalog/encoding/encoding-names.ts'
import { shownText } from '../../catalog/file-types/shown-text.ts'
import { ConversionFailed, failed } from '../../failure.ts'
import { partTypeOf } from '../archive/web-parts.ts'
import { checkContainer } from './check-container.ts'
import { itemFields } from './item-fields.ts'
import { type Attachment, type Body, isEmptyBody, type Mail } from './mail.ts'
import { readEml, unwrapSignature } from './read-eml.ts'
import { rtfBody } from './rtf-body.ts'

// An item as Outlook saves it: properties in a compound file. The HTML body is a property, or is inside compressed RTF;
// the plain text is stored as well, and is used when neither can be read.

// A CommonJS package: the loader may have unwrapped its default export already.
const MsgReader = msgReader.default ?? (msgReader as unknown as typeof msgReader.default)
type Reader = InstanceType<typeof MsgReader>

export async function readMsg(bytes: Uint8Array): Promise<Mail> {
  checkContainer(Buffer.from(bytes))
  try {
    const file = Uint8Array.from(bytes).buffer
    const reader = new MsgReader(file)
    reader.parserConfig = { ansiEncoding: eightBitEncoding(file), includeRawProps: true }
    const fields = reader.getFileData()
    if (fields.error) throw new Error(fields.error)
    return await unwrapSmime(await mailOf(fields, (each) => reader.getAttachment(each)), fields)
  } catch (error) {
    if (error instanceof ConversionFailed) throw error
    throw failed.corruptInput('The mail could not be read: it is damaged or cut off.', error)
  }
}

/**
 * The encoding of texts that are not Unicode. The code page that the item names may be that of its page alone, so it
 * counts only where every text is valid in it.
 */
function eightBitEncoding(file: ArrayBuffer): string {
  const reader = new MsgReader(file)
  reader.parserConfig = { ansiEncoding: 'latin1' }
  const { messageCodepage, internetCodepage, messageLocaleId, subject, body, senderName } =
    reader.getFileData()
  const texts = [subject, body, senderName].map(textOf).filter((each) => /^[\0-\xff]*$/.test(each))
  const bytes = Buffer.from(texts.join('\n'), 'latin1')
  const named = [messageCodepage, internetCodepage].map((page) => encodingName(`cp${page}`))
  const candidates = [...named, 'utf-8', localeEncoding(messageLocaleId), 'windows-1252']
  return (
    candidates.find((name): name is string => name !== undefined && isValid(bytes, name)) ?? 'windows-1252'
  )
}

// Windows' code pages by primary language ([MS-LCID]); windows-1252 for the others.
const localeEncodings: ReadonlyMap<number, string> = new Map([
  [0x01, 'windows-1256'],
  [0x02, 'windows-1251'],
  [0x04, 'gbk'],
  [0x05, 'windows-1250'],
  [0x08, 'windows-1253'],
  [0x0d, 'windows-1255'],
  [0x0e, 'windows-1250'],
  [0x11, 'shift_jis'],
  [0x12, 'euc-kr'],
  [0x15, 'windows-1250'],
  [0x19, 'windows-1251'],
  [0x1e, 'windows-874'],
  [0x1f, 'windows-1254'],
  [0x22, 'windows-1251'],
  [0x25, 'windows-1257'],
  [0x26, 'windows-1257'],
  [0x27, 'windows-1257'],
  [0x2a, 'windows-1258'],
])

const localeEncoding = (locale: number | undefined): string | undefined =>
  locale === undefined ? undefined : localeEncodings.get(locale & 0x3ff)

const isValid = (bytes: Uint8Array, encoding: string): boolean =>
  decodeStrictly(bytes, encoding) !== undefined

type Content = ReturnType<Reader['getAttachment']>

async function mailOf(fields: FieldsData, contentOf: (attachment: FieldsData) => Content): Promise<Mail> {
  const recipients = (type: 'to' | 'cc' | 'bcc') =>
    (fields.recipients ?? [])
      .filter(({ recipType = 'to' }) => recipType === type)
      .map(({ name, smtpAddress, email }) => person(name, smtpAddress ?? email))
      .join(', ')
  const { senderName, senderSmtpAddress, senderEmail } = fields
  return {
    subject: textOf(fields.subject),
    headers: [
      ['From', person(senderName, senderSmtpAddress ?? senderEmail)],
      ['To', recipients('to')],
      ['Cc', recipients('cc')],
      ['Bcc', recipients('bcc')],
      ['Date', textOf(fields.clientSubmitTime ?? fields.messageDeliveryTime)],
      ...itemFields(fields),
    ],
    body: await bodyOf(fields),
    attachments: (fields.attachments ?? []).map((each): Attachment => {
      const { fileName, content } = contentOf(each)
      const name = textOf(fileName) || textOf(each.name)
      return {
        name,
        type: textOf(each.attachMimeTag) || typeByName(name),
        id: textOf(each.pidContentId),
        content: content instanceof Uint8Array ? content : new Uint8Array(),
      }
    }),
  }
}

/** A signed item keeps the whole MIME message as its only attachment. */
async function unwrapSmime(mail: Mail, { messageClass }: FieldsData): Promise<Mail> {
  const kind = textOf(messageClass).toLowerCase()
  if (!kind.startsWith('ipm.note.smime')) return mail
  const [only] = mail.attachments
  if (!only) return mail
  if (!kind.includes('multipartsigned')) return unwrapSignature({ ...mail, body: { text: '' } })
  const { body, attachments } = await readEml(only.content)
  return isEmptyBody(body) ? mail : { ...mail, body, attachments }
}

/** The file decides the type of a property. */
const textOf = (untrusted: unknown): string => (typeof untrusted === 'string' ? untrusted : '')

/** Within an organisation the address may be a path of its directory, which is of no use to a reader. */
function person(untrustedName: unknown, untrustedAddress: unknown): string {
  const [name, address] = [textOf(untrustedName), textOf(untrustedAddress)]
  if (!address.includes('@') || address === name) return name || address
  return name ? `${name} <${address}>` : address
}

async function bodyOf({ html, bodyHtml, body, compressedRtf, internetCodepage }: FieldsData): Promise<Body> {
  if (html instanceof Uint8Array && html.length > 0) return { html: decodePage(html, internetCodepage) }
  if (textOf(bodyHtml) !== '') return { html: textOf(bodyHtml) }
  const plain = { text: textOf(body) }
  if (!(compressedRtf instanceof Uint8Array)) return plain
  const rich = (await rtfBody(compressedRtf)) ?? plain
  // Outlook makes RTF of every plain text too.
  const isPlain = 'text' in rich || shownText(rich.html).trim() === ''
  return isPlain && plain.text !== '' ? plain : rich
}

function decodePage(bytes: Uint8Array, codePage = 65001): string {
  const declared = /charset\s*=\s*["']?([\w-]+)/i.exec(
    Buffer.from(bytes.subarray(0, 4096)).toString('latin1'),
  )?.[1]
  const named = encodingName(declared ?? '') ?? encodingName(`cp${codePage}`)
  // Text that is valid UTF-8 is UTF-8, even if another encoding is declared; ISO-2022-JP consists of ASCII bytes.
  const candidates = named === 'iso-2022-jp' ? [named] : ['utf-8', named, encodingName(`cp${codePage}`)]
  const valid = candidates.find((name) => name !== undefined && isValid(bytes, name))
  return new TextDecoder(valid ?? named ?? 'windows-1252').decode(bytes)
}

function typeByName(name: string): string {
  const type = partTypeOf(name)
  return type?.startsWith('image/') ? type : 'application/octet-stream'
}
