import type { FormatName, Pair } from '../pairs.ts'
import { choice, flag, languages, pageRanges, password } from './kinds.ts'
import { rowsFor } from './option.ts'

// PDF to Word, Markdown and HTML, and its tables.

export interface PdfArgument {
  /** Arguments of kiln-pdf. */
  args?: readonly string[]
}

const row = rowsFor<PdfArgument>()
const all = ({ engine }: Pair) => engine === 'pdf'
const to =
  (...formats: readonly FormatName[]) =>
  (pair: Pair) =>
    all(pair) && formats.includes(pair.to)

const pictureWays = { embedded: 'embed', marked: 'mark', 'left-out': 'none' }

export const pdfOptions = [
  row({
    name: 'pages',
    takes: all,
    kind: pageRanges,
    says: 'Only these pages of the PDF.',
    otherwise: 'All pages.',
    example: '2-4,7',
    argument: (ranges) => ({ args: [`--pages=${ranges}`] }),
  }),
  row({
    name: 'password',
    takes: all,
    kind: password,
    says: 'The password that opens the PDF; what comes out has none.',
    otherwise: 'A PDF that needs one fails.',
    example: 'correct horse',
    isSecret: true,
    argument: (text) => ({ args: [`--password=${text}`] }),
  }),
  row({
    name: 'ocr',
    takes: all,
    kind: choice('auto', 'never', 'always'),
    says: 'Text recognition: of scanned pages without text, never, or of every page in place of its text.',
    otherwise: 'Of scanned pages without text.',
    example: 'never',
    argument: (way) => ({ args: [`--ocr=${way}`] }),
  }),
  row({
    name: 'languages',
    takes: all,
    kind: languages,
    says: 'The languages of the text that is recognised, by the names of tesseract; each has to be installed.',
    otherwise: 'Those that are installed, by the script of the first page.',
    example: ['eng'],
    argument: (names) => ({ args: [`--languages=${names.join('+')}`] }),
  }),
  row({
    name: 'pictures',
    takes: to('docx', 'html'),
    kind: choice('embedded', 'left-out'),
    says: 'Pictures: inside the file, or left out; a scanned page is then its text alone.',
    otherwise: 'Inside the file.',
    example: 'left-out',
    argument: (way) => ({ args: [`--pictures=${pictureWays[way]}`] }),
  }),
  row({
    name: 'pictures',
    takes: to('md'),
    kind: choice('embedded', 'marked', 'left-out'),
    says: 'Pictures: inside the file, marked by an empty image where they stood, or left out.',
    otherwise: 'Marked.',
    example: 'embedded',
    argument: (way) => ({ args: [`--pictures=${pictureWays[way]}`] }),
  }),
  row({
    name: 'pageMarks',
    takes: to('md', 'html', 'docx'),
    kind: flag,
    says: 'Marks where each page of the PDF began: a comment such as `<!-- page 3 -->` in Markdown, an element with the id `page-3` in HTML, a bookmark `page_3` in Word.',
    otherwise: 'None.',
    example: true,
    argument: (wanted) => ({ args: wanted ? ['--page-marks'] : [] }),
  }),
]
