import { isMail } from '../opened-first.ts'
import type { Pair } from '../pairs.ts'
import type { PrintSettings } from './internal.ts'
import { choice, flag, length } from './kinds.ts'
import { rowsFor } from './option.ts'

// Pages and books to PDF. A page's own style sheet may set the paper size; the caller's options override it.

export interface PageArgument {
  paper?: { size?: string; landscape?: boolean }
  margin?: string
  toc?: boolean
  pageNumbers?: boolean
  print?: PrintSettings
}

const row = rowsFor<PageArgument>()
const all = ({ engine }: Pair) => engine === 'chromium'
const page = (pair: Pair) => all(pair) && (pair.from === 'html' || isMail(pair.from))
const book = (pair: Pair) => all(pair) && !page(pair)

const contents = {
  name: 'toc',
  label: 'Table of contents',
  kind: flag,
  example: true,
  argument: (toc: boolean): PageArgument => ({ toc }),
} as const
const pageNumbers = {
  name: 'pageNumbers',
  label: 'Page numbers',
  kind: flag,
  argument: (wanted: boolean): PageArgument => ({ pageNumbers: wanted }),
} as const

export const pageOptions = [
  row({
    name: 'pageSize',
    label: 'Paper size',
    choiceLabels: { Letter: 'US Letter', Legal: 'US Legal' },
    appliesTo: all,
    kind: choice('A3', 'A4', 'A5', 'Letter', 'Legal'),
    description: 'Paper size.',
    default: 'As the page’s style sheet says, else A4.',
    example: 'A5',
    argument: (size) => ({ paper: { size } }),
  }),
  row({
    name: 'landscape',
    label: 'Landscape',
    appliesTo: all,
    kind: flag,
    description: 'Landscape; A4 without `pageSize`.',
    default: 'As the page’s style sheet says, else portrait.',
    example: true,
    argument: (landscape) => ({ paper: { landscape } }),
  }),
  row({
    name: 'margin',
    label: 'Margin',
    appliesTo: all,
    kind: length(100),
    description: 'Margin on all sides.',
    default: 'As the page’s style sheet says, else about 16 mm (md, epub, rst, latex: 24 mm).',
    example: '10mm',
    argument: (margin) => ({ margin }),
  }),
  row({
    ...contents,
    appliesTo: book,
    description: 'Table of contents before the text.',
    default: 'From three headings on.',
  }),
  row({
    ...contents,
    appliesTo: page,
    description: 'Table of contents before the page.',
    default: 'None.',
  }),
  row({
    ...pageNumbers,
    appliesTo: book,
    description: 'Page numbers at the foot.',
    default: 'All but the first page.',
    example: false,
  }),
  row({
    ...pageNumbers,
    appliesTo: page,
    description: 'Page numbers at the foot, in the margin.',
    default: 'None.',
    example: true,
  }),
]
