import type { PlacedPicture } from '../blocks/block.ts'
import type { Part } from './part.ts'
import { emu, escapeXml } from './xml.ts'

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

export function writePicture(part: Part, placed: PlacedPicture): string {
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
