import type { Variant } from '../../catalog/file-types/variant.ts'
import type { OfficeArgument } from '../../catalog/options/office.ts'
import type { FormatName } from '../../catalog/pairs.ts'
import { failed } from '../../failure.ts'
import type { ColumnDigit } from './as-excel/printed-units.ts'
import type { CsvDialect } from './csv-dialect.ts'

// What LibreOffice does with a file, in its own terms. A plan is plain data: cold and warm runners get the same plan
// and produce the same pages.
//
// The import filter is always named. Without it, LibreOffice would detect random bytes as a text document and convert
// them to an apparently valid PDF.

export interface Plan {
  importFilter: string
  importOptions: string
  exportFilter: string
  /** Options of the PDF export, by LibreOffice's names. */
  exportOptions: Readonly<Record<string, boolean | number | string>>
  /** Layout of sheets; a plain table has no layout in its file and gets one. */
  sheets: '' | 'as-in-file' | 'fit-width' | 'plain-table'
  /** The unit of the column widths of an Excel workbook, if it is known. */
  digit: ColumnDigit | undefined
  /** Tracked changes: as in the file, shown, or as if all were accepted. */
  trackedChanges: 'as-in-file' | 'shown' | 'left-out'
  /** Makes full-width punctuation narrower where that fits another character on the line. */
  compressPunctuation: boolean
  /** Prints the comments of each sheet after it. */
  printComments: boolean
  /** Rotates pages to landscape. */
  landscape: boolean
  /** Updates tables of contents and other indexes first. */
  updateIndexes: boolean
  /** LibreOfficeKit draws comments in the margin too small to read: they need a separate LibreOffice process. */
  needsOwnProcess: boolean
  /** Lines of East Asian fonts get Word's line height. */
  wordLines: boolean
  /** fontconfig rules of this document; empty without any (font-rules.ts). */
  fontRules: string
}

type Kind = 'text' | 'sheet' | 'slides' | 'drawing'

const importFilters: Partial<Record<FormatName, { kind: Kind; filter: string }>> = {
  docx: { kind: 'text', filter: 'MS Word 2007 XML' },
  doc: { kind: 'text', filter: 'MS Word 97' },
  odt: { kind: 'text', filter: 'writer8' },
  rtf: { kind: 'text', filter: 'Rich Text Format' },
  txt: { kind: 'text', filter: 'Text (encoded)' },
  xlsx: { kind: 'sheet', filter: 'Calc MS Excel 2007 XML' },
  xls: { kind: 'sheet', filter: 'MS Excel 97' },
  ods: { kind: 'sheet', filter: 'calc8' },
  csv: { kind: 'sheet', filter: 'Text - txt - csv (StarCalc)' },
  pptx: { kind: 'slides', filter: 'Impress MS PowerPoint 2007 XML' },
  ppt: { kind: 'slides', filter: 'MS PowerPoint 97' },
  odp: { kind: 'slides', filter: 'impress8' },
  odg: { kind: 'drawing', filter: 'draw8' },
  wpd: { kind: 'text', filter: 'WordPerfect' },
  pages: { kind: 'text', filter: 'Apple Pages' },
  numbers: { kind: 'sheet', filter: 'Apple Numbers' },
  key: { kind: 'slides', filter: 'Apple Keynote' },
  vsdx: { kind: 'drawing', filter: 'Visio Document' },
  vsd: { kind: 'drawing', filter: 'Visio Document' },
  pub: { kind: 'drawing', filter: 'Publisher Document' },
}

// Office formats are written by the same filters that read them.
const pdfExportFilters: Record<Kind, string> = {
  text: 'writer_pdf_Export',
  sheet: 'calc_pdf_Export',
  slides: 'impress_pdf_Export',
  drawing: 'draw_pdf_Export',
}

// Text is converted from flat OpenDocument (text-forms/).
const flatExportFilters: Partial<Record<Kind, string>> = {
  sheet: 'OpenDocument Spreadsheet Flat XML',
  slides: 'OpenDocument Presentation Flat XML',
}

const textForms: readonly FormatName[] = ['csv', 'md', 'html', 'txt']

/** Whether LibreOffice writes docx, which pandoc then converts to the output. */
export const isWrittenByPandoc = (from: FormatName, to: FormatName): boolean =>
  importFilters[from]?.kind === 'text' && (textForms.includes(to) || to === 'epub')

/** The intermediate format that is converted to text; undefined if LibreOffice writes the output itself. */
export const textKind = (from: FormatName, to: FormatName): 'sheet' | 'slides' | 'csv' | undefined => {
  if (!textForms.includes(to) || isWrittenByPandoc(from, to)) return undefined
  if (from === 'csv') return 'csv'
  return importFilters[from]?.kind === 'slides' ? 'slides' : 'sheet'
}

// Tagged, so that screen readers and copying get the right order; bookmarks from the headings.
const pdfOptions = {
  UseTaggedPDF: true,
  ExportBookmarks: true,
  ExportNotes: false,
  UseLosslessCompression: false,
  Quality: 90,
  // Pictures keep their resolution. Scaling them took half of the time of a long report and did not reduce its size.
  ReduceImageResolution: false,
}

// For decks whose pictures are all PNG, which PowerPoint keeps unchanged. LibreOffice otherwise compresses its own
// pictures, such as the shadow of a shape, with both methods to choose the smaller: a tenth of the time of a full deck.
const lossless = { UseLosslessCompression: true }

// Binary documents from before 1997 have the same container but other filters; so does OpenDocument in a single XML
// file.
const variantFilters: Partial<Record<Variant, string>> = {
  'word-6': 'MS WinWord 6.0',
  'word-95': 'MS Word 95',
  'excel-95': 'MS Excel 95',
  'powerpoint-95': 'PowerPoint 3',
  'flat-text': 'OpenDocument Text Flat XML',
  'flat-sheet': 'OpenDocument Spreadsheet Flat XML',
}

const wordFormats: readonly FormatName[] = ['docx', 'doc', 'rtf']
const microsoftFormats: readonly FormatName[] = [...wordFormats, 'xlsx', 'xls', 'pptx', 'ppt']

export interface Details {
  /** For a csv file. Plain text is UTF-8 here: the engine converts it before. */
  csv?: CsvDialect
  variant?: Variant | undefined
  /** For slides. */
  hasPhotos?: boolean
  fontRules?: string
  digit?: ColumnDigit | undefined
  /** Whether the pages that LibreOffice inserts before an odd or even page are printed. */
  printsBlankPages?: boolean
  compressesPunctuation?: boolean
}

/** Whether a package, by the names of its parts, contains pictures other than PNG and SVG. */
export const hasPhotos = (names: readonly string[]): boolean =>
  names.some((name) => /\/media\/[^/]*$/.test(name) && !/\.(?:png|svg)$/i.test(name))

export function planFor(
  from: FormatName,
  to: FormatName,
  {
    csv,
    variant,
    hasPhotos = true,
    fontRules = '',
    digit,
    printsBlankPages = false,
    compressesPunctuation = false,
  }: Details = {},
  {
    exportOptions,
    // Word's default view, Simple Markup, prints the text as if all changes were accepted.
    trackedChanges = to === 'pdf' && wordFormats.includes(from) ? 'left-out' : 'as-in-file',
    sheets = 'as-in-file',
    printComments = false,
    landscape = false,
    updateIndexes = false,
  }: OfficeArgument = {},
): Plan {
  const reader = importFilters[from]
  if (!reader) throw failed.unsupported(`There is no office document of the format ${from}.`)
  const isPdf = to === 'pdf'
  const exportFilter = isPdf
    ? pdfExportFilters[reader.kind]
    : textForms.includes(to)
      ? flatExportFilters[reader.kind]
      : importFilters[to]?.filter
  if (!exportFilter) throw failed.unsupported(`There is no way from ${from} to ${to}.`)
  return {
    importFilter: (variant && variantFilters[variant]) ?? reader.filter,
    importOptions:
      from === 'csv' && csv ? csvOptions(csv) : from === 'txt' ? 'UTF8,LF,Liberation Mono,en-US,' : '',
    exportFilter,
    exportOptions: isPdf
      ? {
          ...pdfOptions,
          // Microsoft's programs print the content of controls. LibreOffice would print fields of a form in other fonts,
          // their checkboxes empty.
          ExportFormFields: !microsoftFormats.includes(from),
          ...(printsBlankPages ? { IsSkipEmptyPages: false } : {}),
          ...(hasPhotos || exportOptions?.Quality !== undefined ? {} : lossless),
          ...exportOptions,
        }
      : {},
    sheets: reader.kind !== 'sheet' || !isPdf ? '' : from === 'csv' ? 'plain-table' : sheets,
    digit,
    trackedChanges,
    compressPunctuation: isPdf && compressesPunctuation,
    printComments,
    landscape,
    updateIndexes,
    needsOwnProcess: exportOptions?.ExportNotesInMargin === true,
    wordLines: wordFormats.includes(from),
    fontRules,
  }
}

/**
 * Every column is read as text, so that the output shows what the file contains: 007 stays 007, and 1.50 does not
 * become 1.5. Tokens: separator, quote, character set (76 is UTF-8), first line, format per column (2 is text),
 * language, quoted fields are text, detect numbers, …, evaluate formulas.
 */
function csvOptions({ separator, columns }: CsvDialect): string {
  const formats = Array.from({ length: columns }, (_, index) => `${index + 1}/2`).join('/')
  return [separator.charCodeAt(0), 34, 76, 1, formats, 0, true, false, false, false, false, 0, false].join(
    ',',
  )
}
