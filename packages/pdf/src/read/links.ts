import type { Link } from './page.ts'
import type { Pdfium } from './pdfium.ts'
import { rectAt } from './rect.ts'
import { identity } from './transform.ts'

const actionGoto = 1
const actionUri = 3
/** On one page; an index has a tenth of it. */
const maxLinks = 5000

/** The links of a page, with boxes in PDF coordinates. */
export function readLinks(
  pdfium: Pdfium,
  document: number,
  page: number,
  heightOn: (page: number, x: number, y: number) => number,
): Link[] {
  const { call, scratch: s } = pdfium
  const out: Link[] = []
  const cursor = pdfium.allocate(8)
  try {
    pdfium.bytes(cursor, 8).fill(0)
    while (out.length < maxLinks && call.FPDFLink_Enumerate(page, cursor, cursor + 4)) {
      const link = pdfium.int(cursor + 4)
      if (!link || !call.FPDFLink_GetAnnotRect(link, s)) continue
      const box = rectAt(pdfium, s, identity)
      const action = call.FPDFLink_GetAction(link)
      const type = action ? call.FPDFAction_GetType(action) : 0
      if (type === actionUri) {
        const uri = pdfium
          .narrow((buffer, size) => call.FPDFAction_GetURIPath(document, action, buffer, size))
          .trim()
        if (uri) out.push({ box, uri })
        continue
      }
      let dest = call.FPDFLink_GetDest(document, link)
      if (!dest && type === actionGoto) dest = call.FPDFAction_GetDest(document, action)
      if (!dest) continue
      const target = call.FPDFDest_GetDestPageIndex(document, dest)
      if (target < 0) continue
      let y = 0
      if (
        call.FPDFDest_GetLocationInPage(dest, s, s + 4, s + 8, s + 12, s + 16, s + 20) &&
        pdfium.int(s + 4) !== 0
      )
        y = heightOn(target, pdfium.float(s + 12), pdfium.float(s + 16))
      out.push({ box, target: { page: target, y } })
    }
  } finally {
    pdfium.free(cursor)
  }
  return out
}
