import type { FormatName, Pair } from '../pairs.ts'
import { choice, flag, languages, pageRanges, password } from './kinds.ts'
import { rowsFor } from './option.ts'

// PDF to Word, Markdown and HTML, and its tables; pictures to text; text layers of PDF/A.

export interface PdfArgument {
  /** Arguments of kiln-pdf. */
  args?: readonly string[]
}

const row = rowsFor<PdfArgument>()
const all = ({ engine }: Pair) => engine === 'pdf'
const toText = (pair: Pair) => all(pair) && pair.to !== 'pdfa'
const fromPdf = (pair: Pair) => toText(pair) && pair.from === 'pdf'
const to =
  (...formats: readonly FormatName[]) =>
  (pair: Pair) =>
    all(pair) && formats.includes(pair.to)

export const neverRecognise = '--ocr=never'

const pictureWays = { embedded: 'embed', beside: 'embed', marked: 'mark', 'left-out': 'none' }

export const pdfOptions = [
  row({
    name: 'pages',
    label: 'Pages',
    appliesTo: (pair) => fromPdf(pair) || (toText(pair) && pair.from === 'tiff'),
    kind: pageRanges,
    description: 'Only these pages of the file.',
    default: 'All pages.',
    example: '2-4,7',
    argument: (ranges) => ({ args: [`--pages=${ranges}`] }),
  }),
  row({
    name: 'password',
    label: 'Password of the file',
    appliesTo: fromPdf,
    kind: password,
    description: 'Password of the PDF; the output has none.',
    default: 'Encrypted PDFs fail.',
    example: 'correct horse',
    isSecret: true,
    argument: (text) => ({ args: [`--password=${text}`] }),
  }),
  row({
    name: 'ocr',
    label: 'Text recognition (OCR)',
    choiceLabels: { auto: 'Scanned pages only', always: 'Every page' },
    appliesTo: fromPdf,
    kind: choice('auto', 'never', 'always'),
    description: 'OCR of scanned pages without text, never, or of every page in place of its text.',
    default: 'Scanned pages only.',
    example: 'never',
    argument: (way) => ({ args: [`--ocr=${way}`] }),
  }),
  row({
    name: 'ocr',
    label: 'Text recognition (OCR)',
    choiceLabels: { auto: 'Scanned pages only' },
    appliesTo: to('pdfa'),
    kind: choice('auto', 'never'),
    description: 'OCR gives scanned pages without text a searchable text layer.',
    default: 'Scanned pages only.',
    example: 'never',
    argument: (way) => ({ args: [`--ocr=${way}`] }),
  }),
  row({
    name: 'languages',
    label: 'Languages of the text',
    appliesTo: all,
    kind: languages,
    description: 'Languages for OCR, by tesseract’s names; each must be installed.',
    default: 'Detected for each page.',
    example: ['eng'],
    argument: (names) => ({ args: [`--languages=${names.join('+')}`] }),
  }),
  row({
    name: 'pictures',
    label: 'Pictures',
    choiceLabels: { embedded: 'Inside the file' },
    appliesTo: to('docx', 'html'),
    kind: choice('embedded', 'left-out'),
    description: 'Pictures, those of scanned pages included: inside the file, or left out.',
    default: 'Inside the file.',
    example: 'left-out',
    argument: (way) => ({ args: [`--pictures=${pictureWays[way]}`] }),
  }),
  row({
    name: 'pictures',
    label: 'Pictures',
    choiceLabels: {
      embedded: 'Inside the file',
      beside: 'Beside the file, in a ZIP archive',
      marked: 'Marked by a placeholder',
    },
    appliesTo: to('md'),
    kind: choice('embedded', 'beside', 'marked', 'left-out'),
    description:
      'Pictures: inside the file, beside it in a ZIP archive, replaced by empty images, or left out.',
    default: 'Marked.',
    example: 'embedded',
    givesArchive: (way) => way === 'beside',
    argument: (way) => ({ args: [`--pictures=${pictureWays[way]}`] }),
  }),
  row({
    name: 'pageMarks',
    label: 'Mark page breaks',
    appliesTo: to('md', 'html', 'docx'),
    kind: flag,
    description:
      'Marks page breaks: `<!-- page 3 -->` in Markdown, an element with the id `page-3` in HTML, a bookmark `page_3` in Word.',
    default: 'None.',
    example: true,
    argument: (wanted) => ({ args: wanted ? ['--page-marks'] : [] }),
  }),
]

export interface ArchivalArgument {
  /** Part and level of PDF/A, such as `2u`. */
  standard?: string
}

export const defaultStandard = '2u'

export const archivalOptions = [
  rowsFor<ArchivalArgument>()({
    name: 'pdfa',
    label: 'Part and level of PDF/A',
    choiceLabels: {
      '1b': 'PDF/A-1b',
      '2b': 'PDF/A-2b',
      '2u': 'PDF/A-2u',
      '3b': 'PDF/A-3b',
      '3u': 'PDF/A-3u',
    },
    appliesTo: ({ to }) => to === 'pdfa',
    kind: choice('1b', '2b', '2u', '3b', '3u'),
    description:
      'Part and level of PDF/A: `u` has Unicode values for all characters, part 3 keeps attached files.',
    default: '2u.',
    example: '2b',
    argument: (standard) => ({ standard }),
  }),
]
