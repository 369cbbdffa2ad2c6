import { chmod, readFile, stat, writeFile } from 'node:fs/promises'
import { readOleRoot } from '../../../catalog/file-types/ole.ts'
import { uploadOf } from '../../../catalog/file-types/upload.ts'
import { hasEncryptionRecord } from '../../../catalog/file-types/variant.ts'
import { createHeightRounding, maxRowHeight } from './print-layout.ts'
import { columnFactor, defaultColumnWidth, type NormalFont, rowFactor } from './printed-units.ts'

// Sets the widths and heights that Excel prints in an xls file, as print-layout.ts does for an xlsx file. An xls file
// is a sequence of records: a number, a length, contents. No record changes its length, so all offsets stay valid.
// [MS-XLS]

const maxBytes = 64 * 1024 * 1024
const records = {
  startOfPart: 0x0809,
  largestChange: 0x0010,
  iteration: 0x0011,
  outlineSize: 0x0080,
  topMargin: 0x0028,
  bottomMargin: 0x0029,
  setup: 0x00a1,
  header: 0x0014,
  footer: 0x0015,
  protection: 0x0012,
  password: 0x0013,
  font: 0x0031,
  columns: 0x007d,
  baseWidth: 0x0055,
  standardWidth: 0x0099,
  row: 0x0208,
  rowIndex: 0x020b,
  defaultHeight: 0x0225,
} as const
const version97 = 0x0600
const sheetPart = 0x0010
const unitsPerDigit = 256
const twipsPerPoint = 20
const hasOwnHeight = 0x40
const defaultHasOwnHeight = 0x01

/** Writes a copy to `target` and returns the Normal font; undefined for a workbook that needs no change. */
export async function setBinaryPrintLayout(source: string, target: string): Promise<NormalFont | undefined> {
  if ((await stat(source)).size > maxBytes) return undefined
  const file = await readFile(source)
  const { streams } = await readOleRoot(uploadOf(file))
  const workbook = streams.get('Workbook')
  if (!workbook || (await hasEncryptionRecord(workbook))) return undefined
  const bytes = await workbook.start(workbook.size)
  const font = changeRecords(bytes)
  if (!font) return undefined
  await workbook.overwrite(bytes, file)
  await writeFile(target, file, { flag: 'wx' })
  // LibreOffice changes the cells of a file only if its user may write to it.
  await chmod(target, 0o666)
  return font
}

/** Changes the records in place and returns the Normal font; undefined if it does not come first. */
export function changeRecords(bytes: Buffer): NormalFont | undefined {
  let font: NormalFont | undefined
  let change: ((type: number, content: Buffer, header: Buffer) => void) | undefined
  for (let at = 0; at + 4 <= bytes.length; at += 4 + bytes.readUInt16LE(at + 2)) {
    const header = bytes.subarray(at, at + 4)
    const type = header.readUInt16LE(0)
    const content = bytes.subarray(at + 4, at + 4 + header.readUInt16LE(2))
    if (type === records.font) font ??= readFont(content)
    else if (type === records.startOfPart && content.length >= 4) {
      if (content.readUInt16LE(0) !== version97) return undefined
      change = font && content.readUInt16LE(2) === sheetPart ? sheetChange(font) : undefined
    } else change?.(type, content, header)
  }
  return font
}

/** The first font is that of the Normal style. */
function readFont(content: Buffer): NormalFont | undefined {
  if (content.length < 16) return undefined
  const isWide = ((content[15] ?? 0) & 1) !== 0
  const end = 16 + (content[14] ?? 0) * (isWide ? 2 : 1)
  return {
    name: content.toString(isWide ? 'utf16le' : 'latin1', 16, end),
    size: content.readUInt16LE(0) / twipsPerPoint,
  }
}

/** Spaces take the place of the codes of the file's name and folder, which are not known. */
function hideFileName(content: Buffer): void {
  if (content.length < 3) return
  const encoding = ((content[2] ?? 0) & 1) === 0 ? 'latin1' : 'utf16le'
  const text = content.toString(encoding, 3)
  content.write(
    text.replaceAll(/&&|&[FZ]/g, (code) => (code === '&&' ? code : '  ')),
    3,
    encoding,
  )
}

/**
 * Without a record, the upper and the lower margin are an inch; LibreOffice takes 0.984. It ignores the size of outlines,
 * and the largest change where nothing is iterated, so these two records can become those of the margins.
 */
function createMargins() {
  const missing = new Set<number>([records.topMargin, records.bottomMargin])
  const spare: { header: Buffer; content: Buffer }[] = []
  let iterates = false
  return (type: number, content: Buffer, header: Buffer): void => {
    missing.delete(type)
    if (type === records.iteration) iterates = content.length >= 2 && content.readUInt16LE(0) !== 0
    const isSpare = type === records.outlineSize || (type === records.largestChange && !iterates)
    if (isSpare && content.length >= 8) spare.push({ header, content })
    if (type !== records.setup) return
    for (const margin of missing) {
      const record = spare.pop()
      record?.header.writeUInt16LE(margin, 0)
      record?.content.writeDoubleLE(1, 0)
    }
  }
}

function sheetChange(font: NormalFont) {
  const factor = { column: columnFactor(font), row: rowFactor(font) }
  let standardWidth: Buffer | undefined
  const setStandardWidth = (digits?: number) => {
    const width = Math.round((defaultColumnWidth(font, digits) ?? 0) * unitsPerDigit * factor.column)
    standardWidth?.writeUInt16LE(Math.min(width, 0xffff))
  }
  const roundHeight = createHeightRounding()
  const setMargins = createMargins()
  const scaleWidth = (content: Buffer, at: number) => {
    const width = Math.round(content.readUInt16LE(at) * factor.column)
    content.writeUInt16LE(Math.min(width, 0xffff), at)
  }
  return (type: number, content: Buffer, header: Buffer): void => {
    setMargins(type, content, header)
    if (type === records.columns && content.length >= 6) scaleWidth(content, 4)
    else if (type === records.standardWidth && content.length >= 2) scaleWidth(content, 0)
    else if (type === records.rowIndex && content.length >= 2 && defaultColumnWidth(font) !== undefined) {
      // LibreOffice ignores the offsets of rows, so this record can be replaced. Most files have no record for the
      // default column width; if one follows later, it takes precedence.
      header.writeUInt16LE(records.standardWidth, 0)
      standardWidth = content
      setStandardWidth()
    } else if (type === records.baseWidth && content.length >= 2) {
      setStandardWidth(content.readUInt16LE(0) || undefined)
    } else if (type === records.defaultHeight && content.length >= 4) {
      const height = content.readUInt16LE(2) & 0x7fff
      if ((content.readUInt16LE(0) & defaultHasOwnHeight) === 0)
        factor.row = rowFactor(font, height / twipsPerPoint)
      content.writeUInt16LE(content.readUInt16LE(0) | defaultHasOwnHeight, 0)
      content.writeUInt16LE(Math.round(height * factor.row), 2)
    } else if (type === records.row && content.length >= 14) {
      const height = ((content.readUInt16LE(6) & 0x7fff) / twipsPerPoint) * factor.row
      if (height === 0) return
      content.writeUInt16LE(Math.round(roundHeight(Math.min(height, maxRowHeight)) * twipsPerPoint), 6)
      content.writeUInt16LE(content.readUInt16LE(12) | hasOwnHeight, 12)
    } else if (type === records.header || type === records.footer) {
      hideFileName(content)
    } else if (type === records.protection || type === records.password) content.fill(0)
  }
}
