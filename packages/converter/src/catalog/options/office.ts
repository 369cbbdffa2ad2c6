import { readAs } from '../formats.ts'
import type { FormatName, Pair } from '../pairs.ts'
import { picturesInMarkdown, picturesInPage } from './every-engine.ts'
import { choice, flag, pageRanges, password, sheetName, someOf, wholeNumber } from './kinds.ts'
import { rowsFor } from './option.ts'

// Office documents.

export interface OfficeArgument {
  /** Options of LibreOffice's PDF export, by its own names. */
  exportOptions?: Readonly<Record<string, boolean | number | string>>
  password?: string
  trackedChanges?: 'as-in-file' | 'shown' | 'left-out'
  sheets?: 'as-in-file' | 'fit-width'
  /** For sheets: after each one. */
  printComments?: boolean
  /** For slides that become text. */
  slides?: { hidden: boolean; notes: boolean }
  /** By name or number. */
  sheet?: string
  pictures?: 'embedded' | 'left-out'
  landscape?: boolean
  /** Resolution of pictures of pages. */
  dotsPerInch?: number
  /** For tables of contents and other indexes. */
  updateIndexes?: boolean
  /** Supplying a password for a document without one is an error. */
  passwordMustBeNeeded?: boolean
  /** The conformance that the PDF has to declare, and is checked for. */
  declares?: { pdfa?: '1b' | '2b' | '3b'; pdfua?: true }
}

const row = rowsFor<OfficeArgument>()
const from =
  (...formats: readonly FormatName[]) =>
  ({ engine, from: source }: Pair) =>
    engine === 'libreoffice' && formats.includes(readAs(source))
const toPages = (includes: (pair: Pair) => boolean) => (pair: Pair) =>
  (pair.to === 'pdf' || pair.to === 'png') && includes(pair)

const all = ({ engine, to }: Pair) => engine === 'libreoffice' && to === 'pdf'
const toPng = ({ engine, to }: Pair) => engine === 'libreoffice' && to === 'png'
const withPictures = (pair: Pair) => all(pair) && pair.from !== 'txt' && pair.from !== 'csv'
const texts = toPages(from('docx', 'doc', 'odt', 'rtf'))
const tables = from('xlsx', 'xls', 'ods')
const decks = from('pptx', 'ppt', 'odp')
const protectable = from('doc', 'odt', 'xlsx', 'xls', 'ods', 'pptx', 'ppt', 'odp', 'odg')
const sheets = toPages(tables)
const printedSheets = toPages(from('xlsx', 'xls', 'ods', 'numbers'))
const slides = toPages(decks)
const toText = (includes: (pair: Pair) => boolean) => (pair: Pair) =>
  (pair.to === 'md' || pair.to === 'html') && includes(pair)

/** LibreOffice's numbers for them. */
const archiveVersions = { '1b': 1, '2b': 2, '3b': 3 }

export const officeOptions = [
  row({
    name: 'pages',
    label: 'Pages',
    appliesTo: all,
    kind: pageRanges,
    description: 'Only these pages of the PDF.',
    default: 'All pages.',
    example: '1-3',
    selectsPart: true,
    argument: (ranges) => ({ exportOptions: { PageRange: ranges } }),
  }),
  row({
    name: 'pages',
    label: 'Pages',
    appliesTo: toPng,
    kind: pageRanges,
    description: 'Pages or slides: one number gives a PNG file, a list or range a ZIP archive of PNG files.',
    default: 'The first page.',
    example: '2',
    selectsPart: true,
    givesArchive: (ranges) => !/^\d+$/.test(ranges),
    argument: (ranges) => ({ exportOptions: { PageRange: ranges } }),
  }),
  row({
    name: 'dpi',
    label: 'Dots per inch',
    appliesTo: toPng,
    kind: wholeNumber(18, 600),
    description: 'Resolution in dots per inch.',
    default: '150.',
    example: 96,
    argument: (dpi) => ({ dotsPerInch: dpi }),
  }),
  row({
    name: 'password',
    label: 'Password of the file',
    // A docx is decrypted before its engine gets it, whichever that is.
    appliesTo: (pair) => readAs(pair.from) === 'docx' || protectable(pair),
    kind: password,
    description: 'Password of the document; the output has none.',
    default: 'Encrypted documents fail.',
    example: 'correct horse',
    isSecret: true,
    argument: (text) => ({ password: text }),
  }),
  row({
    name: 'pdfa',
    label: 'Archival PDF (PDF/A)',
    choiceLabels: { '1b': 'PDF/A-1b', '2b': 'PDF/A-2b', '3b': 'PDF/A-3b' },
    appliesTo: all,
    kind: choice('1b', '2b', '3b'),
    description: 'PDF/A, for archives, of this part and level.',
    default: 'An ordinary PDF.',
    example: '2b',
    argument: (pdfa) => ({ exportOptions: { SelectPdfVersion: archiveVersions[pdfa] }, declares: { pdfa } }),
  }),
  row({
    name: 'pdfua',
    label: 'Accessible PDF (PDF/UA)',
    appliesTo: all,
    kind: flag,
    description: 'Accessible PDF (PDF/UA-1), with title, language and structure for screen readers.',
    default: 'A tagged PDF.',
    example: true,
    argument: (wanted) =>
      wanted ? { exportOptions: { PDFUACompliance: true }, declares: { pdfua: true } } : {},
  }),
  row({
    name: 'trackedChanges',
    label: 'Tracked changes',
    appliesTo: texts,
    kind: choice('as-in-file', 'shown', 'left-out'),
    description: 'Tracked changes: shown with their marks, or left out as if accepted.',
    default: 'As in the file for odt; left out for others, as in Word.',
    example: 'shown',
    argument: (way) => ({ trackedChanges: way }),
  }),
  row({
    name: 'comments',
    label: 'Comments',
    appliesTo: texts,
    kind: choice('as-in-file', 'shown', 'left-out'),
    description: 'Comments: as PDF comments, in the margin, or left out.',
    default: 'Left out.',
    example: 'shown',
    argument: (way) => ({
      exportOptions: { ExportNotes: way === 'as-in-file', ExportNotesInMargin: way === 'shown' },
    }),
  }),
  row({
    name: 'comments',
    label: 'Comments',
    appliesTo: sheets,
    kind: choice('as-in-file', 'shown', 'left-out'),
    description: 'Comments: as PDF comments, on a page after each sheet, or left out.',
    default: 'Left out.',
    example: 'shown',
    argument: (way) => ({
      exportOptions: { ExportNotes: way === 'as-in-file' },
      printComments: way === 'shown',
    }),
  }),
  row({
    name: 'comments',
    label: 'Comments',
    // Slides have no margin that a comment could be shown in.
    appliesTo: slides,
    kind: choice('as-in-file', 'left-out'),
    description: 'Comments: as PDF comments, or left out.',
    default: 'Left out.',
    example: 'as-in-file',
    argument: (way) => ({ exportOptions: { ExportNotes: way === 'as-in-file' } }),
  }),
  row({
    name: 'slides',
    label: 'Also include',
    choiceLabels: { hidden: 'Hidden slides', notes: 'Speaker notes' },
    appliesTo: slides,
    kind: someOf('hidden', 'notes'),
    description: 'Adds hidden slides, and a page of notes for each slide.',
    default: 'Visible slides only.',
    example: ['hidden', 'notes'],
    argument: (more) => ({
      exportOptions: {
        ExportHiddenSlides: more.includes('hidden'),
        ExportNotesPages: more.includes('notes'),
      },
    }),
  }),
  row({
    name: 'sheets',
    label: 'Sheet layout',
    choiceLabels: { 'fit-width': 'Fit to page width' },
    appliesTo: printedSheets,
    kind: choice('as-in-file', 'fit-width'),
    description: 'Print sheets as the file says, across pages, or fit them to the width of a page.',
    default: 'As in the file.',
    example: 'fit-width',
    argument: (way) => ({ sheets: way }),
  }),
  row({
    name: 'sheet',
    label: 'Sheet',
    appliesTo: (pair) => pair.to === 'csv' && tables(pair),
    kind: sheetName,
    description: 'The sheet, by name or number from 1.',
    default: 'The first visible sheet that is not empty.',
    example: 'Figures',
    selectsPart: true,
    omits: () => ['sheets'],
    argument: (sheet) => ({ sheet }),
  }),
  row({
    name: 'sheet',
    label: 'Sheet',
    appliesTo: toText(tables),
    kind: sheetName,
    description: 'Only this sheet, by name or number from 1.',
    default: 'All visible sheets.',
    example: 'Figures',
    selectsPart: true,
    omits: () => ['sheets'],
    argument: (sheet) => ({ sheet }),
  }),
  row({
    name: 'slides',
    label: 'Also include',
    choiceLabels: { shown: 'Slides that are shown', hidden: 'Hidden slides', notes: 'Speaker notes' },
    appliesTo: (pair) => toText(decks)(pair) || (pair.to === 'txt' && decks(pair)),
    kind: someOf('shown', 'hidden', 'notes'),
    description: 'What to add to visible slides: hidden ones, notes below each, or (`shown`) neither.',
    default: 'Notes.',
    example: ['hidden', 'notes'],
    argument: (more) => ({ slides: { hidden: more.includes('hidden'), notes: more.includes('notes') } }),
  }),
  row({
    ...picturesInPage,
    appliesTo: (pair) => pair.to === 'html' && (tables(pair) || decks(pair)),
    argument: (pictures) => ({ pictures }),
  }),
  row({
    ...picturesInMarkdown,
    appliesTo: (pair) => pair.to === 'md' && (tables(pair) || decks(pair)),
    argument: (way) => ({ pictures: way === 'left-out' ? way : 'embedded' }),
  }),
  row({
    name: 'quality',
    label: 'Picture quality (1–100)',
    appliesTo: withPictures,
    kind: wholeNumber(1, 100),
    description: 'JPEG quality of pictures.',
    default: '90.',
    example: 40,
    argument: (quality) => ({ exportOptions: { Quality: quality } }),
  }),
]
