import type { DefaultTreeAdapterTypes as Tree } from 'parse5'
import { defaultTreeAdapter, html as htmlNames, parse, serialize } from 'parse5'
import { tag } from '../../catalog/file-types/shown-text.ts'

// HTML as browsers read it: with the end tags that may be omitted, and elements where they belong. Pandoc drops the table
// around cells without end tags, and takes exponential time for lists without.

export type Element = Tree.Element
export type Child = Tree.ChildNode

/** Browsers nest elements no deeper. The time that parsing takes grows with the depth. */
const maxDepth = 512

class TooComplex extends Error {}

/** Undefined for pages that take too long: those nested too deeply, or with formatting that every paragraph repeats. */
export function parsePage(html: string): Tree.Document | undefined {
  let depth = 0
  let left = 1000 + 4 * (html.match(/</g)?.length ?? 0)
  const treeAdapter: typeof defaultTreeAdapter = {
    ...defaultTreeAdapter,
    createElement(name, namespace, attributes) {
      left -= 1
      if (left < 0) throw new TooComplex()
      return defaultTreeAdapter.createElement(name, namespace, attributes)
    },
    onItemPush() {
      depth += 1
      if (depth > maxDepth) throw new TooComplex()
    },
    onItemPop() {
      depth -= 1
    },
  }
  try {
    return parse(isXml(html) ? withEndTags(html) : html, { scriptingEnabled: false, treeAdapter })
  } catch (error) {
    if (error instanceof TooComplex) return undefined
    throw error
  }
}

export const writePage = (page: Tree.Document): string => serialize(page)

const isXml = (html: string): boolean =>
  /^\s{0,100}<\?xml\s|^[^>]{0,500}<html[^>]{0,500}\sxmlns=/i.test(html.slice(0, 2000))

const tags = new RegExp(tag.source, 'gi')
const voidElement = /^(?:area|base|br|col|embed|hr|img|input|link|meta|param|source|track|wbr)$/i

/** An empty element of XML would contain all that follows. */
const withEndTags = (xml: string): string =>
  xml.replaceAll(tags, (whole) => {
    const [, name = ''] = /^<([a-z][^\s/>]*)/i.exec(whole) ?? []
    return whole.endsWith('/>') && name !== '' && !voidElement.test(name)
      ? `${whole.slice(0, -2)}></${name}>`
      : whole
  })

/** Replaces each element by what `change` makes of it, from the innermost. */
export function changeElements(
  parent: Tree.ParentNode,
  change: (element: Element) => readonly Child[],
): void {
  const children = parent.childNodes.flatMap((node) => {
    if (!isElement(node)) return [node]
    changeElements(node, change)
    return change(node)
  })
  adopt(parent, children)
}

function adopt(parent: Tree.ParentNode, children: Child[]): void {
  parent.childNodes = children
  for (const child of children) child.parentNode = parent
}

export const isElement = (node: Child, name?: RegExp): node is Element =>
  defaultTreeAdapter.isElementNode(node) && (name === undefined || name.test(node.tagName))

/** Does it show nothing? */
export const isBlank = (node: Child): boolean => {
  if (!isElement(node)) return !defaultTreeAdapter.isTextNode(node) || /^[\s\u00a0]*$/.test(node.value)
  return (
    /^(?:script|style|template|br)$/.test(node.tagName) ||
    (!isReplaced(node) && node.childNodes.every(isBlank))
  )
}

const isReplaced = (element: Element): boolean =>
  /^(?:img|hr|math|object|embed|canvas)$/.test(element.tagName)

export const attributeOf = (element: Element, name: string): string | undefined =>
  element.attrs.find((attribute) => attribute.name === name)?.value

export function descendants(root: Tree.ParentNode): Child[] {
  return root.childNodes.flatMap((node) => (isElement(node) ? [node, ...descendants(node)] : [node]))
}

export const textOf = (root: Tree.ParentNode): string =>
  descendants(root)
    .map((node) => (defaultTreeAdapter.isTextNode(node) ? node.value : ''))
    .join(' ')
    .replaceAll(/\s+/g, ' ')
    .trim()

export function createElement(
  name: string,
  children: Child[],
  attributes: Readonly<Record<string, string>> = {},
): Element {
  const list = Object.entries(attributes).map(([name, value]) => ({ name, value }))
  const element = defaultTreeAdapter.createElement(name, htmlNames.NS.HTML, list)
  adopt(element, children)
  return element
}

export const createText = (text: string): Child => defaultTreeAdapter.createTextNode(text)

/** The same element under another name, with other children. */
export function renamed(element: Element, name: string, children = element.childNodes): Element {
  const { attrs } = element
  return createElement(name, children, Object.fromEntries(attrs.map(({ name, value }) => [name, value])))
}
