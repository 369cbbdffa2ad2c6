import { type Box, median, width } from '../geometry.ts'
import { pointsPerInch } from '../typography.ts'
import type { Drawings, PlacedImage } from './drawings.ts'
import type { OcrEngine } from './ocr/engine.ts'
import type { Grey } from './ocr/grey.ts'
import { prepareScan } from './ocr/prepare.ts'
import type { OcrReading } from './ocr/reading.ts'
import { type OcrWord, wordLines } from './ocr/words.ts'
import type { Glyph, Rule } from './page.ts'
import type { Pdfium } from './pdfium.ts'
import { drawGreyRegion, pixelSize } from './pictures.ts'
import { withBullets } from './scan-bullets.ts'
import { scanGlyphs } from './scan-glyphs.ts'
import { type Ink, inkOf, strokeIn } from './scan-ink.ts'
import { withLabel } from './scan-labels.ts'
import { partRules } from './scan-marks.ts'
import { rulesIn } from './scan-rules.ts'
import { withSequences } from './scan-sequences.ts'
import { dotsFor, hasLetters, ideographs, sizeOf, withSizes } from './scan-sizes.ts'
import { hasHiddenText } from './scans.ts'
import type { ScansAhead } from './scans-ahead.ts'

// Processes a page that is a picture: its words come from OCR; its rules and which lines are bold come from the pixels.

export interface Recognised {
  glyphs: Glyph[]
  rules: Rule[]
}

/** The words of a page, in pixels of its picture. */
export interface ScanReading extends OcrReading {
  dotsPerPoint: number
}

/** Share of the ink on a page without text: if most of it is words, the text was drawn as outlines. */
const minShareInWords = 0.6

/** Minimum ratio of the stroke width of bold letters to that of the page's text, relative to their size. */
const boldStroke = 1.24
/** A line of fewer letters is weaker evidence, so its strokes must be wider. */
const fewLetters = 8
const boldStrokeOfFew = 1.32

/** The content of a page that decides whether OCR runs on it. */
export interface PageContent {
  drawings: Drawings
  glyphs: readonly Glyph[]
  scan: boolean
  pageBox: Box
}

interface OcrSource {
  /** Page index, from 0. */
  number: number
  ocrEngine: () => OcrEngine | undefined
  recogniseAll: boolean
  ahead: ScansAhead
}

/** `isOutlined`: the page has no text, and most of its ink is words that are drawn as paths. */
export function readByOcr(
  pdfium: Pdfium,
  page: number,
  { drawings, glyphs, scan, pageBox }: PageContent,
  source: OcrSource,
): { reading: ScanReading | undefined; isOutlined: boolean } {
  const isDrawn = !scan && drawings.art.length > 0 && !glyphs.some((g) => g.text.trim() && !g.invisible)
  const isRead = source.recogniseAll || isDrawn || (scan && !hasHiddenText(glyphs))
  const ocrEngine = isRead ? source.ocrEngine() : undefined
  if (!ocrEngine) return { reading: undefined, isOutlined: false }
  const drawn = source.ahead.take(source.number, () =>
    drawScan(pdfium, page, pageBox, scan ? drawings.images : []),
  )
  source.ahead.begin(source.number)
  const isText = (reading: OcrReading): boolean => !isDrawn || inkInWords(reading) >= minShareInWords
  const reading = drawn && { ...ocrEngine.read(drawn.image, isText), dotsPerPoint: drawn.dotsPerPoint }
  const isOutlined = isDrawn && reading !== undefined && isText(reading)
  // A drawing with a few words in it stays a drawing.
  return { reading: isDrawn && !isOutlined ? undefined : reading, isOutlined }
}

export interface DrawnScan {
  image: Grey
  dotsPerPoint: number
}

export function drawScan(
  pdfium: Pdfium,
  page: number,
  box: Box,
  images: readonly PlacedImage[],
): DrawnScan | undefined {
  const own = images.map((i) => (pixelSize(pdfium, i.object)?.width ?? 0) / Math.max(1, width(i.box)))
  const dots = dotsFor(box, images.length > 0 ? Math.max(...own) : undefined)
  const bitmap = drawGreyRegion(pdfium, page, box, dots)
  return (
    bitmap && { image: prepareScan({ ...bitmap, dotsPerInch: dots * pointsPerInch }), dotsPerPoint: dots }
  )
}

/** `dots` is pixels per point. */
export function understandScan(
  words: readonly OcrWord[],
  image: Pick<Grey, 'width' | 'height' | 'pixels'>,
  dots: number,
): Recognised {
  const page = { width: image.width / dots, height: image.height / dots }
  const ink = inkOf(image)
  const raw = wordLines(words)
  const strokes = raw.map((line) => strokeOf(ink, line))
  const isWide = raw.map((line) => line.some((w) => ideographs.test(w.text)))
  const usualOf = (wide: boolean): number =>
    median(raw.flatMap((line, i) => (isWide[i] === wide ? line.map(() => strokes[i] ?? 0) : [])))
  // Ideographs have thinner strokes than letters and digits of the same weight.
  const [usual, usualOfWide] = [usualOf(false), usualOf(true)]
  const marked = withSequences(
    withBullets(ink, raw).map((line) => withLabel(ink, line, sizeOf(line))),
    ink,
  )
  const parted = partRules(rulesIn(ink, dots), marked, image, dots)
  const lines = parted.lines.map((words, i) => ({
    words,
    bold: (strokes[i] ?? 0) > minBold(words) * (isWide[i] ? usualOfWide : usual),
  }))
  const sized = withSizes(lines.filter((l) => l.words.length > 0))
  return { glyphs: scanGlyphs(sized, dots, page), rules: parted.rules }
}

const minBold = (words: readonly OcrWord[]): number =>
  words.reduce((sum, w) => sum + w.text.length, 0) < fewLetters ? boldStrokeOfFew : boldStroke

/** In ems; 0 for punctuation alone, whose strokes are not those of letters. */
function strokeOf(ink: Ink, line: readonly OcrWord[]): number {
  const words = line.filter((w) => hasLetters(w.text))
  return words.length === 0 ? 0 : median(words.map((w) => strokeIn(ink, w))) / Math.max(1, sizeOf(words))
}

/** Brightness (0 to 255): darker pixels are ink. */
const dark = 128

function inkInWords({ words, image: { width, height, pixels } }: OcrReading): number {
  const inWords = new Uint8Array(pixels.length)
  for (const word of words)
    for (let y = Math.max(0, word.top); y < Math.min(height, word.top + word.height); y++)
      inWords.fill(1, y * width + Math.max(0, word.left), y * width + Math.min(width, word.left + word.width))
  let [ink, own] = [0, 0]
  for (let i = 0; i < pixels.length; i++)
    if ((pixels[i] as number) < dark) {
      ink++
      own += inWords[i] as number
    }
  return own / Math.max(1, ink)
}
