import { relationships } from './documents.ts'
import { zip } from './zip.ts'

// A deck of PowerPoint's, with one master whose theme names no font for East Asian text but a list by script.

const main = 'http://schemas.openxmlformats.org/drawingml/2006/main'
const names =
  `xmlns:a="${main}" xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" ` +
  'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'
const xml = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
const typeOf = (kind: string) => `application/vnd.openxmlformats-officedocument.presentationml.${kind}+xml`

const tree = (shapes = '') =>
  '<p:cSld><p:spTree><p:nvGrpSpPr><p:cNvPr id="1" name=""/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr><p:grpSpPr/>' +
  `${shapes}</p:spTree></p:cSld>`

export const textBox = (paragraphs: string, body = '<a:bodyPr/>') =>
  '<p:sp><p:nvSpPr><p:cNvPr id="2" name="t"/><p:cNvSpPr txBox="1"/><p:nvPr/></p:nvSpPr><p:spPr><a:xfrm>' +
  '<a:off x="0" y="0"/><a:ext cx="9000000" cy="6000000"/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom>' +
  `</p:spPr><p:txBody>${body}${paragraphs}</p:txBody></p:sp>`

/** A table of one cell. */
export const tableOf = (paragraphs: string) =>
  '<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="3" name="t"/><p:cNvGraphicFramePr/><p:nvPr/></p:nvGraphicFramePr>' +
  '<p:xfrm><a:off x="0" y="0"/><a:ext cx="9000000" cy="3000000"/></p:xfrm><a:graphic><a:graphicData ' +
  `uri="${main.replace('/main', '/table')}"><a:tbl><a:tblPr/><a:tblGrid><a:gridCol w="9000000"/></a:tblGrid>` +
  `<a:tr h="3000000"><a:tc><a:txBody><a:bodyPr/>${paragraphs}</a:txBody><a:tcPr/></a:tc></a:tr></a:tbl>` +
  '</a:graphicData></a:graphic></p:graphicFrame>'

const fontsByScript =
  '<a:latin typeface="Calibri"/><a:ea typeface=""/><a:cs typeface=""/><a:font script="Hang" typeface="맑은 고딕"/>' +
  '<a:font script="Jpan" typeface="ＭＳ Ｐゴシック"/><a:font script="Hebr" typeface="Arial"/>'

const colours = [
  'dk1',
  'lt1',
  'dk2',
  'lt2',
  ...[1, 2, 3, 4, 5, 6].map((n) => `accent${n}`),
  'hlink',
  'folHlink',
]
const theme =
  `${xml}<a:theme xmlns:a="${main}" name="t"><a:themeElements><a:clrScheme name="c">` +
  colours
    .map((name) => `<a:${name}><a:srgbClr val="${name.startsWith('lt') ? 'FFFFFF' : '000000'}"/></a:${name}>`)
    .join('') +
  `</a:clrScheme><a:fontScheme name="f"><a:majorFont>${fontsByScript}</a:majorFont><a:minorFont>${fontsByScript}` +
  '</a:minorFont></a:fontScheme><a:fmtScheme name="s"/></a:themeElements></a:theme>'

const map =
  '<p:clrMap bg1="lt1" tx1="dk1" bg2="lt2" tx2="dk2" accent1="accent1" accent2="accent2" accent3="accent3" ' +
  'accent4="accent4" accent5="accent5" accent6="accent6" hlink="hlink" folHlink="folHlink"/>'

/** Each slide's paragraphs, in one text box, or its shapes. */
export const pptx = (slides: readonly string[], { firstNumber = 1 } = {}): Buffer => {
  const parts = [
    { name: 'presentation.xml', kind: 'presentation.main' },
    { name: 'slideMasters/slideMaster1.xml', kind: 'slideMaster' },
    { name: 'slideLayouts/slideLayout1.xml', kind: 'slideLayout' },
    ...slides.map((_, index) => ({ name: `slides/slide${index + 1}.xml`, kind: 'slide' })),
  ]
  const related = (id: string, type: string, target: string) => ({ id, type, target })
  const font = '<a:latin typeface="+mn-lt"/><a:ea typeface="+mn-ea"/><a:cs typeface="+mn-cs"/>'
  return zip([
    {
      name: '[Content_Types].xml',
      content:
        `${xml}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">` +
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
        '<Override PartName="/ppt/theme/theme1.xml" ContentType="application/vnd.openxmlformats-officedocument.theme+xml"/>' +
        parts
          .map(({ name, kind }) => `<Override PartName="/ppt/${name}" ContentType="${typeOf(kind)}"/>`)
          .join('') +
        '</Types>',
    },
    {
      name: '_rels/.rels',
      content: relationships([related('r1', 'officeDocument', 'ppt/presentation.xml')]),
    },
    {
      name: 'ppt/presentation.xml',
      content:
        `${xml}<p:presentation ${names}${firstNumber === 1 ? '' : ` firstSlideNum="${firstNumber}"`}><p:sldMasterIdLst>` +
        '<p:sldMasterId id="2147483648" r:id="m"/></p:sldMasterIdLst><p:sldIdLst>' +
        slides.map((_, index) => `<p:sldId id="${256 + index}" r:id="s${index + 1}"/>`).join('') +
        '</p:sldIdLst><p:sldSz cx="9144000" cy="6858000"/><p:notesSz cx="6858000" cy="9144000"/><p:defaultTextStyle>' +
        `<a:lvl1pPr><a:defRPr>${font}</a:defRPr></a:lvl1pPr></p:defaultTextStyle></p:presentation>`,
    },
    {
      name: 'ppt/_rels/presentation.xml.rels',
      content: relationships([
        related('m', 'slideMaster', 'slideMasters/slideMaster1.xml'),
        ...slides.map((_, index) => related(`s${index + 1}`, 'slide', `slides/slide${index + 1}.xml`)),
      ]),
    },
    {
      name: 'ppt/slideMasters/slideMaster1.xml',
      content:
        `${xml}<p:sldMaster ${names}>${tree()}${map}<p:sldLayoutIdLst><p:sldLayoutId id="2147483649" r:id="l"/>` +
        '</p:sldLayoutIdLst></p:sldMaster>',
    },
    {
      name: 'ppt/slideMasters/_rels/slideMaster1.xml.rels',
      content: relationships([
        related('l', 'slideLayout', '../slideLayouts/slideLayout1.xml'),
        related('t', 'theme', '../theme/theme1.xml'),
      ]),
    },
    {
      name: 'ppt/slideLayouts/slideLayout1.xml',
      content: `${xml}<p:sldLayout ${names}>${tree()}</p:sldLayout>`,
    },
    {
      name: 'ppt/slideLayouts/_rels/slideLayout1.xml.rels',
      content: relationships([related('m', 'slideMaster', '../slideMasters/slideMaster1.xml')]),
    },
    { name: 'ppt/theme/theme1.xml', content: theme },
    ...slides.flatMap((content, index) => [
      {
        name: `ppt/slides/slide${index + 1}.xml`,
        content: `${xml}<p:sld ${names}>${tree(content.startsWith('<a:p') ? textBox(content) : content)}</p:sld>`,
      },
      {
        name: `ppt/slides/_rels/slide${index + 1}.xml.rels`,
        content: relationships([related('l', 'slideLayout', '../slideLayouts/slideLayout1.xml')]),
      },
    ]),
  ])
}
