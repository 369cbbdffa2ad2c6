import { appendAttachments } from './append-attachments.ts'
import { escapeHtml, textHtml } from './html.ts'
import { insertPictures } from './inline-pictures.ts'
import type { Attachment, Mail } from './mail.ts'

// E-mails as one page: of each the subject, the headers and a list of the attachments, then its own page or text, with the
// pictures that came with it in their places. The page is not made safe here: Chromium prints it where no script runs and
// nothing can be fetched, and pandoc keeps nothing that runs or loads.

export interface PageOptions {
  hasTitle: boolean
  appendsAttachments: boolean
}

export interface MailPage {
  html: string
  /** Attachments that were to be appended and cannot be. */
  unappended: number
}

export async function mailPage(mails: readonly Mail[], options: PageOptions): Promise<MailPage> {
  const parts = await Promise.all(mails.map((mail) => pageOf(mail, options.appendsAttachments)))
  const title = options.hasTitle ? `<title>${escapeHtml(mails[0]?.subject ?? '')}</title>` : ''
  // Style sheets of several mails would change each other's pages.
  const pages = parts.map(({ html }) => (parts.length > 1 ? withoutStyles(html) : html))
  return {
    html: `<!doctype html><meta charset="utf-8">${title}${onePageSize}${pages.join('<hr style="break-after:page">')}`,
    unappended: parts.reduce((sum, part) => sum + part.unappended, 0),
  }
}

/** Outlook puts the body on named pages of another size, which would leave the headers alone on the first page. */
const onePageSize = '<style>*{page:auto!important}</style>'

async function pageOf(mail: Mail, appendsAttachments: boolean): Promise<MailPage> {
  const { html, shown } =
    'html' in mail.body
      ? insertPictures(mail.body.html, mail.attachments)
      : { html: textHtml(mail.body.text), shown: new Set<Attachment>() }
  const listed = mail.attachments.filter((each) => !shown.has(each))
  const appended = appendsAttachments ? await appendAttachments(listed) : { html: '', unappended: 0 }
  // Its own title would be a second heading.
  const page = html.replaceAll(/<title\b[^<>]*>[^<]*<\/title\s*>/gi, '')
  const body = /<body\b[^<>]*>/i.exec(page)
  const [before, after] = body
    ? [page.slice(0, body.index + body[0].length), page.slice(body.index + body[0].length)]
    : ['', page]
  const head = headersHtml(mail, listed)
  return {
    html: `${before.replace(/^\s*<!doctype[^<>]*>/i, '')}${head}${withEnd(after, appended.html)}`,
    unappended: appended.unappended,
  }
}

const withEnd = (page: string, end: string): string => {
  const at = page.search(/<\/body\s*>/i)
  return at === -1 ? page + end : page.slice(0, at) + end + page.slice(at)
}

const withoutStyles = (html: string): string =>
  html.replaceAll(/<style\b[^<>]*>[^<]*(?:<\/style\s*>|$)/gi, '')

/** Keeps the headers visible with any style sheet of the mail. */
const plain = 'style="all:revert!important;font:10pt sans-serif!important;color:#000!important"'
const large = 'style="all:revert!important;font:bold 14pt sans-serif!important;color:#000!important"'

function headersHtml({ subject, headers }: Mail, attachments: readonly Attachment[]): string {
  const lines = headers
    .filter(([, value]) => value.trim() !== '')
    .map(([label, value]) => `<b>${label}:</b> ${escapeHtml(value)}`)
  const list = attachments.map(
    ({ name, content }) =>
      `<li>${escapeHtml(name.trim() || 'without a name')}, ${sizeOf(content.length)}</li>`,
  )
  const attached =
    list.length > 0 ? `<p ${plain}><b>Attachments:</b></p><ul ${plain}>${list.join('')}</ul>` : ''
  const title = escapeHtml(subject.trim() || '(no subject)')
  return `<h1 ${large}>${title}</h1><p ${plain}>${lines.join('<br>')}</p>${attached}<hr>`
}

function sizeOf(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`
  return bytes < 1_000_000 ? `${Math.round(bytes / 1000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`
}
