import { type Relationship, relationships, type Sheet, xlsx } from './documents.ts'
import { unzip, zip } from './zip.ts'

// A workbook of one sheet with the parts that Excel writes beside it.

const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'

export interface WorkbookOptions {
  /** The Normal font, as `<name>` and `<sz>` elements. */
  font?: string
  /** Further formats of cells, as `<xf>` elements; the first is that of Normal. */
  formats?: string
  /** Content of `<fills>` from the third one on. */
  fills?: string
  /** Content of `<borders>` from the second one on. */
  borders?: string
  /** Formats of conditions, as `<dxf>` elements. */
  differentials?: string
  /** The program that wrote it. */
  application?: string
  /** Parts of the sheet with their relationships. */
  parts?: readonly (Relationship & { name: string; content: string })[]
}

const colours = [
  '000000',
  'FFFFFF',
  '1F497D',
  'EEECE1',
  '4F81BD',
  'C0504D',
  '9BBB59',
  '8064A2',
  '4BACC6',
  'F79646',
]
const colourNames = [
  'dk1',
  'lt1',
  'dk2',
  'lt2',
  'accent1',
  'accent2',
  'accent3',
  'accent4',
  'accent5',
  'accent6',
]
const theme =
  '<a:theme xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" name="Office"><a:themeElements>' +
  '<a:clrScheme name="Office">' +
  colourNames.map((name, index) => `<a:${name}><a:srgbClr val="${colours[index]}"/></a:${name}>`).join('') +
  '</a:clrScheme></a:themeElements></a:theme>'

export function workbook(sheet: Sheet, options: WorkbookOptions = {}): Buffer {
  const { font = '<sz val="11"/><name val="Calibri"/>', formats = '', fills = '', parts = [] } = options
  const styles =
    `<styleSheet xmlns="${main}"><fonts><font>${font}</font></fonts><fills><fill><patternFill patternType="none"/></fill>` +
    `<fill><patternFill patternType="gray125"/></fill>${fills}</fills>` +
    `<borders><border><left/><right/><top/><bottom/><diagonal/></border>${options.borders ?? ''}</borders>` +
    '<cellStyleXfs><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>' +
    `<cellXfs><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>${formats}</cellXfs>` +
    `<cellStyles><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles><dxfs>${options.differentials ?? ''}</dxfs></styleSheet>`
  const properties =
    '<Properties xmlns="http://schemas.openxmlformats.org/officeDocument/2006/extended-properties">' +
    `<Application>${options.application ?? 'Microsoft Excel'}</Application><AppVersion>16.0300</AppVersion></Properties>`
  const files = new Map<string, string | Buffer>(unzip(xlsx(sheet)))
  const link = (part: string, added: string) =>
    files.set(part, String(files.get(part)).replace('</Relationships>', `${added}</Relationships>`))
  const listed = (list: readonly Relationship[]) => /<Relationship .*\/>/.exec(relationships(list))?.[0] ?? ''
  files.set('xl/styles.xml', styles)
  files.set('xl/theme/theme1.xml', theme)
  for (const [type, target] of [
    ['styles', 'styles.xml'],
    ['theme', 'theme/theme1.xml'],
  ] as const)
    link('xl/_rels/workbook.xml.rels', listed([{ id: type, type, target }]))
  files.set('docProps/app.xml', properties)
  link('_rels/.rels', listed([{ id: 'r2', type: 'extended-properties', target: 'docProps/app.xml' }]))
  if (parts.length > 0) files.set('xl/worksheets/_rels/sheet1.xml.rels', relationships(parts))
  for (const { name, content } of parts) files.set(name, content)
  return zip([...files].map(([name, content]) => ({ name, content })))
}
