import { median } from '../../geometry.ts'
import { hasLetters } from '../scan-sizes.ts'
import type { Grey } from './grey.ts'
import { sheetOf } from './sheet.ts'
import { recogniseWords, sparse } from './tesseract.ts'
import { type OcrWord, rightToLeft, sureWords, wordLines } from './words.ts'

// Tesseract takes words that stand alone at some distance from others, such as the page numbers in a table of contents,
// for noise. Ink on a line of text that is as high as its letters is read again, side by side with the other such words.

/** Brightness (0 to 255): darker pixels are ink. */
const dark = 128
/** Pixels by which boxes of words are too small. */
const roundedBy = 2
/** Relative to the usual height of a line's words: lower marks are dashes, dots and specks. */
const minHeight = 0.6
/** Relative to the same height: letters of a word are closer, and ink that reaches farther up or down is no word. */
const [maxGap, maxOffset] = [0.5, 1 / 3]
/** Relative to the same height: the words are farther from others. */
const minDistance = 1
/**
 * What is higher than this many lines is vertical text. Tesseract also takes numbers below each other for it: if all ink
 * is on lines beside it, it is read again.
 */
const linesAcross = 2
/** Space between the words that are read again, in heights: with less, single digits become one number. */
const apart = 2
/** Maximum number on one page: more are a texture. */
const maxUnread = 200

type Place = Pick<OcrWord, 'left' | 'top' | 'width' | 'height'>

/** The words of which OCR is sure, with those on their lines that it left out. */
export function withUnread(words: readonly OcrWord[], image: Grey, language: string): OcrWord[] {
  const all = wordLines(words)
  const size = median(words.map((word) => word.height))
  const vertical = all.filter((line) => {
    const { width, height } = boxOf(line)
    return height > Math.max(width, linesAcross * size)
  })
  const known = new Uint8Array(image.width * image.height)
  for (const line of all) if (!vertical.includes(line)) for (const word of line) cover(known, image, word)
  const found = all.flatMap((line) => {
    const sure = vertical.includes(line) ? [] : sureWords(line)
    const words = sure.filter(({ text }) => hasLetters(text))
    const places = words.length > 0 ? placesOn(words, image, known) : []
    for (const place of places) cover(known, image, place)
    return places.map((place) => ({ ...place, text: '', confidence: 0, line: line[0]?.line ?? '' }))
  })
  if (found.length === 0 || found.length > maxUnread) return sureWords(words)
  const wrong = vertical.filter((line) => {
    const box = boxOf(line)
    const inside = found.filter(isIn(box)).reduce((sum, { height }) => sum + height, 0)
    return inkedRows(box, image) <= inside
  })
  const kept = vertical.filter((line) => !wrong.includes(line))
  const unread = found.filter((place) => !kept.some((line) => isIn(boxOf(line))(place)))
  const added = unread.length === 0 ? [] : sureWords(readAgain(unread, image, language))
  return all
    .filter((line) => !wrong.includes(line))
    .flatMap((line) => added.filter((word) => word.line === line[0]?.line).reduce(inserted, sureWords(line)))
}

function boxOf(words: readonly OcrWord[]): Place {
  const [left, top] = [
    Math.min(...words.map((word) => word.left)),
    Math.min(...words.map((word) => word.top)),
  ]
  const right = Math.max(...words.map((word) => word.left + word.width))
  const bottom = Math.max(...words.map((word) => word.top + word.height))
  return { left, top, width: right - left, height: bottom - top }
}

/** Whether the middle of a word is in a box. */
const isIn =
  (box: Place) =>
  ({ left, top, width, height }: Place): boolean => {
    const [x, y] = [left + width / 2 - box.left, top + height / 2 - box.top]
    return x > 0 && x < box.width && y > 0 && y < box.height
  }

/** Number of rows of a box that contain ink. */
function inkedRows({ left, top, width, height }: Place, image: Grey): number {
  let rows = 0
  for (let y = top; y < top + height; y++) {
    const start = y * image.width + left
    if (image.pixels.subarray(start, start + width).some((value) => value < dark)) rows++
  }
  return rows
}

function cover(known: Uint8Array, { width, height }: Grey, place: Place): void {
  const from = Math.max(0, place.left - roundedBy)
  const to = Math.min(width, place.left + place.width + roundedBy)
  const end = Math.min(height, place.top + place.height + roundedBy)
  for (let y = Math.max(0, place.top - roundedBy); y < end; y++)
    known.fill(1, y * width + from, y * width + to)
}

/** Where words may be on the line of these words. */
function placesOn(line: readonly OcrWord[], image: Grey, known: Uint8Array): Place[] {
  const size = median(line.map((word) => word.height))
  const offset = Math.ceil(maxOffset * size)
  const top = Math.max(0, Math.floor(median(line.map((word) => word.top))) - offset)
  const bottom = Math.min(
    image.height,
    Math.ceil(median(line.map((word) => word.top + word.height))) + offset,
  )
  const found: (Place & { end: number })[] = []
  let ofWord = Number.NEGATIVE_INFINITY
  const columns = columnsOf(image, known, top, bottom)
  for (let x = 0; x < image.width; x++) {
    const [isKnown, first, last] = [columns.known[x] === 1, columns.first[x] ?? 0, columns.last[x] ?? 0]
    if (!isKnown && last === 0) continue
    const before = found.at(-1)
    if (isKnown) {
      ofWord = x
      if (before && x - before.end < minDistance * size) found.pop()
    } else if (x - ofWord >= minDistance * size) {
      if (before && x - before.end <= maxGap * size) extend(before, x, first, last)
      else found.push({ left: x, width: 1, top: first, height: last - first, end: x })
    }
  }
  return found.filter(
    (place) => place.height >= minHeight * size && place.top > top && place.top + place.height < bottom,
  )
}

interface Columns {
  /** Whether a known word is in the column. */
  known: Uint8Array
  /** The rows from the first to the last ink of no known word; 0 without any. */
  first: Int32Array
  last: Int32Array
}

function columnsOf({ width, pixels }: Grey, known: Uint8Array, top: number, bottom: number): Columns {
  const columns = {
    known: new Uint8Array(width),
    first: new Int32Array(width),
    last: new Int32Array(width),
  }
  for (let y = top, at = top * width; y < bottom; y++)
    for (let x = 0; x < width; x++, at++)
      if (known[at] === 1) columns.known[x] = 1
      else if ((pixels[at] as number) < dark) {
        if (columns.last[x] === 0) columns.first[x] = y
        columns.last[x] = y + 1
      }
  return columns
}

function extend(place: Place & { end: number }, x: number, first: number, last: number): void {
  const end = Math.max(place.top + place.height, last)
  place.top = Math.min(place.top, first)
  place.height = end - place.top
  place.width = x + 1 - place.left
  place.end = x
}

function readAgain(unread: readonly OcrWord[], image: Grey, language: string): OcrWord[] {
  const sheet = sheetOf(unread, image, apart * Math.max(...unread.map(({ height }) => height)))
  const read = recogniseWords(sheet.image, language, sparse) ?? []
  return sheet.places.flatMap(({ word, left, top }) =>
    read.filter(isIn({ ...word, left, top })).map((each) => ({
      ...each,
      line: word.line,
      left: each.left - left + word.left,
      top: each.top - top + word.top,
    })),
  )
}

/** The line with one more word, in the direction of its script. */
function inserted(line: readonly OcrWord[], word: OcrWord): OcrWord[] {
  const back = line.some(({ text }) => rightToLeft.test(text))
  const next = line.findIndex(({ left }) => (back ? left < word.left : left > word.left))
  return line.toSpliced(next < 0 ? line.length : next, 0, word)
}
