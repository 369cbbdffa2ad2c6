import { decodeText } from '../../catalog/encoding/detect-legacy.ts'
import { looksLikeMail } from '../../catalog/file-types/mail.ts'
import { isOle } from '../../catalog/file-types/ole.ts'
import { ConversionFailed } from '../../failure.ts'
import { escapeHtml, plainHtml, textHtml } from './html.ts'
import { dataUri } from './inline-pictures.ts'
import type { Attachment, Mail } from './mail.ts'

// Attachments that can be shown on the mail's own page: pictures, texts and other mails. Documents of other programs stay
// in the list.

export interface Appended {
  html: string
  unappended: number
}

const maxAppendedBytes = 64 * 1024 * 1024

export async function appendAttachments(attachments: readonly Attachment[]): Promise<Appended> {
  let html = ''
  let unappended = 0
  for (const attachment of attachments) {
    const shown = html.length < maxAppendedBytes ? await htmlOf(attachment) : undefined
    if (shown === undefined) unappended += 1
    else
      html += `<hr style="break-after:page"><h2>${escapeHtml(attachment.name.trim() || 'without a name')}</h2>${shown}`
  }
  return { html, unappended }
}

async function htmlOf(attachment: Attachment): Promise<string | undefined> {
  const { name, type, content } = attachment
  const bytes = Buffer.from(content)
  if (/^image\/(?:png|jpeg|gif|bmp|webp|svg\+xml)$/.test(type))
    return `<p><img src="${dataUri(attachment)}" style="max-width:100%"></p>`
  if (isOle(bytes) || looksLikeMail(bytes)) return mailHtml(bytes)
  if (!type.startsWith('text/') && !/\.(?:txt|csv|log|md|html?)$/i.test(name)) return undefined
  const text = await decodeText(bytes)
  if (text === undefined) return undefined
  return /html/i.test(type + name) ? plainHtml(text) : textHtml(text)
}

async function mailHtml(bytes: Buffer): Promise<string | undefined> {
  const { readMail } = await import('./read-mail.ts')
  try {
    return summaryOf(await readMail(bytes))
  } catch (error) {
    if (error instanceof ConversionFailed) return undefined
    throw error
  }
}

function summaryOf({ subject, headers, body, attachments }: Mail): string {
  const lines = [
    `Subject: ${subject}`,
    ...headers.filter(([, value]) => value.trim() !== '').map(([label, value]) => `${label}: ${value}`),
    ...attachments.map(({ name }) => `Attachment: ${name}`),
  ]
  return `${textHtml(lines.join('\n'))}\n${'html' in body ? plainHtml(body.html) : textHtml(body.text)}`
}
