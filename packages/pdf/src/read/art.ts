import { crc32 } from 'node:zlib'
import { groupConnected } from '../connected.ts'
import { elementAt } from '../element-at.ts'
import {
  area,
  type Box,
  centreX,
  centreY,
  contains,
  grow,
  height,
  intersection,
  shareInside,
  touches,
  union,
  width,
} from '../geometry.ts'
import { usualSpace } from '../tolerances.ts'
import { middleOfLetters, pointsPerInch } from '../typography.ts'
import { boundsOf, type Drawings } from './drawings.ts'
import type { Glyph, Picture } from './page.ts'
import type { Pdfium } from './pdfium.ts'
import { drawRegion } from './pictures.ts'
import { encodePng } from './png.ts'
import type { Matrix } from './transform.ts'

// Converts vector drawings to pictures: paths with curves or slopes are grouped into clusters, and each cluster is
// rendered separately, without the text, pictures and rules that other stages process.

/** Maximum distance between paths of one drawing, in points. */
const near = 4
/** Smaller drawings are ornaments of letters, in points. */
const smallest = 10
/** 200 dots per inch: sharp on paper, and half the size of 300. */
const dotsPerPoint = 200 / pointsPerInch
/** A path over nearly the whole page is its background. */
const background = 0.9
/** More paths are a map; clustering them takes too long. */
const maxPaths = 20_000
/** Maximum number of drawings on one page: rendering each takes time. */
const maxDrawings = 60
/** An area belongs to a drawing if it is inside it, except for rounding. */
const inside = 0.95
/** Strokes extend beyond their paths by half of their width, in points. */
const halfStroke = 0.75
/** Minimum size of a drawing with labels: larger than an icon, in points. */
const narrowestLabelled = 60
const lowestLabelled = 40
/** Labels: few characters, on a small part of the drawing, none as long as a line of text. */
const maxLabels = 220
const maxCovered = 0.14
const longestLabel = 34
/** Thresholds of 255 for a visible pixel: neither almost transparent nor almost white. */
const seenAlpha = 8
const nearlyWhite = 250
/** Resolution sufficient to see whether there is ink. */
const roughDotsPerPoint = 1

export interface ArtSource {
  page: number
  upright: Matrix
  pageBox: Box
  drawings: Drawings
  /** If false, only the positions of pictures are needed. */
  paint: boolean
  glyphs: readonly Glyph[]
}

/** Groups boxes that touch, directly or through others. */
function clusters<T extends { box: Box }>(items: readonly T[], slack: number): T[][] {
  const byX = items.map((item, i) => ({ ...item.box, i })).sort((a, b) => a.x0 - b.x0)
  return groupConnected(items, (report) => {
    for (const [at, first] of byX.entries())
      for (let next = at + 1; next < byX.length; next++) {
        const second = elementAt(byX, next)
        if (second.x0 > first.x1 + slack) break
        if (touches(first, second, slack)) report(first.i, second.i)
      }
  })
}

/** `glyphs` are those that remain after labels have become part of their drawings. */
export function drawArt(
  pdfium: Pdfium,
  source: ArtSource,
): { pictures: Picture[]; glyphs: readonly Glyph[] } {
  const { fast } = pdfium
  const { drawings, pageBox } = source
  const candidates = drawings.art.filter((a) => area(a.box) < background * area(pageBox))
  let { glyphs } = source
  if (candidates.length === 0 || candidates.length > maxPaths) return { pictures: [], glyphs }
  const groups = clusters(candidates, near)
    .map((items) => ({ items, box: union(items.map((i) => i.box)) }))
    .filter(({ box }) => width(box) >= smallest && height(box) >= smallest)
    .filter(({ box, items }) => !isFrame(box, items, glyphs))
  if (groups.length === 0) return { pictures: [], glyphs }
  const out: Picture[] = []
  const everything = [
    ...drawings.texts,
    ...drawings.images.map((i) => i.object),
    ...drawings.art.map((a) => a.object),
    ...drawings.fills.map((f) => f.object),
  ]
  for (const object of everything) fast.FPDFPageObj_SetIsActive(object, 0)
  try {
    for (const { box, items } of groups.slice(0, maxDrawings)) {
      const within = grow(box, 1)
      const fills = drawings.fills.filter((f) => shareInside(f.box, within) > inside).map((f) => f.object)
      const labels = labelsIn(box, glyphs)
      const texts = labels.length > 0 ? textObjectsIn(pdfium, source, box) : []
      const objects = [...new Set([...items.map((i) => i.object), ...fills, ...texts])]
      for (const object of objects) fast.FPDFPageObj_SetIsActive(object, 1)
      const frame = intersection(grow(box, halfStroke), pageBox) ?? box
      const bitmap = drawRegion(pdfium, source.page, frame, source.paint ? dotsPerPoint : roughDotsPerPoint)
      for (const object of objects) fast.FPDFPageObj_SetIsActive(object, 0)
      if (!bitmap || isBlank(bitmap.pixels)) continue
      if (labels.length > 0) {
        const gone = new Set(labels)
        glyphs = glyphs.filter((g) => !gone.has(g))
      }
      out.push({
        box: frame,
        format: 'png',
        bytes: source.paint ? encodePng(bitmap) : new Uint8Array(0),
        likeness: crc32(bitmap.pixels),
        alt: textOf(labels),
      })
    }
  } finally {
    for (const object of everything) fast.FPDFPageObj_SetIsActive(object, 1)
  }
  return { pictures: out, glyphs }
}

/** A few short words within a drawing of some size are its labels; running text is not. */
function labelsIn(box: Box, glyphs: readonly Glyph[]): Glyph[] {
  if (width(box) < narrowestLabelled || height(box) < lowestLabelled) return []
  const within = glyphs.filter((g) => contains(box, g.x, g.y - middleOfLetters * g.size))
  const inked = within.filter((g) => g.text.trim())
  if (inked.length === 0 || inked.length > maxLabels) return []
  const covered = inked.reduce((sum, g) => sum + g.size * (g.box.x1 - g.box.x0), 0)
  if (covered > maxCovered * area(box)) return []
  const runs = new Map<number, number>()
  for (const g of inked) runs.set(Math.round(g.y), (runs.get(Math.round(g.y)) ?? 0) + 1)
  return Math.max(...runs.values()) > longestLabel ? [] : within
}

/** Glyphs that do not touch belong to different words. */
const textOf = (labels: readonly Glyph[]): string =>
  labels
    .map((g, i) => {
      const before = labels[i - 1]
      const touches = before?.y === g.y && Math.abs(g.box.x0 - before.box.x1) < usualSpace * g.size
      return touches ? g.text : ` ${g.text}`
    })
    .join('')
    .replace(/\s+/g, ' ')
    .trim()

const textObjectsIn = (pdfium: Pdfium, { drawings, upright }: ArtSource, box: Box): number[] =>
  drawings.texts.filter((object) => {
    const b = boundsOf(pdfium, object, upright)
    return b !== undefined && contains(box, centreX(b), centreY(b))
  })

/** A rounded frame around text: each of its paths encloses all of it. Its text is not a label. */
const isFrame = (box: Box, paths: readonly { box: Box }[], glyphs: readonly Glyph[]): boolean =>
  paths.every((path) => shareInside(box, path.box) > inside) &&
  glyphs.some((g) => g.text.trim() && contains(box, g.x, g.y))

function isBlank(pixels: Uint8Array): boolean {
  for (let i = 0; i < pixels.length; i += 4) {
    if ((pixels[i + 3] as number) < seenAlpha) continue
    const darkest = Math.min(pixels[i] as number, pixels[i + 1] as number, pixels[i + 2] as number)
    if (darkest < nearlyWhite) return false
  }
  return true
}
