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
    description: 'The password that opens the PDF; the output has none.',
    default: 'A PDF that needs one fails.',
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
    description:
      'Text recognition: of scanned pages without text, never, or of every page in place of its text.',
    default: 'Of scanned pages without text.',
    example: 'never',
    argument: (way) => ({ args: [`--ocr=${way}`] }),
  }),
  row({
    name: 'ocr',
    label: 'Text recognition (OCR)',
    choiceLabels: { auto: 'Scanned pages only' },
    appliesTo: to('pdfa'),
    kind: choice('auto', 'never'),
    description:
      'Text recognition: scanned pages without text get an invisible text layer, so that they can be searched; or never.',
    default: 'Scanned pages get a text layer.',
    example: 'never',
    argument: (way) => ({ args: [`--ocr=${way}`] }),
  }),
  row({
    name: 'languages',
    label: 'Languages of the text',
    appliesTo: all,
    kind: languages,
    description:
      'The languages of the text that is recognised, by the names of tesseract; each must be installed.',
    default: 'The language of each page, of those that are installed.',
    example: ['eng'],
    argument: (names) => ({ args: [`--languages=${names.join('+')}`] }),
  }),
  row({
    name: 'pictures',
    label: 'Pictures',
    choiceLabels: { embedded: 'Inside the file' },
    appliesTo: to('docx', 'html'),
    kind: choice('embedded', 'left-out'),
    description: 'Pictures: inside the file, or left out; a scanned page is then its text alone.',
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
      'Pictures: inside the file, as files beside it in a ZIP archive, replaced by empty images, or left out.',
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
      'Marks where each page of the PDF began: a comment such as `<!-- page 3 -->` in Markdown, an element with the id `page-3` in HTML, a bookmark `page_3` in Word.',
    default: 'None.',
    example: true,
    argument: (wanted) => ({ args: wanted ? ['--page-marks'] : [] }),
  }),
]
