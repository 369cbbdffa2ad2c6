import { editEach, type PackageEdit, type Parts } from '../../../package/edit-package.ts'
import { readTree } from '../../../package/edit-xml.ts'
import { ownFonts, substituteFonts } from '../../fonts.ts'
import { combineConditions } from './conditional-formats.ts'
import { drawingPart, scaleDrawings } from './drawings.ts'
import { completeFonts, fixPrintRanges } from './incomplete-parts.ts'
import { chartSheetPart, markChartSheet, markUnscaledHeadings } from './marked-sheets.ts'
import { commonPaper, setPrintLayout } from './print-layout.ts'
import { drawSparklines, workbookParts } from './sparklines/sparklines.ts'
import { type CellFormats, createCellFormats } from './tables/cell-formats.ts'
import { sheetRelations, stylesPart, styleTables, tablePart } from './tables/style-tables.ts'
import { readStyles } from './workbook-styles.ts'

// Differences between Excel's print layout and LibreOffice's, expressed in ways that LibreOffice reads.

const [workbookPart] = workbookParts
const stringsPart = 'xl/sharedstrings.xml'
const propertiesPart = 'docprops/app.xml'
const sheetPart = /^xl\/worksheets\/[^/]+\.xml$/

export const excelEdit: PackageEdit = {
  reads: (part) =>
    [stylesPart, stringsPart, propertiesPart, ...workbookParts].includes(part) ||
    [sheetPart, chartSheetPart, sheetRelations, tablePart, drawingPart].some((name) => name.test(part)),
  apply: changedParts,
}

export function changedParts(original: Parts): Parts {
  const changed = new Map(completeParts(original))
  const parts = new Map([...original, ...changed])
  for (const [name, xml] of nameCellFonts(parts)) changed.set(name, xml)
  const styles = readStyles(parts.get(stylesPart) ?? '')
  if (!styles) return changed
  let formats: CellFormats | undefined
  const readFormats = () => {
    formats ??= readCellFormats(changed.get(stylesPart) ?? parts.get(stylesPart) ?? '')
    return formats
  }
  const withNumberFormat = (format: number, code: string) =>
    readFormats()?.indexOf(format, { numberFormat: code }) ?? format
  const sheets = [...parts].filter(([name]) => sheetPart.test(name))
  const paper = commonPaper(sheets.map(([, xml]) => xml))
  const properties = parts.get(propertiesPart) ?? ''
  const renamed = renameGenerator(
    properties,
    sheets.some(([, xml]) => xml.includes('drawing ')),
  )
  const heightStep = madeByMicrosoft.test(renamed) ? screenPixel : undefined
  for (const [name, xml] of sheets) {
    const layout = setPrintLayout(markUnscaledHeadings(xml), styles, paper, withNumberFormat, heightStep)
    const sheet = combineConditions(layout, readFormats)
    if (sheet !== xml) changed.set(name, sheet)
  }
  for (const [name, xml] of parts)
    if (chartSheetPart.test(name)) changed.set(name, markChartSheet(xml, paper))
  if (formats) changed.set(stylesPart, formats.styles())
  for (const [name, xml] of scaleDrawings(parts, styles.normalFont)) changed.set(name, xml)
  for (const [name, xml] of drawSparklines(new Map([...parts, ...changed]))) changed.set(name, xml)
  if (renamed !== properties) changed.set(propertiesPart, renamed)
  for (const [name, xml] of styleTables(new Map([...parts, ...changed]))) changed.set(name, xml)
  return changed
}

const completeParts = editEach((xml, name) => {
  if (name === stylesPart) return completeFonts(xml)
  return name === workbookPart ? fixPrintRanges(xml) : xml
})

function readCellFormats(styleSheet: string): CellFormats | undefined {
  const root = readTree(styleSheet)
  return root && createCellFormats(styleSheet, root)
}

// LibreOffice truncates the row heights of a workbook made by "Microsoft …" to whole screen pixels of 0.75 points, and
// printed heights are not multiples of these. It uses the name for one other purpose: the defaults of charts in
// workbooks of Excel 2007 (version 12).
const renameGenerator = (properties: string, hasDrawings: boolean): string =>
  hasDrawings && /<(?:\w+:)?AppVersion>12\./.test(properties)
    ? properties
    : properties.replace(madeByMicrosoft, '$1')

const madeByMicrosoft = /(<(?:\w+:)?Application>)\s*Microsoft\s+/i
/** In points. */
const screenPixel = 0.75

// LibreOffice on Linux writes Noto Sans CJK for East Asian text into every workbook. Windows and macOS do not have that
// font. Excel shows Hangul in Malgun Gothic instead, where a syllable is a whole em wide; in Noto it is 0.92 em.
// Ideographs and kana are a whole em wide in both, so other languages stay as they are.
const fontOfLinux = /^Noto Sans CJK (?:SC|TC|HK|JP|KR)$/

// Excel's lines are higher than the box of their font. These fonts have a variant with lines of that height.
const fontsOfCells = new Set(
  (ownFonts.rules ? substituteFonts : [])
    .flatMap((row) => (row.variant === 'cells' ? row.for : []))
    .map((name) => name.toLowerCase()),
)
const fontName = /(<(?:\w+:)?(?:name|rFont)\s+val=")([^"<>]{1,100})(")/g

function nameCellFonts(parts: Parts): Parts {
  const strings = parts.get(stringsPart) ?? ''
  let korean: boolean | undefined
  const cellFont = (name: string): string => {
    if (fontsOfCells.has(name.toLowerCase())) return `${name} cells`
    if (!fontOfLinux.test(name)) return name
    korean ??= isKorean(strings)
    return korean ? 'Malgun Gothic' : name
  }
  return editEach((xml, part) =>
    part === stylesPart || part === stringsPart
      ? xml.replace(fontName, (_, start: string, name: string, end: string) => start + cellFont(name) + end)
      : xml,
  )(parts)
}

function isKorean(text: string): boolean {
  let hangul = 0
  let other = 0
  for (const [found] of text.matchAll(
    /\p{Script=Hangul}+|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]+/gu,
  )) {
    if (/\p{Script=Hangul}/u.test(found)) hangul += found.length
    else other += found.length
  }
  return hangul > other
}
