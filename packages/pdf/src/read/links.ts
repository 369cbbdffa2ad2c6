import type { Link } from './page.ts'
import type { Pdfium } from './pdfium.ts'
import { applyBox, identity } from './transform.ts'

const actionGoto = 1
const actionUri = 3
/** On one page; an index has a tenth of it. */
const maxLinks = 5000

/** The links of a page, with boxes in PDF coordinates. */
export function readLinks(pdfium: Pdfium, document: number, page: number, heightOn: HeightOn): Link[] {
  const { call, scratch: s } = pdfium
  const out: Link[] = []
  const cursor = pdfium.allocate(8)
  try {
    pdfium.bytes(cursor, 8).fill(0)
    while (out.length < maxLinks && call.FPDFLink_Enumerate(page, cursor, cursor + 4)) {
      const link = pdfium.int(cursor + 4)
      if (!link || !call.FPDFLink_GetAnnotRect(link, s)) continue
      const box = applyBox(identity, pdfium.rect(s))
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
      if (target >= 0)
        out.push({
          box,
          target: { page: target, y: heightOfDestination(pdfium, dest, target, heightOn) ?? 0 },
        })
    }
  } finally {
    pdfium.free(cursor)
  }
  return out
}

/** Converts user space coordinates to a height on the upright page. */
export type HeightOn = (page: number, x: number, y: number) => number

/** Undefined if the destination is a whole page. */
export function heightOfDestination(
  { call, scratch: s, int, float }: Pdfium,
  dest: number,
  page: number,
  heightOn: HeightOn,
): number | undefined {
  const isPlace = call.FPDFDest_GetLocationInPage(dest, s, s + 4, s + 8, s + 12, s + 16, s + 20)
  if (!isPlace || int(s + 4) === 0) return undefined
  return heightOn(page, int(s) === 0 ? 0 : float(s + 12), float(s + 16))
}
