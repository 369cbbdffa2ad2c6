import { elementAt } from '../element-at.ts'
import { isMark } from '../marks.ts'
import { perFont } from '../per-font.ts'
import { composeAccents } from './accents.ts'
import { mendClusters } from './clusters.ts'
import { restoreUtf8 } from './double-encoded.ts'
import { limits, tooMuch } from './limits.ts'
import { largeSign, pieceSign } from './math-fonts/large-signs.ts'
import { isAmsFont, isExtensionFont, isMathFont, isOperatorFont } from './math-fonts/names.ts'
import { amsSign, isBigOperator, operatorSign } from './math-fonts/operators.ts'
import { nameFixed, namelessSign } from './nameless-fonts.ts'
import type { Font, Glyph } from './page.ts'
import type { Pdfium } from './pdfium.ts'
import { mendReplacements } from './replacement-text.ts'
import { applyBox, applyX, applyY, type Matrix } from './transform.ts'

// One glyph per character of PDFium's text page. Characters that PDFium generates (spaces between words, line ends) are
// skipped: the next stage finds words by geometry.

type Corners = [left: number, right: number, bottom: number, top: number]

type TextObject = Omit<Glyph, 'text' | 'box' | 'x' | 'y' | 'large'>

/** PDFium's code for a hyphen at the end of a line, and Unicode's soft hyphen. */
const brokenHyphen = 2
const softHyphen = 0xad
const hyphen = 0x2d
const space = 0x20
const notACharacter = 0xfffe
const notACharacterEither = 0xffff
const replacement = 0xfffd
/** Formula editors put it beside scripts to give them a height. */
const zeroWidth = 0x200b
const lastCharacter = 0x10ffff
const asciiCodes = 128
const deletion = 0x7f
/** Symbol fonts have no letters: their codes are mapped to Unicode's private use area, as Word does. */
const ornaments = { codes: 0x100, from: 0xf000 }
const isOrnamentFont = perFont((font: Font): boolean => /^(?:wingdings|webdings)/i.test(font.name))
/** Surrogate pairs. */
const halves = { first: 0xd800, second: 0xdc00, end: 0xe000 }
/** Symbols that formulas enlarge, and the minimum height of their ink in that case, in ems. */
const growing: ReadonlySet<number> = new Set(
  [...'()[]{}|‖⟨⟩⌊⌋⌈⌉√∑∏∐∫∬∭∮⋃⋂⨆⨄⋀⋁⨀⨁⨂'].map((sign) => sign.codePointAt(0) as number),
)
const tallerThanText = 1.15
/** Maximum height of a glyph in ems; a taller box is wrong. */
const tallest = 8
/** Text outside the page by no more than this may extend into it, in points. */
const beside = 20
/** Seven degrees in radians: a smaller angle is the skew of a scan. */
const minSlant = 0.12
/** Text rendering modes of the PDF specification. */
const strokedMode = 1
const invisibleMode = 3
const clippingMode = 7
const opaque = 255

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

/** An object's colour as rrggbb; black if it has none. */
export function colorOf(
  pdfium: Pdfium,
  object: number,
  which: 'fill' | 'stroke',
): { color: string; alpha: number } {
  const { fast, scratch: s } = pdfium
  const get = which === 'fill' ? fast.FPDFPageObj_GetFillColor : fast.FPDFPageObj_GetStrokeColor
  if (!get(object, s, s + 4, s + 8, s + 12)) return { color: '000000', alpha: opaque }
  return { color: hex(pdfium.int(s), pdfium.int(s + 4), pdfium.int(s + 8)), alpha: pdfium.int(s + 12) }
}

export interface GlyphSource {
  page: number
  upright: Matrix
  fontOf: (handle: number) => Font
  /** Text outside the page is invisible and skipped. */
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
        isExtensionFont(object.font) && fast.FPDFText_IsGenerated(textPage, i) !== 1
          ? largeSign(code)
          : pieceSign(code)
      if (large) code = large.text.codePointAt(0) as number
      else if (code < asciiCodes && isOperatorFont(object.font))
        code = operatorSign(code)?.codePointAt(0) ?? code
      else if (code < asciiCodes && isAmsFont(object.font)) code = amsSign(code)?.codePointAt(0) ?? code
      // A character from a ToUnicode map is a letter, not a code, even in fonts without a name.
      const sign =
        object.font.nameless && fast.FPDFText_HasUnicodeMapError(textPage, i) === 1
          ? namelessSign(code)
          : undefined
      if (sign) code = sign.codePointAt(0) as number
      if (code === brokenHyphen || code === softHyphen) code = hyphen
      if (code === zeroWidth && isMathFont(object.font)) continue
      if (code === 0 || code === notACharacter || code === notACharacterEither) continue
      if (code > space && code < ornaments.codes && isOrnamentFont(object.font)) code += ornaments.from
      if (code < space || code === deletion) code = space
      if (isMark(code)) code = replacement
      if (!fast.FPDFText_GetLooseCharBox(textPage, i, s)) continue
      const box = applyBox(upright, pdfium.rect(s))
      fast.FPDFText_GetCharOrigin(textPage, i, s, s + 8)
      const ux = pdfium.double(s)
      const uy = pdfium.double(s + 8)
      const x = applyX(upright, ux, uy)
      const y = applyY(upright, ux, uy)
      if (!(x > -beside && y > -beside)) continue
      if (!(x < source.pageBox.width + beside && y < source.pageBox.height + beside)) continue
      let char = String.fromCodePoint(code > lastCharacter ? replacement : code)
      // Surrogate pairs arrive as two characters.
      if (code >= halves.first && code < halves.second) {
        const low = fast.FPDFText_GetUnicode(textPage, i + 1)
        if (low >= halves.second && low < halves.end) {
          char = String.fromCharCode(code, low)
          i++
        } else char = String.fromCodePoint(replacement)
      }
      let isLarge = large !== undefined && large.height > 0
      if (isLarge || (growing.has(code) && (object.font.nameless || isMathFont(object.font)))) {
        fast.FPDFText_GetCharBox(textPage, i, s, s + 8, s + 16, s + 24)
        const [x0, x1, y0, y1] = [0, 8, 16, 24].map((at) => pdfium.double(s + at)) as Corners
        const ink = applyBox(upright, { x0, y0, x1, y1 })
        const height = (ink.y1 - ink.y0) / object.size
        isLarge = isLarge || height > tallerThanText || (isBigOperator(char) && object.font.nameless !== true)
        if (isLarge) {
          const isInk = height > 0 && height < tallest
          box.y0 = isInk ? ink.y0 : y
          box.y1 = isInk ? ink.y1 : y + (large?.height ?? 1) * object.size
        }
      }
      // Without a spread: copying by spread is slow, and there are many glyphs.
      glyphs.push({
        text: sign ?? ligatures[char] ?? char,
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
      if (isLarge) elementAt(glyphs, -1).large = true
    }
    const whole = mendReplacements(pdfium, glyphs, [...objects.keys()])
    return nameFixed(composeAccents(mendClusters(restoreUtf8(whole))))
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
  const { fast, scratch: s } = pdfium
  const font = source.fontOf(fast.FPDFTextObj_GetFont(handle))
  fast.FPDFText_GetMatrix(textPage, index, s)
  const [a, b, c, d] = [pdfium.float(s), pdfium.float(s + 4), pdfium.float(s + 8), pdfium.float(s + 12)]
  const size = fast.FPDFText_GetFontSize(textPage, index) * Math.hypot(c, d)
  const { upright: u } = source
  // Writing direction on the upright page, clockwise from left-to-right.
  const angle = Math.atan2(a * u[1] + b * u[3], a * u[0] + b * u[2])
  const quarters = Math.round(angle / (Math.PI / 2))
  const mode = fast.FPDFTextObj_GetTextRenderMode(handle)
  const { color } = colorOf(pdfium, handle, mode === strokedMode ? 'stroke' : 'fill')
  return {
    font,
    // Damaged matrices give any number, and later stages iterate over the height of a line.
    size: Math.min(size || 1, Math.max(source.pageBox.width, source.pageBox.height)),
    color,
    turn: (((quarters % 4) + 4) % 4) as 0 | 1 | 2 | 3,
    slanted: Math.abs(angle - quarters * (Math.PI / 2)) > minSlant,
    order,
    tag: fast.FPDFPageObj_GetMarkedContentID(handle),
    invisible: mode === invisibleMode || mode === clippingMode,
  }
}
