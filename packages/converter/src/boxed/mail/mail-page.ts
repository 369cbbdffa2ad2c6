import { failed } from '../../failure.ts'
import type { Attachment, Mail } from './mail.ts'

// A mail as one page: subject, heads and a list of the attachments, then its own page or text, with the pictures that
// came with it in their places. The page is not made safe here: it is printed where no script runs and nothing can be
// fetched, or goes through pandoc, which keeps nothing that runs or loads.

/** A picture that is shown ten thousand times must not make a page of gigabytes. */
const mostPictureBytes = 128 * 1024 * 1024

export function mailPage(mail: Mail, withTitle: boolean): string {
  const { html, shown } =
    'html' in mail.body ? withPictures(mail.body.html, mail.attachments) : textPage(mail.body)
  const listed = mail.attachments.filter((each) => !shown.has(each))
  const head = headHtml(mail, listed)
  const title = withTitle ? `<title>${escapeHtml(mail.subject)}</title>` : ''
  // Its own title would be a second heading.
  const page = html.replaceAll(/<title\b[^<>]*>[^<]*<\/title\s*>/gi, '')
  const body = /<body\b[^<>]*>/i.exec(page)
  const [before, after] = body
    ? [page.slice(0, body.index + body[0].length), page.slice(body.index + body[0].length)]
    : ['', page]
  return `<!doctype html><meta charset="utf-8">${title}${before.replace(/^\s*<!doctype[^<>]*>/i, '')}${head}${after}`
}

/** Whatever style sheet the mail brings, its heads are seen. */
const plain = 'style="all:revert!important;font:10pt sans-serif!important;color:#000!important"'

function headHtml({ subject, heads }: Mail, attachments: readonly Attachment[]): string {
  const lines = heads
    .filter(([, value]) => value.trim() !== '')
    .map(([label, value]) => `<b>${label}:</b> ${escapeHtml(value)}`)
  const list = attachments.map(
    ({ name, content }) =>
      `<li>${escapeHtml(name.trim() || 'without a name')}, ${sizeOf(content.length)}</li>`,
  )
  const attached =
    list.length > 0 ? `<p ${plain}><b>Attachments:</b></p><ul ${plain}>${list.join('')}</ul>` : ''
  return `<h1 style="all:revert!important;font:bold 14pt sans-serif!important;color:#000!important">${escapeHtml(
    subject.trim() || '(no subject)',
  )}</h1><p ${plain}>${lines.join('<br>')}</p>${attached}<hr>`
}

function sizeOf(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`
  return bytes < 1_000_000 ? `${Math.round(bytes / 1000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`
}

function withPictures(
  html: string,
  attachments: readonly Attachment[],
): { html: string; shown: Set<Attachment> } {
  const byId = new Map(attachments.flatMap((each) => (each.id ? [[each.id, each] as const] : [])))
  const shown = new Set<Attachment>()
  const uris = new Map<Attachment, string>()
  let inserted = 0
  const filled = html.replaceAll(
    /(["'(=\s])cid:([^"'()<>\s]{1,500})/gi,
    (whole, before: string, id: string) => {
      const picture = byId.get(id) ?? byId.get(decoded(id))
      if (!picture || !/^image\/[\w.+-]+$/.test(picture.type)) return whole
      const uri =
        uris.get(picture) ?? `data:${picture.type};base64,${Buffer.from(picture.content).toString('base64')}`
      uris.set(picture, uri)
      shown.add(picture)
      inserted += uri.length
      if (inserted > mostPictureBytes)
        throw failed.tooComplex('The mail shows its pictures so often that the page would be too large.')
      return before + uri
    },
  )
  return { html: filled, shown }
}

const decoded = (id: string): string => {
  try {
    return decodeURIComponent(id.replaceAll('&amp;', '&'))
  } catch {
    return id
  }
}

const textPage = ({ text }: { text: string }): { html: string; shown: Set<Attachment> } => ({
  html: text
    .trim()
    .split(/\r?\n(?:[ \t]*\r?\n)+/)
    .map((part) => `<p style="white-space:pre-wrap">${escapeHtml(part).replaceAll(/\r?\n/g, '<br>')}</p>`)
    .join('\n'),
  shown: new Set(),
})

const escapeHtml = (text: string): string =>
  text
    // Control characters, and marks that turn the direction of writing: a name may not show as another.
    .replaceAll(/(?![\t\n])\p{Cc}|[\u202a-\u202e\u2066-\u2069]/gu, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
