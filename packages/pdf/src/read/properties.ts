import { limits } from './limits.ts'
import { type HeightOn, heightOfDestination } from './links.ts'
import type { Bookmark, Properties } from './page.ts'
import type { Pdfium } from './pdfium.ts'

/** Bookmarks of real documents have at most six levels. */
const deepestBookmark = 20

/** `D:20240131120000+01'00'` as ISO 8601; empty if it is not a date. */
export function isoDate(pdfDate: string): string {
  const [
    ,
    year,
    month = '01',
    day = '01',
    hour = '00',
    minute = '00',
    second = '00',
    sign,
    oh = '00',
    om = '00',
  ] =
    /^D?:?(\d{4})(\d\d)?(\d\d)?(\d\d)?(\d\d)?(\d\d)?(?:([+\-Z])(\d\d)?'?(\d\d)?)?/.exec(pdfDate.trim()) ?? []
  const zone = sign === '+' || sign === '-' ? `${sign}${oh}:${om}` : 'Z'
  const date = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}${zone}`)
  return Number.isNaN(date.getTime()) ? '' : date.toISOString().replace(/\.\d+Z$/, 'Z')
}

export function readProperties(pdfium: Pdfium, document: number): Properties {
  const { call } = pdfium
  const text = (get: (buffer: number, size: number) => number): string =>
    pdfium.wide(get).replaceAll('\0', '').trim()
  const meta = (key: string): string =>
    text((buffer, size) => call.FPDF_GetMetaText(document, key, buffer, size))
  return {
    title: meta('Title'),
    author: meta('Author'),
    subject: meta('Subject'),
    keywords: meta('Keywords'),
    created: isoDate(meta('CreationDate')),
    language: text((buffer, size) => call.FPDFCatalog_GetLanguage(document, buffer, size)),
  }
}

export function readBookmarks(pdfium: Pdfium, document: number, heightOn: HeightOn): Bookmark[] {
  const { call } = pdfium
  const out: Bookmark[] = []
  const seen = new Set<number>()
  const walk = (parent: number, level: number): void => {
    let node = call.FPDFBookmark_GetFirstChild(document, parent)
    while (node && !seen.has(node) && out.length < limits.bookmarks && level < deepestBookmark) {
      seen.add(node)
      const current = node
      const title = pdfium.wide((buffer, size) => call.FPDFBookmark_GetTitle(current, buffer, size)).trim()
      let dest = call.FPDFBookmark_GetDest(document, node)
      if (!dest) {
        const action = call.FPDFBookmark_GetAction(node)
        if (action) dest = call.FPDFAction_GetDest(document, action)
      }
      const page = dest ? call.FPDFDest_GetDestPageIndex(document, dest) : -1
      const y = page < 0 ? Number.NaN : (heightOfDestination(pdfium, dest, page, heightOn) ?? Number.NaN)
      if (title) out.push({ title, level, page, y })
      walk(node, level + 1)
      node = call.FPDFBookmark_GetNextSibling(document, node)
    }
  }
  walk(0, 1)
  return out
}
