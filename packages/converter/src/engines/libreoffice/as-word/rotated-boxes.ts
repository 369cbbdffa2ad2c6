import { childOf, descendants, editTree, type XmlEditor, type XmlNode } from '../../../package/edit-xml.ts'

// LibreOffice does not rotate the text of a text box, and places it where the box would be without its rotation. A box
// that is rotated by a quarter of a turn is drawn without rotation, with vertical text.

const directions: Readonly<Record<string, string>> = { '5400000': 'vert', '16200000': 'vert270' }

export const hasRotatedBoxes = (xml: string): boolean =>
  xml.includes('<wps:txbx') && /\srot="(?:54|162)00000"/.test(xml)

export const editRotatedBoxes = (xml: string): string =>
  editTree(xml, (root, editor) => {
    for (const node of descendants(root))
      if (node.name === 'wp:anchor' || node.name === 'wp:inline') turnBox(node, editor)
  })

function turnBox(frame: XmlNode, editor: XmlEditor): void {
  const box = childOf(childOf(childOf(frame, 'a:graphic'), 'a:graphicData'), 'wps:wsp')
  const properties = childOf(box, 'wps:spPr')
  const transform = childOf(properties, 'a:xfrm')
  const direction = directions[transform?.attributes.rot ?? '']
  const text = childOf(box, 'wps:bodyPr')
  const geometry = childOf(properties, 'a:prstGeom')?.attributes.prst
  if (!transform || !direction || !text || !childOf(box, 'wps:txbx') || geometry !== 'rect') return
  if ((text.attributes.vert ?? 'horz') !== 'horz') return
  editor.setAttributes(transform, { rot: undefined })
  editor.setAttributes(text, { vert: direction })
  for (const extent of [childOf(frame, 'wp:extent'), childOf(transform, 'a:ext')])
    if (extent) editor.setAttributes(extent, { cx: extent.attributes.cy, cy: extent.attributes.cx })
  const effects = childOf(frame, 'wp:effectExtent')
  if (effects) editor.setAttributes(effects, { l: '0', t: '0', r: '0', b: '0' })
  const { cx, cy } = childOf(frame, 'wp:extent')?.attributes ?? {}
  // The centre stays where it is.
  const moved = Math.round((Number(cx) - Number(cy)) / 2) || 0
  moveBy(childOf(childOf(frame, 'wp:positionH'), 'wp:posOffset'), moved, editor)
  moveBy(childOf(childOf(frame, 'wp:positionV'), 'wp:posOffset'), -moved, editor)
}

function moveBy(offset: XmlNode | undefined, distance: number, editor: XmlEditor): void {
  if (!offset) return
  const own = Number(editor.source(offset.end, offset.closeStart))
  if (Number.isFinite(own)) editor.replace(offset.end, offset.closeStart, String(own + distance))
}
