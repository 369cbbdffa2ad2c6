import { textBetweenTags } from '../../catalog/file-types/shown-text.ts'
import type { Upload } from '../../catalog/file-types/upload.ts'
import type { FormatName } from '../../catalog/pairs.ts'
import { readParts } from '../../package/read-package.ts'
import type { Content } from './content.ts'

// Documents that are zip archives. Their XML is looked through with expressions that never go back over it.

const partBytes = 4 * 1024 * 1024
const maxParts = 10

const numbered = (before: string, after: string) =>
  Array.from({ length: maxParts }, (_, index) => `${before}${index + 1}${after}`)

const openDocument = { parts: ['content.xml'], read: readOpenDocument }

type Parts = ReadonlyMap<string, string>

/** The parts with visible content, most important first, and how they are read. */
const formats = {
  docx: { parts: ['word/document.xml'], read: readDocx },
  pptx: { parts: numbered('ppt/slides/slide', '.xml'), read: readPptx },
  xlsx: {
    parts: [
      'xl/workbook.xml',
      'xl/_rels/workbook.xml.rels',
      'xl/sharedstrings.xml',
      ...numbered('xl/worksheets/sheet', '.xml'),
      ...numbered('xl/drawings/drawing', '.xml'),
    ],
    read: readXlsx,
  },
  odt: openDocument,
  ods: openDocument,
  odp: openDocument,
  odg: openDocument,
  vsdx: { parts: numbered('visio/pages/page', '.xml'), read: readVisio },
} satisfies Partial<Record<FormatName, { parts: readonly string[]; read: (parts: Parts) => Content }>>

type OfficePackage = keyof typeof formats

export const isOfficePackage = (from: FormatName): from is OfficePackage => from in formats
export const isBookPackage = (from: FormatName): from is 'epub' => from === 'epub'

export async function readOfficePackage(upload: Upload, from: OfficePackage): Promise<Content> {
  const { parts, read } = formats[from]
  return read((await readParts(upload, { wanted: parts, maxPartBytes: partBytes })).parts)
}

/** The first chapters, one after the other. */
export async function readBook(upload: Upload): Promise<string> {
  let chapters = 0
  const isChapter = (name: string) => /\.x?html?$/.test(name) && ++chapters <= maxParts
  return [...(await readParts(upload, { wanted: isChapter, maxPartBytes: partBytes })).parts.values()].join(
    ' ',
  )
}

const hasPicture = (xml: string) => /<a:blip\b|<v:imagedata\b/.test(xml)

/** A shape with an explicit colour, or the default style of new shapes. Placeholders have neither. */
const hasShape = (xml: string, element: string) =>
  xml
    .split(`<${element}>`)
    .slice(1)
    .some(
      (shape) =>
        /<a:(?:prst|cust)Geom\b/.test(shape) &&
        !/<p:ph\b|<a:noFill\b/.test(shape) &&
        /:style>|<a:solidFill>/.test(shape),
    )

const hidesRuns = /<w:(?:webHidden|vanish|specVanish)\b/

function readDocx(parts: Parts): Content {
  const xml = parts.get('word/document.xml') ?? ''
  const seen = hidesRuns.test(xml) ? xml.split('</w:r>').filter((run) => !hidesRuns.test(run)) : [xml]
  return {
    text: textBetweenTags(seen.join('</w:r>'), /<w:t(?:\s[^<>]*)?>([^<]*)</g),
    pictures: hasPicture(xml),
    drawings: hasShape(xml, 'wps:wsp'),
    mayBeHidden: xml.includes('<w:moveFrom '),
  }
}

function readPptx(parts: Parts): Content {
  const shown = [...parts.values()].filter((slide) => !/<p:sld\b[^<>]*\sshow="(?:0|false)"/.test(slide))
  const xml = shown.join('\n')
  return {
    text: textBetweenTags(xml, /<a:t(?:\s[^<>]*)?>([^<]*)</g),
    pictures: hasPicture(xml),
    drawings: hasShape(xml, 'p:sp'),
  }
}

function readXlsx(parts: Parts): Content {
  const workbook = parts.get('xl/workbook.xml') ?? ''
  const sheets = [...parts].filter(([name]) => name.startsWith('xl/worksheets/')).map(([, xml]) => xml)
  const drawings = [...parts].filter(([name]) => name.startsWith('xl/drawings/')).map(([, xml]) => xml)
  const hasHiddenSheet = /<sheet\b[^<>]*\sstate="(?:h|veryH)idden"/.test(workbook)
  const cells = sheets.flatMap(valuesIn)
  // Deleted cells may leave their strings behind.
  const used = new Set(cells.filter(isSharedString).map(({ value }) => Number(value)))
  const strings = (parts.get('xl/sharedstrings.xml') ?? '').split('</si>')
  const text = [
    ...strings.filter((_, index) => used.has(index)).map(plainText),
    ...sheets.map(plainText),
    ...cells.filter((cell) => !isSharedString(cell)).map(({ value }) => value),
  ]
  return {
    text: hasHiddenSheet ? '' : text.join(' '),
    pictures: drawings.some(hasPicture),
    drawings: drawings.some((xml) => hasShape(xml, 'xdr:sp')),
    mayBeHidden: hasHiddenSheet || sheets.some(hidesCells),
    hasPrintArea: /_xlnm\.Print_Area/.test(workbook),
  }
}

function readVisio(parts: Parts): Content {
  const xml = [...parts.values()].join('\n')
  const [, ...texts] = xml.split('<Text>').map((part) => `>${part.split('</Text>', 1)[0]}`)
  return {
    // Formatting marks are between the characters.
    text: texts.map((text) => textBetweenTags(text)).join(' '),
    mayBeHidden: /N=["'](?:HideText|NonPrinting|Visible)["']/.test(xml),
  }
}

const plainText = (xml: string) => textBetweenTags(xml, /<t(?:\s[^<>]*)?>([^<]*)</g)

interface CellValue {
  attributes: string
  value: string
}

/** A shared string is an index into a list. */
const isSharedString = ({ attributes }: CellValue) => attributes.includes('t="s"')

const valuesIn = (sheet: string): CellValue[] =>
  [...sheet.matchAll(/<c\s([^<>]*)>(?:<f[^<>]*>(?:[^<]*<\/f>)?)?<v>([^<]*)</g)].map(
    ([, attributes = '', value = '']) => ({ attributes, value }),
  )

const hidesCells = (sheet: string) => /\shidden="(?:1|true)"/.test(sheet)

/** Without elements of that name, which do not hold each other. */
const without = (element: string, xml: string) =>
  xml
    .split(`<${element}`)
    .map((part, index) => (index === 0 ? part : part.slice(Math.max(0, part.indexOf(`</${element}>`)))))
    .join('')

/** Comments, notes, and what tracked changes have deleted. */
const notShown = ['office:annotation', 'presentation:notes', 'text:tracked-changes', 'table:tracked-changes']

export function readOpenDocument(parts: Parts): Content {
  const xml = parts.get('content.xml') ?? ''
  const withNotes = xml.slice(Math.max(0, xml.indexOf('<office:body')))
  const body = notShown.reduce((rest, element) => without(element, rest), withNotes)
  const isBare = xml.includes('draw:stroke="none"') && xml.includes('draw:fill="none"')
  return {
    text: textBetweenTags(body, />([^<>]+)/g),
    pictures: /<draw:image\b/.test(body),
    drawings:
      /<draw:(?:rect|line|polyline|polygon|path|circle|ellipse|connector|custom-shape)\b/.test(body) &&
      !isBare,
    mayBeHidden:
      /="hidden"|:display="(?:none|false|condition)"|is-hidden="true"|="(?:collapse|filter)"|:print-content="false"/.test(
        xml,
      ),
    hasPrintArea: xml.includes(':print-ranges='),
  }
}
