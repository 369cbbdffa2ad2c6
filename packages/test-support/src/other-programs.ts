import { zip } from './zip.ts'

// Small documents of Visio and WordPerfect.

const visio = 'http://schemas.microsoft.com/office/visio/2012/main'
const relations = 'http://schemas.openxmlformats.org/package/2006/relationships'
const visioRelation = 'http://schemas.microsoft.com/visio/2010/relationships'
const officeRelation = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'

const relationships = (type: string, target: string) =>
  `<?xml version="1.0"?><Relationships xmlns="${relations}"><Relationship Id="rId1" Type="${type}" Target="${target}"/></Relationships>`

const cell = (name: string, value: number | string) => `<Cell N="${name}" V="${value}"/>`

/** A page with one filled rectangle and a text in it. Lengths are inches. */
export function vsdx(text: string): Buffer {
  const box = [
    ['PinX', 4],
    ['PinY', 8],
    ['Width', 4],
    ['Height', 1],
    ['LocPinX', 2],
    ['LocPinY', 0.5],
    ['FillForegnd', '#ffdd88'],
    ['FillPattern', 1],
    ['LineColor', '#000000'],
    ['LinePattern', 1],
  ] as const
  const corner = (row: number, type: string, x: number, y: number) =>
    `<Row T="${type}" IX="${row}">${cell('X', x)}${cell('Y', y)}</Row>`
  const corners = [
    corner(1, 'MoveTo', 0, 0),
    corner(2, 'LineTo', 4, 0),
    corner(3, 'LineTo', 4, 1),
    corner(4, 'LineTo', 0, 1),
    corner(5, 'LineTo', 0, 0),
  ]
  const shape = `<Shape ID="1" Type="Shape">${box.map(([name, value]) => cell(name, value)).join('')}<Section N="Geometry" IX="0">${cell('NoFill', 0)}${corners.join('')}</Section><Text>${text}</Text></Shape>`
  const size = [cell('PageWidth', 8.27), cell('PageHeight', 11.69)].join('')
  return zip([
    {
      name: '[Content_Types].xml',
      content: `<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/visio/document.xml" ContentType="application/vnd.ms-visio.drawing.main+xml"/><Override PartName="/visio/pages/pages.xml" ContentType="application/vnd.ms-visio.pages+xml"/><Override PartName="/visio/pages/page1.xml" ContentType="application/vnd.ms-visio.page+xml"/></Types>`,
    },
    { name: '_rels/.rels', content: relationships(`${visioRelation}/document`, 'visio/document.xml') },
    { name: 'visio/document.xml', content: `<?xml version="1.0"?><VisioDocument xmlns="${visio}"/>` },
    {
      name: 'visio/_rels/document.xml.rels',
      content: relationships(`${visioRelation}/pages`, 'pages/pages.xml'),
    },
    {
      name: 'visio/pages/pages.xml',
      content: `<?xml version="1.0"?><Pages xmlns="${visio}" xmlns:r="${officeRelation}"><Page ID="0" Name="Page-1"><PageSheet>${size}</PageSheet><Rel r:id="rId1"/></Page></Pages>`,
    },
    {
      name: 'visio/pages/_rels/pages.xml.rels',
      content: relationships(`${visioRelation}/page`, 'page1.xml'),
    },
    {
      name: 'visio/pages/page1.xml',
      content: `<?xml version="1.0"?><PageContents xmlns="${visio}"><Shapes>${shape}</Shapes></PageContents>`,
    },
  ])
}

/** A document of WordPerfect 5.1: a header, no tables of fonts or pictures, and the text. */
export function wpd(text: string, { passwordChecksum = 0 } = {}): Buffer {
  const header = Buffer.alloc(26)
  header.write('\xffWPC', 'latin1')
  header.writeUInt32LE(header.length, 4)
  // The product, the type of file, its version.
  header.set([1, 0x0a, 0, 1], 8)
  header.writeUInt16LE(passwordChecksum, 12)
  // The list of tables, without an entry.
  header.set([0xfb, 0xff, 0, 0], 16)
  return Buffer.concat([header, Buffer.from(text.replaceAll('\n', '\x0a'), 'latin1')])
}
