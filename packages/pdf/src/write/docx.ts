import { type Block, paragraphsOf, type Run } from '../blocks/block.ts'
import type { FamilyName } from '../font-names.ts'
import type { RunningParts, Section, WordDocument } from '../sections/section.ts'
import { noMarks, type PageMarks } from './content.ts'
import { numberingXml } from './numbering.ts'
import { markXml, spacer, writeBlocks, writeParagraph } from './paragraph.ts'
import { type Anchors, mediaStore, newPart, type Part, type Shared } from './part.ts'
import { learnLooks, stylesXml } from './styles.ts'
import { declaration, escapeXml, namespaces, twips } from './xml.ts'
import { type Entry, zip } from './zip.ts'

/** Word's limits for the page size, in twips: a tenth of an inch and 22 inches. */
const smallestPage = 144
const largestPage = 31_680
/** Tolerance for equal column widths, as a share of the width. */
const sameWidth = 0.04
/** Default gutter, a quarter of an inch, if the page does not show it; in points. */
const usualGap = 18
/** A link's destination is a little above the line that it refers to, in points. */
const aboveTarget = 6

const office = 'application/vnd.openxmlformats-officedocument.wordprocessingml'

const fixedParts = ['styles', 'numbering', 'settings', 'fontTable', 'footnotes']

interface RunningFile {
  id: string
  kind: 'header' | 'footer'
  type: 'default' | 'first' | 'even'
  name: string
  xml: string
  relations: string
}

/** `marks` become bookmarks. */
export function writeDocx(document: WordDocument, marks: PageMarks = noMarks): Uint8Array {
  const { sections } = document
  const looks = learnLooks(sections)
  const numbering = numberingXml(sections)
  let lastId = 0
  const fonts = new Map<string, FamilyName>()
  const shared: Shared = {
    media: mediaStore(),
    fonts,
    nextId: () => ++lastId,
    spacing: document.spacing,
    marks,
    numberingOf: numbering.numberOf,
    looks,
    anchors: findAnchors(sections),
  }
  const running = runningFiles(document, shared)
  const body = newPart(shared, [
    ...fixedParts.map((type, i) => ({ id: `rId${i + 1}`, type, target: `${type}.xml` })),
    ...running.map(({ id, kind, name }) => ({ id, type: kind, target: name })),
  ])
  const bodyXml = writeBody(body, document, running)
  const notesPart = newPart(shared)
  const notesXml = footnotesXml(notesPart, document)
  const text = (xml: string): Uint8Array => Buffer.from(xml, 'utf8')
  const media = shared.media.files()
  const entries: Entry[] = [
    { name: '[Content_Types].xml', data: text(contentTypes(running)) },
    { name: '_rels/.rels', data: text(packageRelations) },
    {
      name: 'word/document.xml',
      data: text(`${declaration}<w:document ${namespaces}><w:body>${bodyXml}</w:body></w:document>`),
    },
    { name: 'word/_rels/document.xml.rels', data: text(declaration + body.relations()) },
    { name: 'word/styles.xml', data: text(stylesXml(looks, document.properties.language)) },
    { name: 'word/numbering.xml', data: text(numbering.xml) },
    { name: 'word/settings.xml', data: text(settingsXml(document)) },
    { name: 'word/fontTable.xml', data: text(fontTableXml(fonts)) },
    { name: 'word/footnotes.xml', data: text(notesXml) },
    { name: 'word/_rels/footnotes.xml.rels', data: text(declaration + notesPart.relations()) },
    { name: 'docProps/core.xml', data: text(coreXml(document)) },
    { name: 'docProps/app.xml', data: text(appXml) },
    ...running.flatMap((r) => [
      { name: `word/${r.name}`, data: text(r.xml) },
      { name: `word/_rels/${r.name}.rels`, data: text(declaration + r.relations) },
    ]),
    ...media.map((m) => ({ name: `word/media/${m.name}`, data: m.bytes })),
  ]
  return zip(entries)
}

function writeBody(part: Part, document: WordDocument, running: readonly RunningFile[]): string {
  let out = ''
  const { sections } = document
  for (const [i, section] of sections.entries()) {
    const last = i === sections.length - 1
    const props = sectionXml(section, i === 0 ? running : [], document)
    if (last) {
      out += writeBlocks(part, section.blocks)
      if (section.blocks.at(-1)?.kind !== 'paragraph') out += spacer(1)
      out += props
      continue
    }
    const blocks = section.blocks
    const final = blocks.at(-1)
    out += writeBlocks(part, final?.kind === 'paragraph' ? blocks.slice(0, -1) : blocks)
    out +=
      final?.kind === 'paragraph'
        ? markXml(part, final) + writeParagraph(part, final, props)
        : spacer(1, false, false, props)
  }
  return out
}

function sectionXml(section: Section, running: readonly RunningFile[], document: WordDocument): string {
  const { page, margins, columns } = section
  const references = running.map((r) => `<w:${r.kind}Reference w:type="${r.type}" r:id="${r.id}"/>`).join('')
  const side = (points: number): number => Math.min(largestPage, Math.max(smallestPage, twips(points)))
  const [w, h] = [side(page.width), side(page.height)]
  const landscape = w > h ? ' w:orient="landscape"' : ''
  let cols = '<w:cols w:space="720"/>'
  if (columns.length > 1) {
    const widths = columns.map((c) => c.width)
    const equal = Math.max(...widths) - Math.min(...widths) < sameWidth * Math.max(...widths)
    if (equal) cols = `<w:cols w:num="${columns.length}" w:space="${twips(columns[0]?.gap ?? usualGap)}"/>`
    else
      cols = `<w:cols w:num="${columns.length}" w:equalWidth="0">${columns.map((c) => `<w:col w:w="${twips(c.width)}"${c.gap > 0 ? ` w:space="${twips(c.gap)}"` : ''}/>`).join('')}</w:cols>`
  }
  const m = (v: number): number => Math.max(0, twips(v))
  const start = document.running.firstNumber
  const counted = running.length > 0 && start !== 1 && start >= 0 && start < 32_767
  const numbers = counted ? `<w:pgNumType w:start="${start}"/>` : ''
  return (
    `<w:sectPr>${references}<w:type w:val="${section.start === 'page' ? 'nextPage' : 'continuous'}"/>` +
    `<w:pgSz w:w="${w}" w:h="${h}"${landscape}/>` +
    `<w:pgMar w:top="${m(margins.top)}" w:right="${m(margins.right)}" w:bottom="${m(margins.bottom)}" w:left="${m(margins.left)}" w:header="${m(margins.header)}" w:footer="${m(margins.footer)}" w:gutter="0"/>` +
    `${numbers}${cols}${document.running.first && running.length > 0 ? '<w:titlePg/>' : ''}${section.rtl ? '<w:bidi/>' : ''}</w:sectPr>`
  )
}

function runningFiles(document: WordDocument, shared: Shared): RunningFile[] {
  const out: RunningFile[] = []
  const { usual, first, even } = document.running
  const add = (parts: RunningParts, type: RunningFile['type']): void => {
    for (const kind of ['header', 'footer'] as const) {
      const blocks = parts[kind]
      const needed = blocks.length > 0 || (type !== 'default' && usual[kind].length > 0)
      if (!needed) continue
      const part = newPart(shared)
      const tag = kind === 'header' ? 'hdr' : 'ftr'
      const inner = writeRunning(part, blocks, kind)
      out.push({
        id: `rId${fixedParts.length + out.length + 1}`,
        kind,
        type,
        name: `${kind}${out.length + 1}.xml`,
        xml: `${declaration}<w:${tag} ${namespaces}>${inner}</w:${tag}>`,
        relations: part.relations(),
      })
    }
  }
  add(usual, 'default')
  if (first) add(first, 'first')
  if (even) add(even, 'even')
  return out
}

function writeRunning(part: Part, blocks: readonly Block[], kind: 'header' | 'footer'): string {
  if (blocks.length === 0)
    return `<w:p><w:pPr><w:pStyle w:val="${kind === 'header' ? 'Header' : 'Footer'}"/></w:pPr></w:p>`
  return writeBlocks(part, blocks) + (blocks.at(-1)?.kind === 'table' ? spacer(1) : '')
}

const separators =
  '<w:footnote w:type="separator" w:id="-1"><w:p><w:r><w:separator/></w:r></w:p></w:footnote>' +
  '<w:footnote w:type="continuationSeparator" w:id="0"><w:p><w:r><w:continuationSeparator/></w:r></w:p></w:footnote>'

function footnotesXml(part: Part, document: WordDocument): string {
  const notes = document.notes.map(({ id, blocks }) => {
    const mark =
      '<w:r><w:rPr><w:rStyle w:val="FootnoteReference"/></w:rPr><w:footnoteRef/></w:r><w:r><w:t xml:space="preserve"> </w:t></w:r>'
    const body = writeBlocks(part, blocks).replace('</w:pPr>', `</w:pPr>${mark}`)
    return `<w:footnote w:id="${id}">${body}</w:footnote>`
  })
  return `${declaration}<w:footnotes ${namespaces}>${separators}${notes.join('')}</w:footnotes>`
}

/** Names every paragraph that is the destination of a link. */
function findAnchors(sections: readonly Section[]): Anchors {
  const paragraphs = sections.flatMap(({ blocks }) => [...paragraphsOf(blocks)])
  const byPage = Map.groupBy(
    paragraphs.filter((p) => p.text !== ''),
    (p) => p.page,
  )
  // By runs, which copies of a paragraph share.
  const names = new Map<readonly Run[], string>()
  const places = new Map<string, string>()
  for (const { style } of paragraphs.flatMap((p) => p.runs)) {
    const { page, y } = style.link?.target ?? {}
    const key = `${page}/${y}`
    const own = page === undefined || places.has(key) ? undefined : byPage.get(page)
    const host = own?.find((p) => p.box.y0 >= (y ?? 0) - aboveTarget) ?? own?.at(-1)
    if (!host) continue
    const name = names.get(host.runs) ?? `_Place${names.size + 1}`
    names.set(host.runs, name)
    places.set(key, name)
  }
  return { of: ({ runs }) => names.get(runs), at: (page, y) => places.get(`${page}/${y}`) }
}

function settingsXml(document: WordDocument): string {
  return (
    `${declaration}<w:settings ${namespaces}><w:zoom w:percent="100"/>${document.running.even ? '<w:evenAndOddHeaders/>' : ''}<w:defaultTabStop w:val="720"/>` +
    '<w:characterSpacingControl w:val="doNotCompress"/><w:footnotePr><w:footnote w:id="-1"/><w:footnote w:id="0"/></w:footnotePr><w:compat><w:compatSetting w:name="compatibilityMode" w:uri="http://schemas.microsoft.com/office/word" w:val="15"/></w:compat></w:settings>'
  )
}

function fontTableXml(fonts: ReadonlyMap<string, FamilyName>): string {
  const rows = [...fonts.values()].map(
    (f) =>
      `<w:font w:name="${escapeXml(f.name)}">${f.substitute === f.name ? '' : `<w:altName w:val="${escapeXml(f.substitute)}"/>`}<w:family w:val="${f.kind}"/><w:pitch w:val="${f.kind === 'modern' ? 'fixed' : 'variable'}"/></w:font>`,
  )
  return `${declaration}<w:fonts ${namespaces}>${rows.join('')}</w:fonts>`
}

function coreXml(document: WordDocument): string {
  const p = document.properties
  const element = (tag: string, value: string, attributes = ''): string =>
    value ? `<${tag}${attributes}>${escapeXml(value)}</${tag}>` : ''
  return (
    `${declaration}<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">` +
    element('dc:title', p.title) +
    element('dc:subject', p.subject) +
    element('dc:creator', p.author) +
    element('cp:keywords', p.keywords) +
    element('dc:description', document.remarks.join(' ')) +
    element('dcterms:created', p.created, ' xsi:type="dcterms:W3CDTF"') +
    element('dc:language', p.language) +
    '</cp:coreProperties>'
  )
}

const appXml = `${declaration}<Properties xmlns="http://schemas.openxmlformats.org/officeDocument/2006/extended-properties"><Application>Kiln</Application></Properties>`

const packageRelations = `${declaration}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/><Relationship Id="rId2" Type="http://schemas.openxmlformats.org/package/2006/relationships/metadata/core-properties" Target="docProps/core.xml"/><Relationship Id="rId3" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/extended-properties" Target="docProps/app.xml"/></Relationships>`

function contentTypes(running: readonly RunningFile[]): string {
  const override = (name: string, type: string): string =>
    `<Override PartName="${name}" ContentType="${type}"/>`
  return (
    `${declaration}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Default Extension="png" ContentType="image/png"/><Default Extension="jpeg" ContentType="image/jpeg"/>` +
    override('/word/document.xml', `${office}.document.main+xml`) +
    fixedParts.map((name) => override(`/word/${name}.xml`, `${office}.${name}+xml`)).join('') +
    override('/docProps/core.xml', 'application/vnd.openxmlformats-package.core-properties+xml') +
    override('/docProps/app.xml', 'application/vnd.openxmlformats-officedocument.extended-properties+xml') +
    running.map((r) => override(`/word/${r.name}`, `${office}.${r.kind}+xml`)).join('') +
    '</Types>'
  )
}
