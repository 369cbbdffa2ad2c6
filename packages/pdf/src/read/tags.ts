import { limits } from './limits.ts'
import type { Tag } from './page.ts'
import type { Pdfium } from './pdfium.ts'

/** Maximum nesting depth: programs nest about twenty elements. */
const deepestTag = 60

/** The structure tree of one page: maps marked content to elements. */
export function readTags(pdfium: Pdfium, page: number): Map<number, Tag> {
  const { call } = pdfium
  const owners = new Map<number, Tag>()
  const tree = call.FPDF_StructTree_GetForPage(page)
  if (!tree) return owners
  let count = 0
  try {
    const visit = (element: number, parent: Tag | undefined, depth: number): void => {
      if (!element || depth > deepestTag || ++count > limits.tags) return
      const type = pdfium.wide((buffer, size) => call.FPDF_StructElement_GetType(element, buffer, size))
      const tag: Tag = { type, parent, at: count }
      const children = call.FPDF_StructElement_CountChildren(element)
      for (let i = 0; i < children; i++) {
        const content = call.FPDF_StructElement_GetChildMarkedContentID(element, i)
        if (content >= 0) owners.set(content, tag)
        else visit(call.FPDF_StructElement_GetChildAtIndex(element, i), tag, depth + 1)
      }
    }
    const roots = call.FPDF_StructTree_CountChildren(tree)
    for (let i = 0; i < roots; i++) visit(call.FPDF_StructTree_GetChildAtIndex(tree, i), undefined, 0)
  } finally {
    call.FPDF_StructTree_Close(tree)
  }
  return owners
}
