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
    description: 'The paper.',
    default: 'What the page’s own style sheet names; else A4.',
    example: 'A5',
    argument: (size) => ({ paper: { size } }),
  }),
  row({
    name: 'landscape',
    label: 'Landscape',
    appliesTo: all,
    kind: flag,
    description: 'The paper is turned; it is A4 unless `pageSize` names another.',
    default: 'As the page’s own style sheet says; else upright.',
    example: true,
    argument: (landscape) => ({ paper: { landscape } }),
  }),
  row({
    name: 'margin',
    label: 'Margin',
    appliesTo: all,
    kind: length(100),
    description: 'The margin on all four sides, with its unit.',
    default: 'What the page’s own style sheet names; else about 16 mm for a page and 24 mm for a book.',
    example: '10mm',
    argument: (margin) => ({ margin }),
  }),
  row({
    ...contents,
    appliesTo: book,
    description: 'A table of contents before the text, however short the text is.',
    default: 'Where there are at least three headings.',
  }),
  row({
    ...contents,
    appliesTo: page,
    description: 'A table of contents before the page, made of its headings.',
    default: 'None.',
  }),
  row({
    ...pageNumbers,
    appliesTo: book,
    description: 'The number of the page at its foot.',
    default: 'On all pages but the first.',
    example: false,
  }),
  row({
    ...pageNumbers,
    appliesTo: page,
    description: 'The number of the page at its foot, in the margin.',
    default: 'None of ours.',
    example: true,
  }),
]
