import { failed } from '../../failure.ts'
import type { Attachment } from './mail.ts'

// Pictures that came with a mail, in the places that refer to them: by Content-ID, by Content-Location (an address or a
// path) or by file name.

/** A picture that is shown ten thousand times must not make a page of gigabytes. */
const maxPictureBytes = 128 * 1024 * 1024

export interface WithPictures {
  html: string
  /** Attachments that the page shows. */
  shown: ReadonlySet<Attachment>
}

const reference = /((?:\b(?:src|background|href)\s*=\s*|\burl\(\s*)["']?)([^"'()<>\s]{1,2000})/gi

export function insertPictures(html: string, attachments: readonly Attachment[]): WithPictures {
  const pictures = attachments.filter(({ type }) => /^image\/[\w.+-]+$/.test(type))
  const byName = new Map<string, Attachment>()
  for (const picture of pictures) {
    const { id, location, name } = picture
    for (const key of [id && `cid:${id}`, location, location && lastSegment(location), name])
      if (key && !byName.has(key)) byName.set(key, picture)
  }
  if (byName.size === 0) return { html, shown: new Set() }
  const shown = new Set<Attachment>()
  const uris = new Map<Attachment, string>()
  let inserted = 0
  const filled = html.replaceAll(reference, (whole, before: string, target: string) => {
    const picture = find(byName, target)
    if (!picture) return whole
    const uri = uris.get(picture) ?? dataUri(picture)
    uris.set(picture, uri)
    shown.add(picture)
    inserted += uri.length
    if (inserted > maxPictureBytes)
      throw failed.tooComplex('The mail shows its pictures so often that the page would be too large.')
    return before + uri
  })
  return { html: filled, shown }
}

export const dataUri = ({ type, content }: Attachment): string =>
  `data:${type};base64,${Buffer.from(content).toString('base64')}`

function find(byName: ReadonlyMap<string, Attachment>, target: string): Attachment | undefined {
  const plain = target.replaceAll('&amp;', '&').replace(/^cid:/i, 'cid:')
  // A picture on the web that happens to have the name of an attachment is another picture.
  const isAddress = /^[a-z][a-z\d+.-]*:/i.test(plain)
  const names = [plain, decoded(plain), ...(isAddress ? [] : [lastSegment(decoded(plain))])]
  return names.map((name) => byName.get(name)).find((found) => found !== undefined)
}

const lastSegment = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch (error) {
    if (error instanceof URIError) return text
    throw error
  }
}
