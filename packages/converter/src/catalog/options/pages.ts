import { isMail } from '../opened-first.ts'
import type { Pair } from '../pairs.ts'
import { choice, flag, length } from './kinds.ts'
import { rowsFor } from './option.ts'

// Pages and books to PDF. A page's own style sheet may name its paper: what the caller asks for outweighs it.

export interface PageArgument {
  paper?: { size?: string; landscape?: boolean }
  margin?: string
  toc?: boolean
  pageNumbers?: boolean
}

const row = rowsFor<PageArgument>()
const all = ({ engine }: Pair) => engine === 'chromium'
const page = (pair: Pair) => all(pair) && (pair.from === 'html' || isMail(pair.from))
const book = (pair: Pair) => all(pair) && !page(pair)

export const pageOptions = [
  row({
    name: 'pageSize',
    takes: all,
    kind: choice('A3', 'A4', 'A5', 'Letter', 'Legal'),
    says: 'The paper.',
    otherwise: 'What the page’s own style sheet names; else A4.',
    example: 'A5',
    argument: (size) => ({ paper: { size } }),
  }),
  row({
    name: 'landscape',
    takes: all,
    kind: flag,
    says: 'The paper is turned; it is A4 unless `pageSize` names another.',
    otherwise: 'As the page’s own style sheet says; else upright.',
    example: true,
    argument: (landscape) => ({ paper: { landscape } }),
  }),
  row({
    name: 'margin',
    takes: all,
    kind: length(100),
    says: 'The margin on all four sides, with its unit.',
    otherwise: 'What the page’s own style sheet names; else about 16 mm for a page and 24 mm for a book.',
    example: '10mm',
    argument: (margin) => ({ margin }),
  }),
  row({
    name: 'toc',
    takes: book,
    kind: flag,
    says: 'A table of contents before the text, however short the text is.',
    otherwise: 'Where there are at least three headings.',
    example: true,
    argument: (toc) => ({ toc }),
  }),
  row({
    name: 'toc',
    takes: page,
    kind: flag,
    says: 'A table of contents before the page, made of its headings.',
    otherwise: 'None.',
    example: true,
    argument: (toc) => ({ toc }),
  }),
  row({
    name: 'pageNumbers',
    takes: book,
    kind: flag,
    says: 'The number of the page at its foot.',
    otherwise: 'On all pages but the first.',
    example: false,
    argument: (pageNumbers) => ({ pageNumbers }),
  }),
  row({
    name: 'pageNumbers',
    takes: page,
    kind: flag,
    says: 'The number of the page at its foot, in the margin.',
    otherwise: 'None of ours.',
    example: true,
    argument: (pageNumbers) => ({ pageNumbers }),
  }),
]
