import { childOf, type XmlNode } from '../../../../package/edit-xml.ts'
import { colourOf, type Look } from './table-style.ts'

// Cell formats made of the format of a cell and of what the table style says where that format is silent: no fill, the
// font colour of Normal, no line at an edge. Or of the format of a cell and another number format.

export interface CellFormats {
  /** The index of a cell format. */
  indexOf(format: number, look: Look & { numberFormat?: string }): number
  /** A differential format by its index. */
  differential(index: number): XmlNode | undefined
  /** Returns its index. */
  addDifferential(format: string): number
  source(node: XmlNode): string
  /** The style sheet with the new formats. */
  styles(): string
}

const maxFormats = 4000
/** Smaller numbers are those of built-in formats. */
const firstOwnNumberFormat = 164
const idAfter = ({ attributes }: XmlNode): number => (Number(attributes.numFmtId) || 0) + 1
const sides = ['left', 'right', 'top', 'bottom'] as const

/** `root` is the tree of the style sheet `xml`. */
export function createCellFormats(xml: string, root: XmlNode): CellFormats {
  const lists = {
    fonts: openList(root, 'fonts'),
    fills: openList(root, 'fills'),
    borders: openList(root, 'borders'),
    cellXfs: openList(root, 'cellXfs'),
    dxfs: openList(root, 'dxfs'),
  }
  const known = new Map<string, number>()
  const raw = (node: XmlNode) => xml.slice(node.start, node.closeEnd)
  const inner = (node: XmlNode) => xml.slice(node.end, node.closeStart)
  const normalColour = colourOf(childOf(lists.fonts.children[0], 'color'))

  function fontOf(font: XmlNode | undefined, { isBold, colour }: Look): string | undefined {
    const own = childOf(font, 'color')
    const isColoured = colour !== undefined && colourOf(own) === normalColour
    if (!font || !(isColoured || isBold)) return undefined
    const kept = font.children.filter(
      ({ name }) => !(isColoured && name === 'color') && !(isBold && name === 'b'),
    )
    return `<font>${isBold ? '<b/>' : ''}${isColoured ? `<color ${colour}/>` : ''}${kept.map(raw).join('')}</font>`
  }

  function fillOf(fill: XmlNode | undefined, look: Look): string | undefined {
    const pattern = childOf(fill, 'patternFill')
    const isEmpty = !fill || (pattern && (pattern.attributes.patternType ?? 'none') === 'none')
    return look.fill && isEmpty
      ? `<fill><patternFill patternType="solid"><fgColor ${look.fill}/></patternFill></fill>`
      : undefined
  }

  function borderOf(border: XmlNode | undefined, { edges = {} }: Look): string | undefined {
    if (border && Object.keys(border.attributes).length > 0) return undefined
    const drawn = (side: (typeof sides)[number]) => {
      const own = childOf(border, side)
      if (own && (own.attributes.style ?? 'none') !== 'none') return raw(own)
      const line = edges[side]
      return line ? `<${side} style="${line.style}"><color ${line.colour}/></${side}>` : ''
    }
    return Object.keys(edges).length > 0 ? `<border>${sides.map(drawn).join('')}</border>` : undefined
  }

  const numberFormats = openNumberFormats(root)

  function make(format: XmlNode, { numberFormat, ...look }: Parameters<CellFormats['indexOf']>[1]): number {
    const { attributes } = format
    const changed: Record<string, string> = { ...attributes }
    const set = (list: List, id: string, flag: string, made: string | undefined) => {
      if (made === undefined) return
      changed[id] = String(list.add(made))
      changed[flag] = '1'
    }
    const of = (list: List, id: string) => list.children[Number(attributes[id] ?? 0)]
    set(lists.fonts, 'fontId', 'applyFont', fontOf(of(lists.fonts, 'fontId'), look))
    set(lists.fills, 'fillId', 'applyFill', fillOf(of(lists.fills, 'fillId'), look))
    set(lists.borders, 'borderId', 'applyBorder', borderOf(of(lists.borders, 'borderId'), look))
    if (numberFormat !== undefined) {
      changed.numFmtId = String(numberFormats.idOf(numberFormat))
      changed.applyNumberFormat = '1'
    }
    const written = Object.entries(changed).map(
      ([name, value]) => ` ${name}="${value.replaceAll(/["&<]/g, '')}"`,
    )
    return lists.cellXfs.add(`<xf${written.join('')}>${inner(format)}</xf>`)
  }

  return {
    indexOf(format, look) {
      const base = lists.cellXfs.children[format]
      const key = `${format} ${JSON.stringify(look)}`
      const found = known.get(key)
      if (found !== undefined || !base || known.size >= maxFormats) return found ?? format
      const index = make(base, look)
      known.set(key, index)
      return index
    },
    differential: (index) => lists.dxfs.children[index],
    addDifferential: (format) => lists.dxfs.add(format),
    source: raw,
    styles() {
      const insertions = [...Object.values(lists), numberFormats.insertion()].toSorted(
        (a, b) => b.end - a.end,
      )
      return insertions.reduce(
        (text, { end, added }) => text.slice(0, end) + added.join('') + text.slice(end),
        xml,
      )
    },
  }
}

interface List {
  children: readonly XmlNode[]
  added: string[]
  /** Offset of its end tag. */
  end: number
  /** Returns the index of the element. */
  add(element: string): number
}

function openList(root: XmlNode, name: string): List {
  const node = childOf(root, name)
  const children = node?.children ?? []
  const added: string[] = []
  const indexes = new Map<string, number>()
  return {
    children,
    added,
    end: node?.closeStart ?? 0,
    add(element) {
      const index = indexes.get(element) ?? children.length + added.push(element) - 1
      indexes.set(element, index)
      return index
    },
  }
}

function openNumberFormats(root: XmlNode) {
  const list = childOf(root, 'numFmts')
  const first = Math.max(firstOwnNumberFormat, ...(list?.children ?? []).map(idAfter))
  const codes: string[] = []
  return {
    idOf(code: string): number {
      const index = codes.indexOf(code)
      return first + (index >= 0 ? index : codes.push(code) - 1)
    },
    insertion(): Pick<List, 'added' | 'end'> {
      const added = codes.map((code, index) => `<numFmt numFmtId="${first + index}" formatCode="${code}"/>`)
      if (list && !list.isSelfClosing) return { added, end: list.closeStart }
      // It is the first list of a style sheet.
      const end = childOf(root, 'fonts')?.start ?? root.end
      return { added: added.length > 0 ? [`<numFmts>${added.join('')}</numFmts>`] : [], end }
    },
  }
}
