import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { relationships } from '@kiln/test-support/documents.ts'
import { pdfFacts, pdfText } from '@kiln/test-support/pdf-facts.ts'
import { useTestConverter } from '@kiln/test-support/use-test-converter.ts'
import { workbook } from '@kiln/test-support/workbook.ts'
import { unzip, zip } from '@kiln/test-support/zip.ts'
import { expect, test, vi } from 'vitest'

// What is drawn over the cells of a workbook, as Excel for Windows prints it.

// Each starts programs; a busy machine takes its time.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 120_000 })

const run = promisify(execFile)

const kiln = useTestConverter()

const toPdf = (content: Buffer) => kiln.convert(content, 'xlsx', 'pdf')

const spreadsheet = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const relation = 'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'

test('a comment that is shown on the screen is not printed, nor a page for it', async () => {
  const comments =
    `<comments xmlns="${spreadsheet}"><authors><author>Ann</author></authors><commentList>` +
    '<comment ref="A1" authorId="0"><text><t>Orthotrichum</t></text></comment></commentList></comments>'
  const shapes =
    '<xml xmlns:v="urn:schemas-microsoft-com:vml" xmlns:x="urn:schemas-microsoft-com:office:excel"><v:shape ' +
    'id="s1" type="#t202" style="position:absolute;margin-left:900pt;width:96pt;height:55pt" fillcolor="#ffffe1">' +
    '<x:ClientData ObjectType="Note"><x:Anchor>14, 0, 2, 0, 16, 0, 6, 0</x:Anchor><x:Row>0</x:Row>' +
    '<x:Column>0</x:Column><x:Visible/></x:ClientData></v:shape></xml>'
  const part = (id: string, type: string, name: string, content: string) => ({
    id,
    type,
    target: `../${name}`,
    name: `xl/${name}`,
    content,
  })
  const book = workbook(
    { rows: [['Bryum']], after: `<legacyDrawing ${relation} r:id="v1"/>` },
    {
      parts: [
        part('c1', 'comments', 'comments1.xml', comments),
        part('v1', 'vmlDrawing', 'drawings/vmlDrawing1.vml', shapes),
      ],
    },
  )
  const pdf = await toPdf(book)
  expect((await pdfText(pdf)).trim()).toBe('Bryum')
  expect((await pdfFacts(pdf)).pages).toBe(1)
})

/** A workbook of one sheet and a sheet with a chart that is 200 by 100 points large on the screen. */
function bookWithChartSheet(): Buffer {
  const drawing =
    '<xdr:wsDr xmlns:xdr="http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing" ' +
    'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><xdr:absoluteAnchor><xdr:pos x="0" y="0"/>' +
    '<xdr:ext cx="2540000" cy="1270000"/><xdr:graphicFrame><xdr:nvGraphicFramePr><xdr:cNvPr id="2" name="Chart"/>' +
    '<xdr:cNvGraphicFramePr/></xdr:nvGraphicFramePr><xdr:xfrm/><a:graphic><a:graphicData ' +
    'uri="http://schemas.openxmlformats.org/drawingml/2006/chart"><c:chart ' +
    `xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart" ${relation} r:id="c1"/></a:graphicData>` +
    '</a:graphic></xdr:graphicFrame><xdr:clientData/></xdr:absoluteAnchor></xdr:wsDr>'
  const chart =
    '<c:chartSpace xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart" ' +
    'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><c:chart><c:plotArea><c:barChart>' +
    '<c:barDir val="col"/><c:ser><c:idx val="0"/><c:order val="0"/><c:val><c:numLit><c:ptCount val="2"/>' +
    '<c:pt idx="0"><c:v>1</c:v></c:pt><c:pt idx="1"><c:v>2</c:v></c:pt></c:numLit></c:val></c:ser>' +
    '<c:axId val="1"/><c:axId val="2"/></c:barChart><c:catAx><c:axId val="1"/><c:crossAx val="2"/></c:catAx>' +
    '<c:valAx><c:axId val="2"/><c:crossAx val="1"/></c:valAx></c:plotArea></c:chart>' +
    '<c:spPr><a:solidFill><a:srgbClr val="FF0000"/></a:solidFill></c:spPr></c:chartSpace>'
  const files = new Map<string, string | Buffer>(unzip(workbook({ rows: [['Bryum']] })))
  const insert = (part: string, end: string, added: string) =>
    files.set(part, String(files.get(part)).replace(end, added + end))
  const links = (id: string, type: string, target: string) => relationships([{ id, type, target }])
  const [link = ''] = /<Relationship .*\/>/.exec(links('rC', 'chartsheet', 'chartsheets/sheet1.xml')) ?? []
  insert('xl/workbook.xml', '</sheets>', `<sheet ${relation} name="Chart" sheetId="9" r:id="rC"/>`)
  insert('xl/_rels/workbook.xml.rels', '</Relationships>', link)
  const type = 'application/vnd.openxmlformats-officedocument'
  const typed = [
    ['chartsheets/sheet1', `${type}.spreadsheetml.chartsheet+xml`],
    ['drawings/drawing1', `${type}.drawing+xml`],
    ['charts/chart1', `${type}.drawingml.chart+xml`],
  ].map(([name, content]) => `<Override PartName="/xl/${name}.xml" ContentType="${content}"/>`)
  insert('[Content_Types].xml', '</Types>', typed.join(''))
  files.set(
    'xl/chartsheets/sheet1.xml',
    `<chartsheet xmlns="${spreadsheet}" ${relation}><sheetPr/><pageMargins left="0.5" right="0.5" top="0.5" ` +
      'bottom="0.5" header="0.3" footer="0.3"/><drawing r:id="d1"/></chartsheet>',
  )
  files.set('xl/chartsheets/_rels/sheet1.xml.rels', links('d1', 'drawing', '../drawings/drawing1.xml'))
  files.set('xl/drawings/drawing1.xml', drawing)
  files.set('xl/drawings/_rels/drawing1.xml.rels', links('c1', 'chart', '../charts/chart1.xml'))
  files.set('xl/charts/chart1.xml', chart)
  return zip([...files].map(([name, content]) => ({ name, content })))
}

test('the chart of a chart sheet fills a page in landscape', async () => {
  const pdf = await toPdf(bookWithChartSheet())
  const { pages, sizes } = await pdfFacts(pdf)
  expect(pages).toBe(2)
  const { width = 0, height = 0 } = sizes[1] ?? {}
  expect(width).toBeGreaterThan(height)
  // Margins of half an inch are white, what is within them is red up to the corner.
  const { stdout } = await run('pdftoppm', ['-r', '72', '-f', '2', '-singlefile', pdf], {
    encoding: 'buffer',
    maxBuffer: 16 * 1024 * 1024,
  })
  const [header = '', pixels] = /^P6\s+(\d+)\s+\d+\s+255\s/.exec(stdout.toString('latin1', 0, 40)) ?? []
  const colourAt = (left: number, top: number) => {
    const at = header.length + 3 * (Math.round(top) * Number(pixels) + Math.round(left))
    return stdout.toString('hex', at, at + 3)
  }
  expect([colourAt(33, 33), colourAt(40, 40), colourAt(width - 40, height - 40)]).toEqual([
    'ffffff',
    'ff0000',
    'ff0000',
  ])
})
