import { visitXml, type XmlElement } from '../../../package/edit-xml.ts'
import type { NormalFont } from './printed-units.ts'

/** Properties of a workbook's styles that affect sizes. */
export interface WorkbookStyles {
  normalFont: NormalFont
  /** By cell format: whether a cell with that format can make a row higher than the default. */
  raisesRow: readonly boolean[]
  /** By cell format: the font of numbers that are shown in the General format and not shrunk; undefined for others. */
  generalFonts: readonly (NormalFont | undefined)[]
}

interface CellFormat {
  font: number
  numberFormat: string
  isWrapped: boolean
  isShrunk: boolean
}

export const localName = (name: string): string => name.slice(name.indexOf(':') + 1)

export const isTrue = (value: string | undefined): boolean => value === '1' || value === 'true'

export const isFalse = (value: string | undefined): boolean => value === '0' || value === 'false'

/** Text aligned to both edges is wrapped, with or without the attribute. */
const wrappingAlignments = new Set(['justify', 'distributed'])

/** Undefined if the part has no Normal font. */
export function readStyles(xml: string): WorkbookStyles | undefined {
  const fonts: NormalFont[] = []
  const generalFormats = new Set(['0'])
  const formats: Record<string, CellFormat[]> = { cellStyleXfs: [], cellXfs: [] }
  let normalFormat = 0
  let section = ''
  visitXml(xml, ({ name: fullName, attributes }: XmlElement) => {
    const name = localName(fullName)
    if (sections.has(name)) section = name
    if (section === 'fonts') readFont(fonts, name, attributes)
    else if (section === 'cellStyles') {
      if (attributes.builtinId === '0') normalFormat = Number(attributes.xfId)
    } else if (name === 'numFmt') {
      if (/^general$/i.test(attributes.formatCode ?? '')) generalFormats.add(attributes.numFmtId ?? '')
    } else if (name === 'xf')
      formats[section]?.push({
        font: Number(attributes.fontId ?? 0),
        numberFormat: attributes.numFmtId ?? '0',
        isWrapped: false,
        isShrunk: false,
      })
    else if (name === 'alignment') {
      const format = formats[section]?.at(-1)
      if (!format) return
      format.isShrunk = isTrue(attributes.shrinkToFit)
      format.isWrapped =
        isTrue(attributes.wrapText) ||
        Number(attributes.textRotation ?? 0) !== 0 ||
        [attributes.horizontal, attributes.vertical].some((value) => wrappingAlignments.has(value ?? ''))
    }
  })
  const normalFont = fonts[formats.cellStyleXfs?.[normalFormat]?.font ?? 0]
  if (!normalFont || normalFont.name === '' || !(normalFont.size > 0)) return undefined
  const raisesRow = (formats.cellXfs ?? []).map(({ font, isWrapped }) => {
    const { name, size } = fonts[font] ?? normalFont
    return isWrapped || name !== normalFont.name || size > normalFont.size
  })
  const generalFonts = (formats.cellXfs ?? []).map(({ font, numberFormat, isShrunk }) =>
    generalFormats.has(numberFormat) && !isShrunk ? (fonts[font] ?? normalFont) : undefined,
  )
  return { normalFont, raisesRow, generalFonts }
}

const sections = new Set([
  'fonts',
  'fills',
  'borders',
  'cellStyleXfs',
  'cellXfs',
  'cellStyles',
  'dxfs',
  'extLst',
])

function readFont(fonts: NormalFont[], name: string, attributes: XmlElement['attributes']): void {
  if (name === 'font') fonts.push({ name: '', size: 0 })
  const font = fonts.at(-1)
  if (name === 'name' && font) font.name = attributes.val ?? ''
  if (name === 'sz' && font) font.size = Number(attributes.val)
}
