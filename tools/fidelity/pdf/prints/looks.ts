import type { Printer } from '../../print.ts'
import { createRandom, pick, type Random } from './texts.ts'

// The look of a generated document. A look is an "owner": all documents of one look belong to the same part.

export interface Look {
  name: string
  printer: Printer
  tagged: boolean
  /** Uses another script instead of sentences from sources. */
  script: boolean
  css: string
  hasTitle: boolean
  numbers: 'none' | 'decimal' | 'word'
  listMark: string
  nested: boolean
  numberStyle: 'decimal' | 'lower-alpha' | 'upper-alpha' | 'lower-roman'
  /** Added to the page by Chromium: running header, page number, line numbers. */
  margins: { header: boolean; footer: boolean; lineNumbers: boolean }
  /** Chromium only: LibreOffice's import does not support leaders that fill the remaining width. */
  contents: 'none' | 'leaders' | 'plain'
  /** Attributes of every table: LibreOffice's import does not apply borders and padding of CSS rules to cells. */
  tableAttributes: string
  fontSize: number
  pitch: number
}

const papers = ['A4', 'A4', 'Letter', 'Letter', 'A5', 'A4 landscape', 'B5', 'Legal']
const families = [
  'Liberation Serif',
  'Liberation Sans',
  'Carlito',
  'Caladea',
  'DejaVu Serif',
  'Lato',
  'Nimbus Roman',
  'Noto Sans',
]
const colours = ['#000', '#000', '#1f497d', '#777', '#a00']

/** Looks of headings, from easy to hard to detect. */
const headingLooks: readonly ((size: number, next: Random) => string)[] = [
  (size) => `h1 {font-size:${size * 2}pt} h2 {font-size:${size * 1.5}pt} h3 {font-size:${size * 1.2}pt}`,
  (size) =>
    `h1 {font-size:${size + 4}pt} h2 {font-size:${size + 2}pt} h3 {font-size:${size + 1}pt} h1,h2,h3 {font-weight:normal}`,
  (size) =>
    `h1 {font-size:${size + 4}pt} h2,h3 {font-size:${size}pt} h3 {font-style:italic; font-weight:normal}`,
  (size) => `h1,h2,h3 {font-size:${size}pt} h1 {text-align:center}`,
  (size) =>
    `h1,h2,h3 {font-size:${size}pt; text-transform:uppercase} h2,h3 {font-weight:normal} h1 {text-align:center}`,
  (size, next) =>
    `h1,h2,h3 {color:${pick(next, ['#1f497d', '#a00', '#777'])}; font-family:"Liberation Sans"} h1 {font-size:${size * 1.6}pt} h2 {font-size:${size * 1.2}pt} h3 {font-size:${size}pt}`,
  (size) =>
    `h1 {font-size:${size * 1.8}pt} h2 {font-size:${size * 1.3}pt; border-bottom:0.5pt solid #555} h3 {font-size:${size}pt; text-decoration:underline; font-weight:normal}`,
  (size) =>
    `h1,h2 {text-align:center; font-variant:small-caps} h1 {font-size:${size * 1.5}pt} h2 {font-size:${size * 1.15}pt} h3 {font-size:${size}pt; text-align:center}`,
]

const tableLooks: readonly string[] = [
  'td,th {border:0.5pt solid #000}',
  'tr:nth-child(even) td {background:#e8e8e8} th {background:#444; color:#fff}',
  'table {border-top:1pt solid #000; border-bottom:1pt solid #000} th {border-bottom:0.5pt solid #000}',
  'td,th {border-bottom:0.5pt solid #bbb}',
  '',
]

const [ruled = ''] = tableLooks

export function makeLook(seed: number): Look {
  const look = drawLook(seed)
  const border = look.css.includes(ruled) ? 1 : 0
  return { ...look, tableAttributes: `border="${border}" cellspacing="0" cellpadding="4"` }
}

function drawLook(seed: number): Omit<Look, 'tableAttributes'> {
  const next = createRandom(seed + 7000)
  for (let i = 0; i < 8; i++) next(2)
  const printer = pick<Printer>(next, ['chromium', 'chromium', 'libreoffice', 'word'])
  const size = 8 + next(10) / 2
  const pitch = 1.1 + next(8) / 10
  const script = next(4) === 0
  const columns = printer === 'chromium' && next(4) === 0 ? 2 + next(2) : 1
  const hasIndents = next(4) === 0
  const lists = `ul,ol {margin:${next(3) * 3}pt 0; padding-inline-start:${pick(next, [14, 20, 30])}pt}`
  return {
    name: `look-${seed}`,
    printer,
    tagged: next(5) === 0,
    script,
    fontSize: size,
    pitch,
    hasTitle: next(4) > 0,
    numbers: pick(next, ['none', 'none', 'decimal', 'decimal', 'word']),
    listMark: pick(next, ['disc', 'disc', 'square', 'circle', '"– "', '"→ "', 'none']),
    nested: next(3) === 0,
    numberStyle: pick(next, ['decimal', 'decimal', 'lower-alpha', 'upper-alpha', 'lower-roman']),
    margins: {
      header: printer === 'chromium' && next(2) === 0,
      footer: printer === 'chromium' && next(3) > 0,
      lineNumbers: printer === 'chromium' && columns === 1 && next(8) === 0,
    },
    contents: printer === 'chromium' ? pick(next, ['none', 'none', 'leaders', 'plain']) : 'none',
    css: `@page {size:${pick(next, papers)}; margin:${16 + next(14)}mm ${14 + next(16)}mm}
body {font:${size}pt/${pitch} "${pick(next, families)}"; margin:0; color:${pick(next, ['#000', '#222'])}; text-align:${pick(next, ['justify', 'start', 'start'])}${next(3) === 0 ? '; hyphens:auto' : ''}}
${columns > 1 ? `.flow {columns:${columns}; column-gap:${12 + next(16)}pt} table {column-span:all}` : ''}
p {margin:0 0 ${hasIndents ? 0 : size * (0.4 + next(8) / 10)}pt${hasIndents ? `; text-indent:${size * 1.5}pt` : ''}}
h1,h2,h3 {margin:${size * (0.6 + next(10) / 10)}pt 0 ${size * (next(6) / 10)}pt; line-height:1.2; text-indent:0}
h1,h2 {color:${pick(next, colours)}}
${pick(next, headingLooks)(size, next)}
${lists}
table {border-collapse:collapse; margin:${size}pt 0; ${next(2) === 0 ? 'width:100%' : ''}; font-size:${size - next(2)}pt; line-height:1.2}
td,th {padding:${1 + next(4)}pt ${4 + next(6)}pt; text-align:start; vertical-align:top} th {font-weight:${pick(next, ['bold', 'bold', 'normal'])}}
.number {text-align:end} pre {font:${size - 1}pt/1.2 "Liberation Mono"} .contents p {margin:0; text-indent:0}
${pick(next, tableLooks)}`,
  }
}
