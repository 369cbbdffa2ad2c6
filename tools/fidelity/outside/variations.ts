import { createHash } from 'node:crypto'

// How a document is printed anew: on other paper, in other columns, fonts, sizes and margins. Its text stays.

export interface Look {
  paper: 'a4' | 'letter' | 'a5'
  columns: 1 | 2
  family: string
  size: number
  /** In millimetres. */
  margin: number
}

const papers = ['a4', 'letter', 'a5'] as const
const families = ['Liberation Serif', 'Liberation Sans', 'DejaVu Serif', 'Carlito', 'Caladea']
const sizes = [9, 10, 11, 12]
const margins = [15, 20, 25]
const millimetres = { a4: [210, 297], letter: [216, 279], a5: [148, 210] } as const

/** The same name and number give the same look, everywhere. */
export function lookOf(name: string, number: number): Look {
  const bytes = createHash('sha1').update(`${name} ${number}`).digest()
  const pick = <T>(from: readonly T[], byte: number): T => from[(bytes[byte] ?? 0) % from.length] as T
  const paper = pick(papers, 0)
  return {
    paper,
    columns: paper === 'a5' ? 1 : pick([1, 2] as const, 1),
    family: pick(families, 2),
    size: pick(sizes, 3),
    margin: pick(margins, 4),
  }
}

/** For a browser, as the head of the page. */
export const styleSheet = ({ paper, columns, family, size, margin }: Look): string => `<style>
@page { size: ${paper}; margin: ${margin}mm }
html, body { margin: 0; padding: 0; max-width: none; background: none }
body { font: ${size}pt/1.35 "${family}", "Noto Sans CJK JP"; columns: ${columns}; column-gap: 8mm }
p, ul, ol, table, pre { margin: 0 0 ${size * 0.7}pt } h1, h2, h3, h4 { margin: ${size}pt 0 ${size / 2}pt }
table { border-collapse: collapse } td, th { border: 0.5pt solid #000; padding: 2pt 5pt; text-align: left }
pre { font: ${size - 1}pt "DejaVu Sans Mono"; white-space: pre }
</style>
`

/** For pandoc's template of LaTeX. */
export const texVariables = ({ paper, columns, size, margin }: Look): string[] => [
  `papersize=${paper}`,
  `fontsize=${Math.max(10, size)}pt`,
  `geometry=margin=${margin}mm`,
  ...(columns === 2 ? ['classoption=twocolumn'] : []),
]

const names = [
  'office',
  'style',
  'text',
  'table',
  'drawing',
  'xsl-fo-compatible',
  'svg-compatible',
  'datastyle',
]
const prefixes = ['office', 'style', 'text', 'table', 'draw', 'fo', 'svg', 'number']

/** For pandoc's OpenDocument: a whole document in one file, which LibreOffice opens. */
export function openDocumentTemplate({ paper, columns, family, size, margin }: Look): string {
  const [width, height] = millimetres[paper]
  const spaces = prefixes.map((p, i) => `xmlns:${p}="urn:oasis:names:tc:opendocument:xmlns:${names[i]}:1.0"`)
  const font = (scale: number): string =>
    `fo:font-size="${Math.round(size * scale)}pt" style:font-name="${family}" fo:font-family="'${family}'"`
  const heading = (level: number): string =>
    `<style:style style:name="Heading_20_${level}" style:display-name="Heading ${level}" style:family="paragraph" style:default-outline-level="${level}"><style:paragraph-properties fo:margin-top="0.4cm" fo:margin-bottom="0.2cm" fo:keep-with-next="always"/><style:text-properties fo:font-weight="bold" ${font(1.7 - 0.15 * level)}/></style:style>`
  return `<?xml version="1.0" encoding="utf-8"?>
<office:document ${spaces.join(' ')} xmlns:xlink="http://www.w3.org/1999/xlink" office:version="1.2" office:mimetype="application/vnd.oasis.opendocument.text">
<office:styles>
<style:default-style style:family="paragraph"><style:text-properties ${font(1)}/></style:default-style>
<style:style style:name="Text_20_body" style:display-name="Text body" style:family="paragraph"><style:paragraph-properties fo:margin-bottom="0.25cm"/></style:style>
<style:style style:name="Footnote" style:family="paragraph"><style:text-properties ${font(0.8)}/></style:style>
<style:style style:name="Preformatted_20_Text" style:display-name="Preformatted Text" style:family="paragraph"><style:text-properties style:font-name="Liberation Mono" fo:font-family="'Liberation Mono'" fo:font-size="${size - 1}pt"/></style:style>
<style:style style:name="TableRowCell" style:family="table-cell"><style:table-cell-properties fo:border="0.5pt solid #000000" fo:padding="0.1cm"/></style:style>
<style:style style:name="TableHeaderRowCell" style:family="table-cell"><style:table-cell-properties fo:border="0.5pt solid #000000" fo:padding="0.1cm"/></style:style>
${[1, 2, 3, 4, 5, 6].map(heading).join('\n')}
</office:styles>
<office:automatic-styles>
$automatic-styles$
<style:page-layout style:name="page"><style:page-layout-properties fo:page-width="${width}mm" fo:page-height="${height}mm" fo:margin="${margin}mm"><style:columns fo:column-count="${columns}" fo:column-gap="8mm"/></style:page-layout-properties></style:page-layout>
</office:automatic-styles>
<office:master-styles><style:master-page style:name="Standard" style:page-layout-name="page"/></office:master-styles>
<office:body><office:text>
$body$
</office:text></office:body>
</office:document>
`
}
