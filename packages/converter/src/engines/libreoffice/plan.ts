import type { OfficeArgument } from '../../catalog/options/office.ts'
import type { FormatName } from '../../catalog/pairs.ts'
import type { Variant } from '../../catalog/sniff/variant.ts'
import { failed } from '../../failure.ts'
import type { CsvDialect } from './csv-dialect.ts'

// What LibreOffice is to do with a file, in its own words. A plan is plain data: its runner, a
// cold soffice or a warm one, gets the same pages.
//
// The import filter is always named. Left to guess, LibreOffice turns random bytes into a text document
// and a text document into a "good" PDF.

export interface Plan {
  importFilter: string
  importOptions: string
  exportFilter: string
  /** Options of the PDF export, by LibreOffice's names. */
  exportOptions: Readonly<Record<string, boolean | number | string>>
  /** How sheets are laid out; a plain table has no layout in its file and gets one. */
  sheets: '' | 'as-in-file' | 'fit-width' | 'plain-table'
  /** Tracked changes: as the file says, shown, or as if all were accepted. */
  trackedChanges: '' | 'shown' | 'left-out'
  /** Sheets: their comments are printed after them. */
  printComments: boolean
  /** Pages are turned to landscape. */
  landscape: boolean
  /** Tables of contents and other indexes are updated first. */
  updateIndexes: boolean
  /** LibreOfficeKit draws comments in the margin too small to read: only a LibreOffice of its own does. */
  needsOwnProcess: boolean
  /** Lines of East Asian fonts are as high as Word sets them. */
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

// The formats of the programs themselves are written by the filters that read them.
const pdfExportFilters: Record<Kind, string> = {
  text: 'writer_pdf_Export',
  sheet: 'calc_pdf_Export',
  slides: 'impress_pdf_Export',
  drawing: 'draw_pdf_Export',
}

// Text is made of flat OpenDocument (text-forms/).
const flatExportFilters: Partial<Record<Kind, string>> = {
  sheet: 'OpenDocument Spreadsheet Flat XML',
  slides: 'OpenDocument Presentation Flat XML',
}

const textForms: readonly FormatName[] = ['csv', 'md', 'html', 'txt']

/** Whether LibreOffice writes docx, of which pandoc then makes the output. */
export const isWrittenByPandoc = (from: FormatName, to: FormatName): boolean =>
  importFilters[from]?.kind === 'text' && (textForms.includes(to) || to === 'epub')

/** What is made of the document before it becomes text; nothing where LibreOffice writes the output itself. */
export const textKind = (from: FormatName, to: FormatName): 'sheet' | 'slides' | 'csv' | undefined => {
  if (!textForms.includes(to) || isWrittenByPandoc(from, to)) return undefined
  if (from === 'csv') return 'csv'
  return importFilters[from]?.kind === 'slides' ? 'slides' : 'sheet'
}

// Tagged, so that screen readers and copying get the right order; bookmarks from the headings.
const pdfOptions = {
  UseTaggedPDF: true,
  ExportBookmarks: true,
  ExportFormFields: true,
  ExportNotes: false,
  UseLosslessCompression: false,
  Quality: 90,
  // Pictures stay as fine as they are. Scaling them took half of the time of a long report and saved nothing.
  ReduceImageResolution: false,
}

// For decks whose pictures are all PNG, which PowerPoint keeps as they are. What LibreOffice draws as a picture, such as
// the shadow of a shape, it otherwise packs twice to see which is smaller: a tenth of the time of a full deck.
const lossless = { UseLosslessCompression: true }

// Binary documents of before 1997 have the same container and other readers; so does OpenDocument in one XML file.
const variantFilters: Partial<Record<Variant, string>> = {
  'word-6': 'MS WinWord 6.0',
  'word-95': 'MS Word 95',
  'excel-95': 'MS Excel 95',
  'flat-text': 'OpenDocument Text Flat XML',
  'flat-sheet': 'OpenDocument Spreadsheet Flat XML',
}

const wordFormats: readonly FormatName[] = ['docx', 'doc', 'rtf']

export interface Details {
  /** For a csv file. Plain text arrives as UTF-8: the engine converts it before. */
  csv?: CsvDialect
  variant?: Variant | undefined
  /** For slides. */
  hasPhotos?: boolean
  fontRules?: string
}

/** Does a package, by the names of its parts, hold pictures other than PNG and drawings? */
export const hasPhotos = (names: readonly string[]): boolean =>
  names.some((name) => /\/media\/[^/]*$/.test(name) && !/\.(?:png|svg)$/i.test(name))

export function planFor(
  from: FormatName,
  to: FormatName,
  { csv, variant, hasPhotos = true, fontRules = '' }: Details = {},
  {
    exportOptions,
    trackedChanges,
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
          ...(hasPhotos || exportOptions?.Quality !== undefined ? {} : lossless),
          ...exportOptions,
        }
      : {},
    sheets: reader.kind !== 'sheet' || !isPdf ? '' : from === 'csv' ? 'plain-table' : sheets,
    trackedChanges: trackedChanges ?? '',
    printComments,
    landscape,
    updateIndexes,
    needsOwnProcess: exportOptions?.ExportNotesInMargin === true,
    wordLines: wordFormats.includes(from),
    fontRules,
  }
}

/**
 * Every column is read as text, so that what the file says is what the page says: 007 stays 007, and
 * 1.50 does not become 1.5. Tokens: separator, quote, character set (76 is UTF-8), first line,
 * format per column (2 is text), language, quoted fields are text, detect numbers, …, evaluate formulas.
 */
function csvOptions({ separator, columns }: CsvDialect): string {
  const formats = Array.from({ length: columns }, (_, index) => `${index + 1}/2`).join('/')
  return [separator.charCodeAt(0), 34, 76, 1, formats, 0, true, false, false, false, false, 0, false].join(
    ',',
  )
}
