import { decompressRTF } from '@kenjiuno/decompressrtf'
import msgReader, { type FieldsData } from '@kenjiuno/msgreader'
import { deEncapsulateSync } from 'rtf-stream-parser'
import { failed } from '../../failure.ts'
import { checkContainer } from './check-container.ts'
import type { Attachment, Mail } from './mail.ts'

// A mail as Outlook saves it: properties in an OLE container. The page is a property of its own, or wrapped in
// compressed RTF; the plain text is there besides, and is taken where neither can be read.

// A package of the older kind: whoever loads it may have taken its default export out of it already.
const MsgReader = msgReader.default ?? (msgReader as unknown as typeof msgReader.default)

export function readMsg(bytes: Uint8Array): Mail {
  checkContainer(Buffer.from(bytes))
  try {
    const file = Uint8Array.from(bytes).buffer
    const { messageCodepage, internetCodepage } = new MsgReader(file).getFileData()
    const codePage = messageCodepage ?? internetCodepage
    const msg = new MsgReader(file)
    // Texts that are not Unicode are of the code page that the first reading found.
    if (codePage !== undefined) msg.parserConfig = { ansiEncoding: encodingOf(`cp${codePage}`) }
    const fields = msg.getFileData()
    if (fields.error) throw new Error(fields.error)
    return mailOf(fields, (each) => msg.getAttachment(each))
  } catch (error) {
    throw failed.corruptInput('The mail could not be read: it is damaged or cut off.', error)
  }
}

type Content = ReturnType<InstanceType<typeof MsgReader>['getAttachment']>

function mailOf(fields: FieldsData, contentOf: (attachment: FieldsData) => Content): Mail {
  const of = (type: 'to' | 'cc' | 'bcc') =>
    (fields.recipients ?? [])
      .filter(({ recipType = 'to' }) => recipType === type)
      .map(({ name, smtpAddress, email }) => person(name, smtpAddress ?? email))
      .join(', ')
  const { senderName, senderSmtpAddress, senderEmail } = fields
  return {
    subject: textOf(fields.subject),
    heads: [
      ['From', person(senderName, senderSmtpAddress ?? senderEmail)],
      ['To', of('to')],
      ['Cc', of('cc')],
      ['Bcc', of('bcc')],
      ['Date', textOf(fields.clientSubmitTime ?? fields.messageDeliveryTime)],
    ],
    body: bodyOf(fields),
    attachments: (fields.attachments ?? []).map((each): Attachment => {
      const { fileName, content } = contentOf(each)
      const name = textOf(fileName) || textOf(each.name)
      return {
        ...{ name, type: textOf(each.attachMimeTag) || typeByName(name), id: textOf(each.pidContentId) },
        content: content instanceof Uint8Array ? content : new Uint8Array(),
      }
    }),
  }
}

/** A property has whatever type the file gives it. */
const textOf = (untrusted: unknown): string => (typeof untrusted === 'string' ? untrusted : '')

/** Within an organisation the address may be a path of its directory, which says nothing to people. */
function person(untrustedName: unknown, untrustedAddress: unknown): string {
  const [name, address] = [textOf(untrustedName), textOf(untrustedAddress)]
  if (!address.includes('@') || address === name) return name || address
  return name ? `${name} <${address}>` : address
}

function bodyOf({ html, bodyHtml, body, compressedRtf, internetCodepage }: FieldsData): Mail['body'] {
  if (html instanceof Uint8Array && html.length > 0) return { html: decodePage(html, internetCodepage) }
  if (textOf(bodyHtml) !== '') return { html: textOf(bodyHtml) }
  const text = textOf(body)
  if (!(compressedRtf instanceof Uint8Array)) return { text }
  try {
    const rtf = Buffer.from(decompressRTF([...compressedRtf]))
    const wrapped = deEncapsulateSync(rtf, { decode, mode: 'either', warn: () => {} })
    return wrapped.mode === 'html' ? { html: String(wrapped.text) } : { text: text || String(wrapped.text) }
  } catch {
    // RTF that wraps nothing: its text is the plain one.
    return { text }
  }
}

function decodePage(bytes: Uint8Array, codePage = 65001): string {
  const named = /charset\s*=\s*["']?([\w-]+)/i.exec(
    Buffer.from(bytes.subarray(0, 4096)).toString('latin1'),
  )?.[1]
  return decode(Buffer.from(bytes), named ?? `cp${codePage}`)
}

const names: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ...{ cp932: 'shift_jis', cp936: 'gbk', cp949: 'euc-kr', cp950: 'big5', cp65001: 'utf-8' },
    ...{ cp20866: 'koi8-r', cp21866: 'koi8-u', cp20127: 'utf-8', cp54936: 'gb18030', cp10000: 'macintosh' },
    ...{ cp50220: 'iso-2022-jp', cp51932: 'euc-jp', cp51949: 'euc-kr' },
  }),
)

const encodingOf = (name: string): string =>
  names.get(name) ?? name.replace(/^cp(?=874$|125\d$)/, 'windows-').replace(/^cp2859(\d)$/, 'iso-8859-$1')

function decode(bytes: Buffer, name: string): string {
  try {
    return new TextDecoder(encodingOf(name.toLowerCase())).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

const pictures: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ...{ png: 'image/png', jpg: 'image/jpeg', jpeg: 'image/jpeg', gif: 'image/gif', bmp: 'image/bmp' },
    ...{ svg: 'image/svg+xml', webp: 'image/webp' },
  }),
)

const typeByName = (name = ''): string =>
  pictures.get(/\.(\w+)$/.exec(name)?.[1]?.toLowerCase() ?? '') ?? 'application/octet-stream'
