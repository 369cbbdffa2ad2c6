import { execFile } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { png } from '@kiln/test-support/png.ts'

// The documents of the office suite, generated for every run: written as flat OpenDocument and converted by LibreOffice
// to the formats that users upload. A report of twelve pages with headings, justified text, lists, tables and pictures;
// a workbook; a talk.

export type Kind = 'docx' | 'xlsx' | 'pptx' | 'odt'
export const kinds: readonly Kind[] = ['docx', 'xlsx', 'pptx', 'odt']

/** Paths of the documents by kind. */
export async function makeDocuments(folder: string): Promise<Record<Kind, string>> {
  await mkdir(folder, { recursive: true })
  const sources = {
    'report.fodt': report(12),
    'letter.fodt': report(3),
    'figures.fods': workbook(),
    'talk.fodp': talk(),
  }
  for (const [name, text] of Object.entries(sources)) await writeFile(join(folder, name), text)
  const convert = async (name: string, to: Kind) => {
    const profile = `-env:UserInstallation=file://${join(folder, 'profile')}`
    await promisify(execFile)('soffice', [profile, '--headless', '--convert-to', to, name], { cwd: folder })
    return join(folder, name.replace(/\.\w+$/, `.${to}`))
  }
  return {
    docx: await convert('report.fodt', 'docx'),
    xlsx: await convert('figures.fods', 'xlsx'),
    pptx: await convert('talk.fodp', 'pptx'),
    odt: await convert('letter.fodt', 'odt'),
  }
}

const namespaces = Object.entries({
  office: 'office',
  style: 'style',
  text: 'text',
  table: 'table',
  draw: 'drawing',
  fo: 'xsl-fo-compatible',
  svg: 'svg-compatible',
})
  .map(([prefix, name]) => `xmlns:${prefix}="urn:oasis:names:tc:opendocument:xmlns:${name}:1.0"`)
  .join(' ')

const document = (kind: string, styles: string, automatic: string, master: string, body: string) =>
  `<?xml version="1.0" encoding="UTF-8"?>
<office:document ${namespaces} office:version="1.3" office:mimetype="application/vnd.oasis.opendocument.${kind}">
<office:font-face-decls>${['Liberation Serif', 'Liberation Sans', 'Carlito', 'Caladea']
    .map((name) => `<style:font-face style:name="${name}" svg:font-family="'${name}'"/>`)
    .join('')}</office:font-face-decls>
<office:styles>${styles}</office:styles>
<office:automatic-styles>${automatic}</office:automatic-styles>
<office:master-styles>${master}</office:master-styles>
<office:body>${body}</office:body></office:document>`

const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i))

const words =
  'report figures quarter season harvest barley orchard river market village winter letter account total average north south yield price weather storage transport delivery question answer measure change result'.split(
    ' ',
  )

/** Text that is the same in every run and does not repeat within a run. */
function sentences(seed: number, count: number): string {
  let state = seed * 7919 + 1
  const next = () => {
    state = (state * 48271) % 2147483647
    return state
  }
  return times(count, () => {
    const sentence = times(8 + (next() % 9), () => words[next() % words.length]).join(' ')
    return `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}.`
  }).join(' ')
}

function picture(seed: number): string {
  const size = 120
  const row = (y: number) => [
    0,
    ...times(size, (x) => [(x * seed) % 256, (y * 2) % 256, (x ^ y) % 256, 255]).flat(),
  ]
  const image = png(size, size, Buffer.from(times(size, row).flat()))
  return `<draw:image><office:binary-data>${image.toString('base64')}</office:binary-data></draw:image>`
}

const headings = [1, 2]
  .map(
    (level) =>
      `<style:style style:name="Heading_20_${level}" style:display-name="Heading ${level}" style:family="paragraph" style:default-outline-level="${level}"><style:paragraph-properties fo:margin-top="0.5cm" fo:margin-bottom="0.2cm" fo:keep-with-next="always"/><style:text-properties style:font-name="Liberation Sans" fo:font-size="${20 - level * 3}pt" fo:font-weight="bold"/></style:style>`,
  )
  .join('')

function report(pages: number): string {
  const cell = (text: string) =>
    `<table:table-cell table:style-name="Cell" office:value-type="string"><text:p text:style-name="InTable">${text}</text:p></table:table-cell>`
  const table = (page: number) =>
    `<table:table table:name="Table${page}"><table:table-column table:number-columns-repeated="5"/>${times(
      8,
      (row) =>
        `<table:table-row>${times(5, (column) => cell(row === 0 ? `Column ${column + 1}` : String((page * 37 + row * 11 + column * 7) % 1000))).join('')}</table:table-row>`,
    ).join('')}</table:table>`
  const list = (page: number) =>
    `<text:list text:style-name="Bullets">${times(4, (item) => `<text:list-item><text:p text:style-name="Body">${sentences(page * 50 + item, 1)}</text:p></text:list-item>`).join('')}</text:list>`
  const frame = (page: number) =>
    `<text:p text:style-name="Body"><draw:frame draw:name="Picture ${page}" text:anchor-type="as-char" svg:width="5cm" svg:height="3cm">${picture(page + 3)}</draw:frame></text:p>`
  const page = (number: number) =>
    [
      `<text:h text:style-name="${number === 0 ? 'First' : 'NewPage'}" text:outline-level="1">Chapter ${number + 1}</text:h>`,
      ...times(4, (index) => `<text:p text:style-name="Body">${sentences(number * 10 + index, 6)}</text:p>`),
      `<text:h text:style-name="Heading_20_2" text:outline-level="2">In figures</text:h>`,
      table(number),
      number % 3 === 0 ? frame(number) : list(number),
      `<text:p text:style-name="Body">${sentences(number * 10 + 9, 4)}</text:p>`,
    ].join('\n')
  return document(
    'text',
    `<style:default-style style:family="paragraph"><style:text-properties style:font-name="Liberation Serif" fo:font-size="11pt" fo:language="en" fo:country="US"/></style:default-style>${headings}<text:list-style style:name="Bullets"><text:list-level-style-bullet text:level="1" text:bullet-char="•"><style:list-level-properties text:space-before="0.5cm" text:min-label-width="0.5cm"/></text:list-level-style-bullet></text:list-style>`,
    `<style:style style:name="Body" style:family="paragraph"><style:paragraph-properties fo:text-align="justify" fo:margin-bottom="0.2cm"/></style:style>
<style:style style:name="InTable" style:family="paragraph"><style:text-properties style:font-name="Carlito" fo:font-size="10pt"/></style:style>
<style:style style:name="First" style:family="paragraph" style:parent-style-name="Heading_20_1"/>
<style:style style:name="NewPage" style:family="paragraph" style:parent-style-name="Heading_20_1"><style:paragraph-properties fo:break-before="page"/></style:style>
<style:style style:name="Cell" style:family="table-cell"><style:table-cell-properties fo:border="0.5pt solid #333333" fo:padding="0.1cm"/></style:style>
<style:page-layout style:name="Page"><style:page-layout-properties fo:page-width="21cm" fo:page-height="29.7cm" fo:margin="2cm"/><style:footer-style/></style:page-layout>`,
    `<style:master-page style:name="Standard" style:page-layout-name="Page"><style:footer><text:p>Page <text:page-number/> of <text:page-count/></text:p></style:footer></style:master-page>`,
    `<office:text>${times(pages, page).join('\n')}</office:text>`,
  )
}

function workbook(): string {
  const value = (figure: number) =>
    `<table:table-cell office:value-type="float" office:value="${figure}" table:style-name="Figure"/>`
  const sheet = (name: string, seed: number) =>
    `<table:table table:name="${name}"><table:table-column table:number-columns-repeated="9"/>${times(
      120,
      (row) =>
        `<table:table-row><table:table-cell office:value-type="string"><text:p>${words[(row * seed) % words.length]} ${row + 1}</text:p></table:table-cell>${times(6, (column) => value(((row + 3) * (column + 2) * seed) % 9973)).join('')}<table:table-cell table:formula="of:=SUM([.B${row + 1}:.G${row + 1}])" office:value-type="float" office:value="0"/></table:table-row>`,
    ).join('')}</table:table>`
  return document(
    'spreadsheet',
    '<style:default-style style:family="table-cell"><style:text-properties style:font-name="Carlito" fo:font-size="11pt"/></style:default-style>',
    '<style:style style:name="Figure" style:family="table-cell"><style:table-cell-properties fo:border="0.5pt solid #888888"/></style:style>',
    '',
    `<office:spreadsheet>${sheet('Barley', 7)}${sheet('Orchard', 13)}</office:spreadsheet>`,
  )
}

function talk(): string {
  const slide = (number: number) =>
    `<draw:page draw:name="Slide ${number + 1}" draw:master-page-name="Default">
<draw:frame draw:style-name="Words" svg:x="2cm" svg:y="1cm" svg:width="24cm" svg:height="2cm"><draw:text-box><text:p><text:span text:style-name="Title">${sentences(number, 1).slice(0, 40)}</text:span></text:p></draw:text-box></draw:frame>
<draw:frame draw:style-name="Words" svg:x="2cm" svg:y="4cm" svg:width="14cm" svg:height="9cm"><draw:text-box>${times(5, (line) => `<text:p>${sentences(number * 9 + line, 1)}</text:p>`).join('')}</draw:text-box></draw:frame>
<draw:rect draw:style-name="Shape" svg:x="18cm" svg:y="4cm" svg:width="6cm" svg:height="3cm"><text:p>Part ${number}</text:p></draw:rect>
<draw:ellipse draw:style-name="Shape" svg:x="18cm" svg:y="8cm" svg:width="6cm" svg:height="3cm"/>
${number % 2 === 0 ? `<draw:frame svg:x="18cm" svg:y="12cm" svg:width="4cm" svg:height="3cm">${picture(number + 5)}</draw:frame>` : ''}</draw:page>`
  return document(
    'presentation',
    '<style:default-style style:family="graphic"><style:text-properties style:font-name="Liberation Sans" fo:font-size="18pt"/></style:default-style>',
    `<style:style style:name="Words" style:family="graphic"><style:graphic-properties draw:fill="none" draw:stroke="none"/></style:style>
<style:style style:name="Shape" style:family="graphic"><style:graphic-properties draw:fill="solid" draw:fill-color="#77aadd" draw:stroke="solid"/></style:style>
<style:style style:name="Title" style:family="text"><style:text-properties style:font-name="Carlito" fo:font-size="28pt" fo:font-weight="bold"/></style:style>
<style:page-layout style:name="Page"><style:page-layout-properties fo:page-width="28cm" fo:page-height="15.75cm" fo:margin="0cm"/></style:page-layout>`,
    '<style:master-page style:name="Default" style:page-layout-name="Page"/>',
    `<office:presentation>${times(8, slide).join('\n')}</office:presentation>`,
  )
}
