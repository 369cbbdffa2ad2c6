import { area, type Box, intersection } from '../geometry.ts'
import { drawArt } from './art.ts'
import { takeBullets } from './bullets.ts'
import { cropOf, letter } from './crop.ts'
import { withoutDoubles } from './doubles.ts'
import { type Drawings, type PlacedImage, readDrawings } from './drawings.ts'
import { withFields } from './field-glyphs.ts'
import { readFields } from './fields.ts'
import { fontReader } from './fonts.ts'
import { readGlyphs } from './glyphs.ts'
import { limits, tooMuch } from './limits.ts'
import { type HeightOn, readLinks } from './links.ts'
import type { OcrEngine } from './ocr/engine.ts'
import { openPdf } from './open.ts'
import type { Font, Glyph, Page, PdfDocument, Picture } from './page.ts'
import type { Pdfium } from './pdfium.ts'
import { type Encoded, encodeImage, packedSize, unpaintedImage } from './pictures.ts'
import { readBookmarks, readProperties } from './properties.ts'
import { readByOcr, understandScan } from './recognise.ts'
import { ofLetters, settleSizes } from './scan-sizes.ts'
import { isScan, withStamps } from './scans.ts'
import { readScansAhead, type ScansAhead } from './scans-ahead.ts'
import { readTags } from './tags.ts'
import { applyBox, applyY, type Matrix, uprightMatrix } from './transform.ts'
import { isVertical, turnedBack } from './vertical.ts'

const linkAnnotation = 2
const popupAnnotation = 16
/** A page is rotated if most of its text runs in another direction and there are more than a few words of it. */
const maxText = 0.6
const minToTurn = 20
/** Smaller pictures are dots and rules, in points. */
const minSide = 4
/** Two pictures at the same position share nearly all of their area. */
const sameArea = 0.95

export interface ReadOptions {
  /** Selects what is kept of a page after reading: pages of a long document need not keep their glyphs. */
  keep?: (page: Page) => Page
  /** Returns the OCR engine; called only if there is a scanned page. */
  ocrEngine?: () => OcrEngine | undefined
  /** Only these pages, such as `1-3,7-`. */
  pages?: string
  password?: string
  /** Whether pictures are rendered; if not, only their positions are read, which costs a fraction. */
  paint?: boolean
  /** Whether OCR also runs on pages that have text. */
  recogniseAll?: boolean
  onPage?: (done: number, of: number) => void
}

/** Reads the whole document. No PDFium object leaves this stage. */
export function readPdf(pdfium: Pdfium, file: Uint8Array, options: ReadOptions = {}): PdfDocument {
  const { call } = pdfium
  const pdf = openPdf(pdfium, file, options)
  const formInfo = call.PDFiumExt_OpenFormFillInfo()
  const form = call.PDFiumExt_InitFormFillEnvironment(pdf.document, formInfo)
  const fontOf = fontReader(pdfium)
  const matrices = new Map<number, Matrix>()
  const totals = { glyphs: 0, objects: 0, recognised: 0 }
  let found: { engine: OcrEngine | undefined } | undefined
  const ocrEngine = (): OcrEngine | undefined => {
    found ??= { engine: options.ocrEngine?.() }
    return found.engine
  }
  try {
    const heightOn: HeightOn = (page, x, y) => {
      let matrix = matrices.get(page)
      if (!matrix) {
        const handle = call.FPDF_LoadPage(pdf.document, page)
        if (!handle) return 0
        matrix = uprightMatrix(cropOf(pdfium, handle), call.FPDFPage_GetRotation(handle)).matrix
        matrices.set(page, matrix)
        call.FPDF_ClosePage(handle)
      }
      return applyY(matrix, x, y)
    }
    const { document, pageCount } = pdf
    const ahead = readScansAhead(pdfium, { document, pageCount, ocrEngine, fontOf })
    const pages: Page[] = []
    for (let number = 0; number < pdf.pageCount; number++) {
      const page = readPage(pdfium, {
        document: pdf.document,
        form,
        number,
        fontOf,
        heightOn,
        totals,
        ocrEngine,
        recogniseAll: options.recogniseAll ?? false,
        paint: options.paint ?? true,
        ahead,
      })
      pages.push(options.keep ? options.keep(page) : page)
      options.onPage?.(number + 1, pdf.pageCount)
    }
    return {
      pages,
      numbers: pdf.numbers,
      bookmarks: readBookmarks(pdfium, pdf.document, heightOn),
      properties: readProperties(pdfium, pdf.document),
      recognised: totals.recognised,
    }
  } finally {
    if (form) call.PDFiumExt_ExitFormFillEnvironment(form)
    call.PDFiumExt_CloseFormFillInfo(formInfo)
    pdf.close()
  }
}

interface PageSource {
  document: number
  form: number
  number: number
  fontOf: (handle: number) => Font
  heightOn: HeightOn
  totals: { glyphs: number; objects: number; recognised: number }
  ocrEngine: () => OcrEngine | undefined
  recogniseAll: boolean
  paint: boolean
  ahead: ScansAhead
}

const emptyPage = (number: number): Page => ({
  number,
  width: letter.width,
  height: letter.height,
  glyphs: [],
  rules: [],
  fills: [],
  pictures: [],
  links: [],
  fields: [],
  tags: new Map(),
  scan: false,
})

function readPage(pdfium: Pdfium, source: PageSource): Page {
  const { call } = pdfium
  const { document, number } = source
  let handle = call.FPDF_LoadPage(document, number)
  // A page that cannot be read stays empty; the rest of the document is still useful.
  if (!handle) return emptyPage(number)
  try {
    const crop = cropOf(pdfium, handle)
    const rotation = call.FPDFPage_GetRotation(handle)
    let view = uprightMatrix(crop, rotation)
    const fields = source.form ? readFields(pdfium, source.form, handle) : []
    const links = readLinks(pdfium, document, handle, source.heightOn)
    if (hasVisibleAnnotations(pdfium, handle) && call.FPDFPage_Flatten(handle, 0) === 1) {
      call.FPDF_ClosePage(handle)
      handle = call.FPDF_LoadPage(document, number)
      if (!handle) return emptyPage(number)
    }
    const page = handle
    const glyphsIn = (): Glyph[] =>
      readGlyphs(pdfium, { page, upright: view.matrix, fontOf: source.fontOf, pageBox: view })
    let glyphs = glyphsIn()
    // A page with vertical text is rotated so that it can be read.
    const isDown = isVertical(glyphs)
    const turn = isDown ? 1 : dominantTurn(glyphs)
    if (turn !== 0) {
      call.FPDFPage_SetRotation(page, (((rotation - turn) % 4) + 4) % 4)
      view = uprightMatrix(crop, rotation - turn)
      glyphs = isDown ? turnedBack(glyphsIn()) : glyphsIn()
    }
    let pageBox = { x0: 0, y0: 0, x1: view.width, y1: view.height }
    const taken = takeBullets(readDrawings(pdfium, page, view.matrix, pageBox), glyphs)
    let { drawings } = taken
    glyphs = taken.glyphs
    source.totals.glyphs += glyphs.length
    source.totals.objects += drawings.objects
    if (source.totals.glyphs > limits.glyphs) throw tooMuch('characters')
    if (source.totals.objects > limits.objects) throw tooMuch('drawing operations')
    const scan = isScan(drawings, glyphs, pageBox)
    let visible = withoutDoubles(scan ? glyphs : glyphs.filter((g) => !g.invisible))
    const { reading, isOutlined } = readByOcr(pdfium, page, { drawings, glyphs, scan, pageBox }, source)
    const recognised = reading && understandScan(reading.words, reading.image, reading.dotsPerPoint)
    // A page that was scanned sideways: its pictures are rotated like its words.
    if (reading && reading.turns !== 0) {
      const turns = rotation - turn + reading.turns
      call.FPDFPage_SetRotation(page, ((turns % 4) + 4) % 4)
      view = uprightMatrix(crop, turns)
      pageBox = { x0: 0, y0: 0, x1: view.width, y1: view.height }
      drawings = readDrawings(pdfium, page, view.matrix, pageBox)
      visible = withoutDoubles(glyphsIn())
    }
    if (recognised && recognised.glyphs.length > 0) {
      // A page that is not a scan has no picture that could cover the text.
      visible = scan
        ? withStamps(recognised.glyphs, visible)
        : recognised.glyphs.map((g) => ({ ...g, invisible: false }))
      source.totals.recognised++
    }
    if (scan) visible = settleSizes(visible, recognised ? ofLetters : undefined)
    const tags = readTags(pdfium, page)
    const placed = <T extends { box: Box }>(item: T): T => ({
      ...item,
      box: applyBox(view.matrix, item.box),
    })
    const shownFields = fields.map(placed)
    const { paint } = source
    const pictures = readPictures(pdfium, drawings, (image) =>
      paint ? encodeImage(pdfium, document, page, image) : unpaintedImage(pdfium, image),
    )
    const isTextOnly = scan || isOutlined
    const art = isTextOnly
      ? { pictures: [], glyphs: visible }
      : drawArt(pdfium, { page, upright: view.matrix, pageBox, drawings, paint, glyphs: visible })
    return {
      number,
      width: view.width,
      height: view.height,
      glyphs: withFields(art.glyphs, shownFields),
      rules: isTextOnly && recognised ? recognised.rules : drawings.rules,
      // Straight letters drawn as outlines look like filled areas.
      fills: isOutlined ? [] : drawings.fills,
      pictures: [...pictures, ...art.pictures],
      links: links.map(placed),
      fields: shownFields,
      tags,
      scan,
    }
  } finally {
    if (handle) call.FPDF_ClosePage(handle)
  }
}

function hasVisibleAnnotations(pdfium: Pdfium, page: number): boolean {
  const { call } = pdfium
  const count = call.FPDFPage_GetAnnotCount(page)
  for (let i = 0; i < count; i++) {
    const annot = call.FPDFPage_GetAnnot(page, i)
    if (!annot) continue
    const type = call.FPDFAnnot_GetSubtype(annot)
    call.FPDFPage_CloseAnnot(annot)
    if (type !== linkAnnotation && type !== popupAnnotation) return true
  }
  return false
}

function dominantTurn(glyphs: readonly Glyph[]): 0 | 1 | 2 | 3 {
  const counts = [0, 0, 0, 0]
  for (const g of glyphs) if (!g.slanted && g.text.trim()) counts[g.turn] = (counts[g.turn] ?? 0) + 1
  const total = counts.reduce((a, b) => a + b, 0)
  for (const turn of [1, 2, 3] as const)
    if ((counts[turn] ?? 0) > maxText * total && total > minToTurn) return turn
  return 0
}

function readPictures(
  pdfium: Pdfium,
  drawings: Drawings,
  encode: (image: PlacedImage) => Encoded | undefined,
): Picture[] {
  const out: Picture[] = []
  for (const image of drawings.images.slice(0, limits.picturesPerPage)) {
    const { box } = image
    if (box.x1 - box.x0 < minSide || box.y1 - box.y0 < minSide) continue
    // The same picture painted twice at the same position is one picture.
    if (out.some((o) => sameBox(o.box, box))) continue
    const encoded = encode(image)
    if (encoded) out.push({ box, ...encoded, likeness: packedSize(pdfium, image), alt: '' })
  }
  return out
}

function sameBox(a: Box, b: Box): boolean {
  const common = intersection(a, b)
  return common !== undefined && area(common) > sameArea * Math.max(area(a), area(b))
}
