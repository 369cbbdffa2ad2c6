import {
  childOf,
  descendants,
  editTree,
  readTree,
  type XmlEditor,
  type XmlNode,
} from '../../../package/edit-xml.ts'
import { type Deck, relatedPart, relationTargets } from './deck.ts'

// A deck may start at a slide number other than 1, usually 0 so that the title slide does not count. LibreOffice always
// starts at 1. So in such a deck the numbers become text. If the layout or the master shows the number in a shape that
// is not a placeholder, every slide gets a copy of that shape instead.

export interface SlideNumbers {
  /** Slide numbers by part name. */
  numbers: ReadonlyMap<string, number>
  /** The shapes with a slide number that the slide shows from its layout and master. */
  behind(slide: string, root: XmlNode): string
}

/** Undefined for a deck that starts at 1. */
export function readSlideNumbers(deck: Deck, presentation: XmlNode | undefined): SlideNumbers | undefined {
  const first = presentation?.attributes.firstSlideNum ?? '1'
  if (!/^\d{1,5}$/.test(first) || Number(first) === 1) return undefined
  const targets = relationTargets(deck.relations.get('ppt/_rels/presentation.xml.rels'), 'ppt/')
  const numbers = new Map<string, number>()
  for (const [index, slide] of (childOf(presentation, 'p:sldIdLst')?.children ?? []).entries()) {
    const name = targets.get(slide.attributes['r:id'] ?? '')?.name ?? ''
    if (!numbers.has(name)) numbers.set(name, Number(first) + index)
  }
  const backgrounds = new Map([...deck.backgrounds].map(([name, xml]) => [name, readBackground(xml)]))
  return {
    numbers,
    behind(slide, root) {
      const layout = hidesMaster(root) ? undefined : relatedPart(deck.relations, slide, 'slideLayout')
      const own = backgrounds.get(layout ?? '')
      if (layout === undefined || !own) return ''
      const master = own.hidesMaster ? undefined : relatedPart(deck.relations, layout, 'slideMaster')
      return (backgrounds.get(master ?? '')?.shapes ?? '') + own.shapes
    },
  }
}

const hidesMaster = (root: XmlNode): boolean => /^(?:0|false)$/.test(root.attributes.showMasterSp ?? '')

// Limited, because every slide gets a copy.
const maxShapesLength = 64 * 1024

function readBackground(xml: string): { hidesMaster: boolean; shapes: string } {
  const root = readTree(xml)
  const shapes = root ? numberedShapes(root).map(({ start, closeEnd }) => xml.slice(start, closeEnd)) : []
  const all = shapes.join('')
  return {
    hidesMaster: root !== undefined && hidesMaster(root),
    shapes: all.length > maxShapesLength ? '' : all,
  }
}

/** Shapes without a picture or a link, whose relationships the slide does not have. */
function numberedShapes(root: XmlNode): XmlNode[] {
  const found: XmlNode[] = []
  for (const node of descendants(root)) if (node.name === 'p:sp' && isNumbered(node)) found.push(node)
  return found
}

function isNumbered(shape: XmlNode): boolean {
  let hasNumber = false
  for (const { name, attributes } of descendants(shape)) {
    if (name === 'p:ph' || attributes['r:embed'] || attributes['r:id'] || attributes['r:link']) return false
    hasNumber ||= isField(name, attributes)
  }
  return hasNumber
}

const isField = (name: string, attributes: XmlNode['attributes']): boolean =>
  name === 'a:fld' && attributes.type === 'slidenum'

/** Removes the shapes that are copied to the slides from a layout or master. */
export function removeNumberedShapes(root: XmlNode, editor: XmlEditor): void {
  const shapes = numberedShapes(root)
  const length = shapes.reduce((sum, { start, closeEnd }) => sum + closeEnd - start, 0)
  if (length <= maxShapesLength) for (const { start, closeEnd } of shapes) editor.replace(start, closeEnd, '')
}

/** Inserts the shapes before the first shape of the slide. */
export function putBehind(root: XmlNode, shapes: string, number: number, editor: XmlEditor): void {
  const properties = childOf(childOf(childOf(root, 'p:cSld'), 'p:spTree'), 'p:grpSpPr')
  if (properties && shapes !== '')
    editor.replace(properties.closeEnd, properties.closeEnd, numbered(shapes, number))
}

function numbered(shapes: string, number: number): string {
  const write = writeNumbers(number)
  const [start, end] = ['<p:spTree>', '</p:spTree>']
  const edited = editTree(start + shapes + end, (root, editor) => {
    for (const node of descendants(root)) write(node, editor)
  })
  return edited.slice(start.length, -end.length)
}

/** Converts fields to runs. A field may have paragraph properties, a run may not. */
export const writeNumbers =
  (number: number) =>
  (node: XmlNode, editor: XmlEditor): void => {
    if (!isField(node.name, node.attributes) || node.isSelfClosing) return
    editor.replace(node.start, node.end, '<a:r>')
    for (const child of node.children) {
      if (child.name === 'a:pPr') editor.replace(child.start, child.closeEnd, '')
      if (child.name === 'a:t') editor.replace(child.start, child.closeEnd, `<a:t>${number}</a:t>`)
    }
    const text = childOf(node, 'a:t') ? '' : `<a:t>${number}</a:t>`
    editor.replace(node.closeStart, node.closeEnd, `${text}</a:r>`)
  }
