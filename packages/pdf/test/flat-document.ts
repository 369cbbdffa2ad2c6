// A document for Writer as one XML file, so that tests can say exactly what a page holds.

const spaces = [
  'office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"',
  'style="urn:oasis:names:tc:opendocument:xmlns:style:1.0"',
  'text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"',
  'table="urn:oasis:names:tc:opendocument:xmlns:table:1.0"',
  'fo="urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0"',
  'meta="urn:oasis:names:tc:opendocument:xmlns:meta:1.0"',
  'dc="http://purl.org/dc/elements/1.1/"',
  'xlink="http://www.w3.org/1999/xlink"',
]
  .map((s) => `xmlns:${s}`)
  .join(' ')

export interface FlatDocument {
  body: string
  /** Automatic styles, besides those below. */
  styles?: string
  title?: string
  author?: string
  language?: string
  header?: string
  footer?: string
}

/** Styles of their own: P (plain), Land (starts a landscape page), B, I, U, S, Sup, Sub (characters). */
export function flatDocument(d: FlatDocument): string {
  const character = (name: string, properties: string): string =>
    `<style:style style:name="${name}" style:family="text"><style:text-properties ${properties}/></style:style>`
  const layout = (name: string, width: string, height: string, way: string): string =>
    `<style:page-layout style:name="${name}"><style:page-layout-properties fo:page-width="${width}" fo:page-height="${height}" style:print-orientation="${way}" fo:margin="2cm"/><style:header-style><style:header-footer-properties fo:min-height="0.6cm" fo:margin-bottom="0.6cm"/></style:header-style><style:footer-style><style:header-footer-properties fo:min-height="0.6cm" fo:margin-top="0.6cm"/></style:footer-style></style:page-layout>`
  const [language = 'en', country = 'GB'] = (d.language ?? 'en-GB').split('-')
  const head = d.header ? `<style:header><text:p>${d.header}</text:p></style:header>` : ''
  const foot = d.footer ? `<style:footer><text:p>${d.footer}</text:p></style:footer>` : ''
  return `<?xml version="1.0" encoding="UTF-8"?>
<office:document ${spaces} office:version="1.3" office:mimetype="application/vnd.oasis.opendocument.text">
<office:meta><dc:title>${d.title ?? ''}</dc:title><meta:initial-creator>${d.author ?? ''}</meta:initial-creator><dc:creator>${d.author ?? ''}</dc:creator></office:meta>
<office:styles>
<style:default-style style:family="paragraph"><style:text-properties fo:font-family="Liberation Serif" fo:font-size="12pt" fo:language="${language}" fo:country="${country}"/></style:default-style>
<style:style style:name="Heading_20_1" style:display-name="Heading 1" style:family="paragraph" style:default-outline-level="1"><style:paragraph-properties fo:margin-top="0.5cm" fo:margin-bottom="0.2cm"/><style:text-properties fo:font-size="20pt" fo:font-weight="bold"/></style:style>
<style:style style:name="Heading_20_2" style:display-name="Heading 2" style:family="paragraph" style:default-outline-level="2"><style:paragraph-properties fo:margin-top="0.4cm" fo:margin-bottom="0.2cm"/><style:text-properties fo:font-size="15pt" fo:font-weight="bold"/></style:style>
</office:styles>
<office:automatic-styles>
${layout('portrait', '21cm', '29.7cm', 'portrait')}${layout('landscape', '29.7cm', '21cm', 'landscape')}
<style:style style:name="P" style:family="paragraph"><style:paragraph-properties fo:margin-bottom="0.3cm"/></style:style>
<style:style style:name="Land" style:family="paragraph" style:master-page-name="Landscape"/>
<style:style style:name="Back" style:family="paragraph" style:master-page-name="Standard"/>
<style:style style:name="Rtl" style:family="paragraph"><style:paragraph-properties style:writing-mode="rl-tb" fo:text-align="start" fo:margin-bottom="0.3cm"/></style:style>
${character('B', 'fo:font-weight="bold"')}${character('I', 'fo:font-style="italic"')}${character('U', 'style:text-underline-style="solid" style:text-underline-width="auto" style:text-underline-color="font-color"')}
${character('S', 'style:text-line-through-style="solid"')}${character('Sup', 'style:text-position="super 58%"')}${character('Sub', 'style:text-position="sub 58%"')}
<style:style style:name="Two" style:family="section"><style:section-properties text:dont-balance-text-columns="false"><style:columns fo:column-count="2" fo:column-gap="1cm"/></style:section-properties></style:style>
<text:list-style style:name="Bullets">${[1, 2].map((n) => `<text:list-level-style-bullet text:level="${n}" text:bullet-char="•"><style:list-level-properties text:space-before="${n * 0.6}cm" text:min-label-width="0.6cm"/></text:list-level-style-bullet>`).join('')}</text:list-style>
<text:list-style style:name="Numbers"><text:list-level-style-number text:level="1" style:num-format="1" style:num-suffix="."><style:list-level-properties text:space-before="0.6cm" text:min-label-width="0.6cm"/></text:list-level-style-number><text:list-level-style-number text:level="2" style:num-format="a" style:num-suffix=")"><style:list-level-properties text:space-before="1.2cm" text:min-label-width="0.6cm"/></text:list-level-style-number></text:list-style>
<style:style style:name="Cell" style:family="table-cell"><style:table-cell-properties fo:border="0.5pt solid #000000" fo:padding="0.1cm"/></style:style>
${d.styles ?? ''}
</office:automatic-styles>
<office:master-styles><style:master-page style:name="Standard" style:page-layout-name="portrait">${head}${foot}</style:master-page><style:master-page style:name="Landscape" style:page-layout-name="landscape"/></office:master-styles>
<office:body><office:text>${d.body}</office:text></office:body>
</office:document>`
}

export const paragraph = (inner: string, style = 'P'): string =>
  `<text:p text:style-name="${style}">${inner}</text:p>`
export const heading = (level: 1 | 2, inner: string): string =>
  `<text:h text:style-name="Heading_20_${level}" text:outline-level="${level}">${inner}</text:h>`
export const span = (style: string, inner: string): string =>
  `<text:span text:style-name="${style}">${inner}</text:span>`
export const note = (mark: number, inner: string): string =>
  `<text:note text:id="n${mark}" text:note-class="footnote"><text:note-citation>${mark}</text:note-citation><text:note-body><text:p>${inner}</text:p></text:note-body></text:note>`
export const list = (style: 'Bullets' | 'Numbers', ...items: string[]): string =>
  `<text:list text:style-name="${style}">${items.map((i) => `<text:list-item>${i}</text:list-item>`).join('')}</text:list>`
export const table = (rows: readonly (readonly string[])[]): string =>
  `<table:table><table:table-column table:number-columns-repeated="${rows[0]?.length ?? 1}"/>${rows
    .map(
      (r) =>
        `<table:table-row>${r.map((c) => `<table:table-cell table:style-name="Cell" office:value-type="string"><text:p>${c}</text:p></table:table-cell>`).join('')}</table:table-row>`,
    )
    .join('')}</table:table>`
