import { farthestBorder } from '../blocks/assemble.ts'
import type { Block, Paragraph, PlacedPicture } from '../blocks/block.ts'
import { exactPitch } from '../blocks/spacing.ts'
import { naturalHeight } from '../font-metrics.ts'
import { unseenAtTop } from '../sections/section.ts'
import type { Border } from '../tables/table.ts'
import type { Part } from './part.ts'
import { writeRuns } from './runs.ts'
import { headingLook, styleIdOf } from './styles.ts'
import { writeTable } from './table.ts'
import { emu, escapeXml, twips } from './xml.ts'

/** Borders are specified in eighths of a point, from a quarter of a point to twelve. */
const partsOfPoint = 8
const thinnest = 2
const thickest = 96
/** Word's value for single spacing. */
const single = 240
/** Lines closer than this share of the line height would be cut off with proportional spacing: theirs is exact. */
const closest = 0.6
/** Minimum line height, one point, in twips. */
const lowestLine = 20
/** Single spacing in ems for the hidden text of a scan. */
const usualPitch = 1.15
/** Smaller indents are rounding and omitted, in twips. */
const minRight = 4
const minFirst = 10
/** Word's limits for the position of a tab stop, in twips, and for their number. */
const farthestTab = 31_000
const maxTabs = 40
/** Word's distance between a side border and the text, in points. */
const besideText = 4
/** Smaller space above a table is that of its border, and larger space than a page is not possible; in points. */
const minGap = 4
const maxGap = 700

export function borderXml(side: string, border: Border | undefined, space = 0): string {
  if (!border) return ''
  const size = Math.min(thickest, Math.max(thinnest, Math.round(border.width * partsOfPoint)))
  return `<w:${side} w:val="single" w:sz="${size}" w:space="${space}" w:color="${border.color.toUpperCase()}"/>`
}

function spacing(p: Paragraph): string {
  const before = twips(p.before)
  const inline = p.pictures.some((x) => x.placement === 'inline')
  let line = `w:line="${single}" w:lineRule="auto"`
  const exact = exactPitch(p)
  if (exact) line = `w:line="${twips(exact.pitch)}" w:lineRule="exact"`
  else if (p.hidden)
    line = `w:line="${Math.max(lowestLine, twips(p.pitch ?? usualPitch * p.size))}" w:lineRule="exact"`
  else if (!inline) {
    const { pitch } = p
    const natural = naturalHeight(p.font, p.size).height
    if (pitch !== undefined) {
      const ratio = pitch / natural
      const parts = Math.round(single * ratio)
      if (Math.abs(parts - single) <= 1) line = `w:line="${single}" w:lineRule="auto"`
      else if (ratio > closest) line = `w:line="${parts}" w:lineRule="auto"`
      else line = `w:line="${Math.max(lowestLine, twips(pitch))}" w:lineRule="exact"`
    }
  }
  return `<w:spacing w:before="${before}" w:after="${twips(p.after)}" ${line}/>`
}

function indents(p: Paragraph): string {
  const right = twips(p.right)
  const end = Math.abs(right) > minRight ? ` w:right="${right}"` : ''
  if (p.list && !p.list.hangs) {
    const first = twips(p.list.labelAt - p.left)
    return `<w:ind w:left="${twips(p.left)}"${end}${first >= 0 ? ` w:firstLine="${first}"` : ` w:hanging="${-first}"`}/>`
  }
  if (p.list) {
    const left = twips(p.list.textAt)
    const hanging = twips(p.list.textAt - p.list.labelAt)
    return `<w:ind w:left="${left}"${end}${hanging >= 0 ? ` w:hanging="${hanging}"` : ` w:firstLine="${-hanging}"`}/>`
  }
  let out = ''
  const left = twips(p.left)
  const first = twips(p.first)
  if (left !== 0) out += ` w:left="${left}"`
  out += end
  if (first > minFirst) out += ` w:firstLine="${first}"`
  else if (first < -minFirst) out += ` w:hanging="${-first}"`
  return out ? `<w:ind${out}/>` : ''
}

function tabStops(p: Paragraph): string {
  const stops = new Map<number, string>()
  for (const t of p.tabs) {
    const at = twips(t.at)
    if (at <= 0 || at > farthestTab) continue
    stops.set(at, `<w:tab w:val="${t.align}"${t.leader ? ' w:leader="dot"' : ''} w:pos="${at}"/>`)
  }
  if (stops.size === 0) return ''
  return `<w:tabs>${[...stops.entries()]
    .sort((a, b) => a[0] - b[0])
    .slice(0, maxTabs)
    .map((s) => s[1])
    .join('')}</w:tabs>`
}

/** `sectPr`, when given, ends the section with this paragraph. */
export function writeParagraph(part: Part, p: Paragraph, sectPr = ''): string {
  const styleId = styleIdOf(p)
  let props = ''
  if (styleId) props += `<w:pStyle w:val="${styleId}"/>`
  if (p.keepNext) props += '<w:keepNext/>'
  if (p.startsPage) props += '<w:pageBreakBefore/>'
  if (p.list)
    props += `<w:numPr><w:ilvl w:val="${p.list.level}"/><w:numId w:val="${part.shared.numberingOf(p.list)}"/></w:numPr>`
  if (p.borders) {
    const { top, left, bottom, right } = p.borders
    const space = (v: number | undefined): number => Math.min(farthestBorder, Math.round(v ?? 1))
    const b =
      borderXml('top', top, space(p.borderSpace?.top)) +
      borderXml('left', left, besideText) +
      borderXml('bottom', bottom, space(p.borderSpace?.bottom)) +
      borderXml('right', right, besideText)
    if (b) props += `<w:pBdr>${b}</w:pBdr>`
  }
  if (p.fill) props += `<w:shd w:val="clear" w:color="auto" w:fill="${p.fill.toUpperCase()}"/>`
  props += tabStops(p)
  if (p.rtl) props += '<w:bidi/>'
  props += spacing(p)
  props += indents(p)
  const jc = p.align === 'justify' ? 'both' : p.align
  if (jc !== 'left') props += `<w:jc w:val="${jc}"/>`
  const look = headingLook(p, part.shared.looks)
  const anchor = part.shared.anchors.of(p)
  let body = anchor ? bookmark(part, anchor) : ''
  if (p.startsColumn) body += '<w:r><w:br w:type="column"/></w:r>'
  const isInline = ({ placement }: PlacedPicture): number => Number(placement === 'inline')
  for (const picture of p.pictures.toSorted((a, b) => isInline(a) - isInline(b)))
    body += writePicture(part, picture)
  body += writeRuns(part, p.runs, look.base, { bold: look.bold, spread: p.spread })
  return `<w:p><w:pPr>${props}${sectPr}</w:pPr>${body}</w:p>`
}

/** A bookmark at the beginning of a PDF page, if requested. */
export function markXml(part: Part, block: Block): string {
  const page = part.shared.marks.get(block)
  return page === undefined ? '' : bookmark(part, `page_${page}`)
}

function bookmark({ shared }: Part, name: string): string {
  const id = shared.nextId()
  return `<w:bookmarkStart w:id="${id}" w:name="${name}"/><w:bookmarkEnd w:id="${id}"/>`
}

export function writeBlocks(part: Part, blocks: readonly Block[]): string {
  let out = ''
  let previous: Block | undefined
  for (const block of blocks) {
    out += markXml(part, block)
    if (block.kind === 'table' && block.lines) out += writeBlocks(part, block.lines)
    else if (block.kind === 'table') {
      // Two adjacent tables would be merged; and space above a table needs a paragraph.
      const gap = block.before
      if (
        previous?.kind === 'table' ||
        block.startsPage ||
        block.startsColumn ||
        gap > minGap ||
        (previous === undefined && gap > 0)
      )
        out += spacer(Math.max(1, Math.min(gap, maxGap)), block.startsPage, block.startsColumn)
      out += writeTable(part, block)
    } else if (block.startsPage && block.before >= unseenAtTop) {
      // Word processors drop space above the first line of a page.
      out += spacer(block.before, true)
      out += writeParagraph(part, { ...block, startsPage: false, before: 0 })
    } else out += writeParagraph(part, block)
    previous = block
  }
  return out
}

/** An empty paragraph of a given height. */
export function spacer(height: number, pageBreak = false, columnBreak = false, sectPr = ''): string {
  const breaks = pageBreak ? '<w:pageBreakBefore/>' : ''
  const run = columnBreak ? '<w:r><w:br w:type="column"/></w:r>' : ''
  return `<w:p><w:pPr>${breaks}<w:spacing w:before="0" w:after="0" w:line="${Math.max(lowestLine, twips(height))}" w:lineRule="exact"/><w:rPr><w:sz w:val="2"/><w:szCs w:val="2"/></w:rPr>${sectPr}</w:pPr>${run}</w:p>`
}

function graphic(part: Part, { picture }: PlacedPicture, id: number, cx: number, cy: number): string {
  const relation = part.picture(picture)
  const alt = escapeXml(picture.alt)
  return (
    `<wp:docPr id="${id}" name="Picture ${id}"${alt ? ` descr="${alt}"` : ''}/>` +
    '<wp:cNvGraphicFramePr><a:graphicFrameLocks noChangeAspect="1"/></wp:cNvGraphicFramePr>' +
    '<a:graphic><a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/picture"><pic:pic>' +
    `<pic:nvPicPr><pic:cNvPr id="${id}" name="Picture ${id}"/><pic:cNvPicPr/></pic:nvPicPr>` +
    `<pic:blipFill><a:blip r:embed="${relation}"/><a:stretch><a:fillRect/></a:stretch></pic:blipFill>` +
    `<pic:spPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="${cx}" cy="${cy}"/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom></pic:spPr>` +
    '</pic:pic></a:graphicData></a:graphic>'
  )
}

function writePicture(part: Part, placed: PlacedPicture): string {
  const { box } = placed.picture
  const cx = Math.max(1, emu(box.x1 - box.x0))
  const cy = Math.max(1, emu(box.y1 - box.y0))
  const id = part.shared.nextId()
  if (placed.placement === 'inline')
    return `<w:r><w:drawing><wp:inline distT="0" distB="0" distL="0" distR="0"><wp:extent cx="${cx}" cy="${cy}"/>${graphic(part, placed, id, cx, cy)}</wp:inline></w:drawing></w:r>`
  const behind = placed.placement === 'behind'
  const free = behind || placed.placement === 'front'
  const wrap = free ? '<wp:wrapNone/>' : '<wp:wrapSquare wrapText="bothSides"/>'
  return (
    `<w:r><w:drawing><wp:anchor distT="0" distB="0" distL="${free ? 0 : 88900}" distR="${free ? 0 : 88900}" simplePos="0" relativeHeight="${id}" behindDoc="${behind ? 1 : 0}" locked="0" layoutInCell="1" allowOverlap="1">` +
    `<wp:simplePos x="0" y="0"/><wp:positionH relativeFrom="page"><wp:posOffset>${emu(box.x0)}</wp:posOffset></wp:positionH>` +
    `<wp:positionV relativeFrom="page"><wp:posOffset>${emu(box.y0)}</wp:posOffset></wp:positionV>` +
    `<wp:extent cx="${cx}" cy="${cy}"/><wp:effectExtent l="0" t="0" r="0" b="0"/>${wrap}${graphic(part, placed, id, cx, cy)}</wp:anchor></w:drawing></w:r>`
  )
}
