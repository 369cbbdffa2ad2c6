import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { pptx } from '@kiln/test-support/deck.ts'
import { useTestConverter } from '@kiln/test-support/use-test-converter.ts'
import { unzip, zip } from '@kiln/test-support/zip.ts'
import { expect, test } from 'vitest'

// Text in the diagrams of a deck.

const run = promisify(execFile)
const open = 'http://schemas.openxmlformats.org'
const drawing = 'http://schemas.microsoft.com/office/drawing/2008/diagram'
const diagram = `${open}/drawingml/2006/diagram`
const namespaces = `xmlns:a="${open}/drawingml/2006/main" xmlns:dgm="${diagram}" xmlns:dsp="${drawing}"`
const size = '<a:off x="0" y="0"/><a:ext cx="5000000" cy="4000000"/>'

const kiln = useTestConverter()

const relationship = (id: string, type: string, part: string) =>
  `<Relationship Id="${id}" Type="${type}" Target="../diagrams/${part}1.xml"/>`

/** A deck with one diagram, which has one shape with this text. */
function deckWith(paragraphs: string): Buffer {
  const frame =
    '<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="9" name="d"/><p:cNvGraphicFramePr/><p:nvPr/></p:nvGraphicFramePr>' +
    `<p:xfrm>${size}</p:xfrm><a:graphic><a:graphicData uri="${diagram}"><dgm:relIds xmlns:dgm="${diagram}" ` +
    'r:dm="data" r:lo="layout" r:qs="quickStyle" r:cs="colors"/></a:graphicData></a:graphic></p:graphicFrame>'
  const parts = unzip(pptx([frame]))
  const insert = (name: string, before: string, xml: string) =>
    parts.set(name, Buffer.from(String(parts.get(name)).replace(before, xml + before)))
  insert('[Content_Types].xml', '<Override', '<Default Extension="xml" ContentType="application/xml"/>')
  insert(
    'ppt/slides/_rels/slide1.xml.rels',
    '</Relationships>',
    ['data', 'layout', 'quickStyle', 'colors']
      .map((part) =>
        relationship(
          part,
          `${open}/officeDocument/2006/relationships/diagram${part.replace(/^./, (letter) => letter.toUpperCase())}`,
          part,
        ),
      )
      .join('') +
      relationship('d', 'http://schemas.microsoft.com/office/2007/relationships/diagramDrawing', 'drawing'),
  )
  const contents = {
    data:
      `<dgm:dataModel ${namespaces}><dgm:ptLst><dgm:pt modelId="1" type="doc"/></dgm:ptLst><dgm:extLst>` +
      `<a:ext uri="${drawing}"><dsp:dataModelExt relId="d"/></a:ext></dgm:extLst></dgm:dataModel>`,
    layout: `<dgm:layoutDef ${namespaces}><dgm:layoutNode/></dgm:layoutDef>`,
    quickStyle: `<dgm:styleDef ${namespaces}/>`,
    colors: `<dgm:colorsDef ${namespaces}/>`,
    drawing:
      `<dsp:drawing ${namespaces}><dsp:spTree><dsp:nvGrpSpPr><dsp:cNvPr id="0" name=""/><dsp:cNvGrpSpPr/>` +
      '</dsp:nvGrpSpPr><dsp:grpSpPr/><dsp:sp><dsp:nvSpPr><dsp:cNvPr id="0" name=""/><dsp:cNvSpPr/></dsp:nvSpPr>' +
      `<dsp:spPr><a:xfrm>${size}</a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom></dsp:spPr>` +
      `<dsp:txBody><a:bodyPr anchor="t"/><a:lstStyle/>${paragraphs}</dsp:txBody></dsp:sp></dsp:spTree></dsp:drawing>`,
  }
  for (const [name, xml] of Object.entries(contents)) parts.set(`ppt/diagrams/${name}1.xml`, Buffer.from(xml))
  return zip(Array.from(parts, ([name, content]) => ({ name, content })))
}

/** At 20 points, with the spacing that PowerPoint writes in diagrams. */
function paragraph(font: string, ...lines: string[]): string {
  const properties = `<a:rPr lang="en-US" sz="2000"><a:latin typeface="${font}"/><a:ea typeface="${font}"/></a:rPr>`
  return (
    '<a:p><a:pPr><a:lnSpc><a:spcPct val="90000"/></a:lnSpc><a:spcBef><a:spcPct val="0"/></a:spcBef>' +
    '<a:spcAft><a:spcPct val="35000"/></a:spcAft></a:pPr>' +
    lines.map((line) => `<a:r>${properties}<a:t>${line}</a:t></a:r>`).join(`<a:br>${properties}</a:br>`) +
    '</a:p>'
  )
}

// The box of Calibri is 1.2207 em high, that of Malgun Gothic 1.3301.
test.each([
  ['of the box of the font', 'Calibri', 'moss', 1.2207],
  ['of 1.3 times the box for East Asian text', 'Malgun Gothic', '이끼', 1.3 * 1.3301],
])('line spacing and the space between paragraphs are percentages %s', async (_, font, word, lineHeight) => {
  const deck = deckWith(paragraph(font, word, word) + paragraph(font, word))
  const { stdout } = await run('pdftotext', ['-bbox', await kiln.convert(deck, 'pptx', 'pdf'), '-'])
  const [first = 0, second = 0, third = 0, ...others] = Array.from(
    stdout.matchAll(/yMin="([\d.]+)"/g),
    ([, top]) => Number(top),
  )
  expect(others).toEqual([])
  expect(second - first).toBeCloseTo(20 * lineHeight * 0.9, 0)
  expect(third - second).toBeCloseTo(20 * lineHeight * 1.25, 0)
})
