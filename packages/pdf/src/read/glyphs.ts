import { isMark } from '../marks.ts'
import { largeSign } from '../math/extension.ts'
import { isExtensionFont, isOperatorFont } from '../math/fonts.ts'
import { operatorSign } from '../math/symbols.ts'
import { limits, tooMuch } from './limits.ts'
import type { Font, Glyph } from './page.ts'
import type { Pdfium } from './pdfium.ts'
import { applyBox, applyX, applyY, type Matrix } from './transform.ts'

// One glyph per character of PDFium's text page. What PDFium made up itself (spaces between words,
// line ends) is left out: the next stage finds words by geometry.

interface TextObject {
  font: Font
  size: number
  color: string
  turn: 0 | 1 | 2 | 3
  slanted: boolean
  order: number
  tag: number
  invisible: boolean
}

const ligatures: Record<string, string> = {
  ﬀ: 'ff',
  ﬁ: 'fi',
  ﬂ: 'fl',
  ﬃ: 'ffi',
  ﬄ: 'ffl',
  ﬅ: 'st',
  ﬆ: 'st',
}

function hex(r: number, g: number, b: number): string {
  return ((1 << 24) | ((r & 255) << 16) | ((g & 255) << 8) | (b & 255)).toString(16).slice(1)
}

/** What PDFium calls an object's colour, as rrggbb; black when it has none. */
export function colorOf(
  pdfium: Pdfium,
  object: number,
  which: 'fill' | 'stroke',
): { color: string; alpha: number } {
  const { call, scratch: s } = pdfium
  const get = which === 'fill' ? call.FPDFPageObj_GetFillColor : call.FPDFPageObj_GetStrokeColor
  if (!get(object, s, s + 4, s + 8, s + 12)) return { color: '000000', alpha: 255 }
  return { color: hex(pdfium.int(s), pdfium.int(s + 4), pdfium.int(s + 8)), alpha: pdfium.int(s + 12) }
}

export interface GlyphSource {
  page: number
  upright: Matrix
  fontOf: (handle: number) => Font
  /** Text that stands outside the page is not shown and not taken. */
  pageBox: { width: number; height: number }
}

export function readGlyphs(pdfium: Pdfium, source: GlyphSource): Glyph[] {
  const { call, fast, scratch: s } = pdfium
  const { upright } = source
  const textPage = call.FPDFText_LoadPage(source.page)
  if (!textPage) return []
  try {
    const count = call.FPDFText_CountChars(textPage)
    if (count > limits.glyphsPerPage) throw tooMuch('characters on one page')
    const objects = new Map<number, TextObject>()
    const glyphs: Glyph[] = []
    for (let i = 0; i < count; i++) {
      const handle = fast.FPDFText_GetTextObject(textPage, i)
      if (!handle) continue
      let object = objects.get(handle)
      if (!object) {
        object = readTextObject(pdfium, source, textPage, i, handle, objects.size)
        objects.set(handle, object)
      }
      let code = fast.FPDFText_GetUnicode(textPage, i)
      const large =
        isExtensionFont(object.font) && call.FPDFText_IsGenerated(textPage, i) !== 1
          ? largeSign(code)
          : undefined
      if (large) code = large.text.codePointAt(0) as number
      else if (code < 128 && isOperatorFont(object.font)) code = operatorSign(code)?.codePointAt(0) ?? code
      if (code === 2) code = 0x2d
      if (code === 0 || code === 0xfffe || code === 0xffff || code === 0xad) {
        if (code !== 0xad) continue
        code = 0x2d
      }
      if (code < 32 || (code >= 0x7f && code < 0xa0)) code = 0x20
      if (isMark(code)) code = 0xfffd
      if (!fast.FPDFText_GetLooseCharBox(textPage, i, s)) continue
      const box = applyBox(
        upright,
        pdfium.float(s),
        pdfium.float(s + 12),
        pdfium.float(s + 8),
        pdfium.float(s + 4),
      )
      fast.FPDFText_GetCharOrigin(textPage, i, s, s + 8)
      const ux = pdfium.double(s)
      const uy = pdfium.double(s + 8)
      const x = applyX(upright, ux, uy)
      const y = applyY(upright, ux, uy)
      if (!(x > -20 && y > -20 && x < source.pageBox.width + 20 && y < source.pageBox.height + 20)) continue
      let char = String.fromCodePoint(code > 0x10ffff ? 0xfffd : code)
      // Two UTF-16 halves arrive as two characters.
      if (code >= 0xd800 && code < 0xdc00) {
        const low = fast.FPDFText_GetUnicode(textPage, i + 1)
        if (low >= 0xdc00 && low < 0xe000) {
          char = String.fromCharCode(code, low)
          i++
        } else char = '\ufffd'
      }
      if (large && large.height > 0) {
        box.y0 = y
        box.y1 = y + large.height * object.size
      }
      // Written out: copying by spread is slow, and there are many.
      glyphs.push({
        text: ligatures[char] ?? char,
        box,
        x,
        y,
        size: object.size,
        font: object.font,
        color: object.color,
        turn: object.turn,
        slanted: object.slanted,
        order: object.order,
        tag: object.tag,
        invisible: object.invisible,
      })
      if (large && large.height > 0) (glyphs.at(-1) as Glyph).large = true
    }
    return glyphs
  } finally {
    call.FPDFText_ClosePage(textPage)
  }
}

function readTextObject(
  pdfium: Pdfium,
  source: GlyphSource,
  textPage: number,
  index: number,
  handle: number,
  order: number,
): TextObject {
  const { call, scratch: s } = pdfium
  const font = source.fontOf(call.FPDFTextObj_GetFont(handle))
  call.FPDFText_GetMatrix(textPage, index, s)
  const [a, b, c, d] = [pdfium.float(s), pdfium.float(s + 4), pdfium.float(s + 8), pdfium.float(s + 12)]
  const size = call.FPDFText_GetFontSize(textPage, index) * Math.hypot(c, d)
  const { upright: u } = source
  // Writing direction on the upright page, clockwise from "to the right".
  const angle = Math.atan2(a * u[1] + b * u[3], a * u[0] + b * u[2])
  const quarters = Math.round(angle / (Math.PI / 2))
  const mode = call.FPDFTextObj_GetTextRenderMode(handle)
  const { color } = colorOf(pdfium, handle, mode === 1 ? 'stroke' : 'fill')
  return {
    font,
    size: size || 1,
    color,
    turn: (((quarters % 4) + 4) % 4) as 0 | 1 | 2 | 3,
    slanted: Math.abs(angle - quarters * (Math.PI / 2)) > 0.12,
    order,
    tag: call.FPDFPageObj_GetMarkedContentID(handle),
    invisible: mode === 3 || mode === 7,
  }
}
