import { NotWellFormed, scanXml, type XmlTag } from './scan-xml.ts'

// Edits an XML part in one pass. The edits replace ranges of the source text, so that everything else stays byte for
// byte. A part that is not well formed is returned as it is.

/** `start` and `end` are the offsets of its start tag in the source. */
export type XmlElement = XmlTag

export interface XmlEditor {
  /** The source text between two offsets. */
  source(start: number, end: number): string
  replace(start: number, end: number, text: string): void
  /** Adds or changes attributes of a start tag; undefined removes one. Values are escaped. */
  setAttributes(element: XmlElement, values: Readonly<Record<string, string | undefined>>): void
}

export interface XmlVisitor {
  open?(element: XmlElement, editor: XmlEditor): void
  /** `start` and `end` are the offsets of the end tag; both are the end of the start tag of an empty element. */
  close?(element: XmlElement, end: { start: number; end: number }, editor: XmlEditor): void
}

interface Replacement {
  start: number
  end: number
  text: string
}

export function editXml(xml: string, ...visitors: readonly XmlVisitor[]): string {
  const edits = createEdits(xml)
  const root = parse(xml, {
    open(element) {
      for (const visitor of visitors) visitor.open?.(element, edits.editor)
    },
    close(element) {
      const end = { start: element.closeStart, end: element.closeEnd }
      for (const visitor of visitors) visitor.close?.(element, end, edits.editor)
    },
  })
  return root ? edits.apply() : xml
}

/** Calls the visitor for every element, without edits. A part that is not well formed ends where it breaks. */
export const visitXml = (xml: string, open: (element: XmlElement) => void): void => {
  editXml(xml, { open })
}

/**
 * An element with its children. It does not reference its parent, so that a subtree can outlive the rest of the tree.
 */
export interface XmlNode extends XmlElement {
  readonly children: readonly XmlNode[]
  /** Offsets of the end tag; both are the end of the start tag of an empty element. */
  readonly closeStart: number
  readonly closeEnd: number
}

/** Edits a part using its element tree. Edits of several functions are applied together. */
export function editTree(xml: string, edit: (root: XmlNode, editor: XmlEditor) => void): string {
  const root = readTree(xml)
  if (!root) return xml
  const edits = createEdits(xml)
  edit(root, edits.editor)
  return edits.apply()
}

/** Undefined for a part that is not well formed. */
export const readTree = (xml: string): XmlNode | undefined =>
  parse(xml, {
    open(node, parent) {
      if (parent?.children === noChildren) parent.children = [node]
      else parent?.children.push(node)
    },
  })

/** The node and all that is in it, in the order of the source. */
export function* descendants(node: XmlNode): Generator<XmlNode> {
  const waiting = [node]
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    yield next
    for (const child of next.children.toReversed()) waiting.push(child)
  }
}

export const childOf = (node: XmlNode | undefined, name: string): XmlNode | undefined =>
  node?.children.find((child) => child.name === name)

function createEdits(xml: string): { editor: XmlEditor; apply(): string } {
  const replacements: Replacement[] = []
  const attributes = new Map<number, { element: XmlElement; values: Record<string, string | undefined> }>()
  return {
    editor: {
      source: (start, end) => xml.slice(start, end),
      replace: (start, end, text) => replacements.push({ start, end, text }),
      setAttributes(element, values) {
        attributes.set(element.start, {
          element,
          values: { ...attributes.get(element.start)?.values, ...values },
        })
      },
    },
    apply() {
      const tags = Array.from(attributes.values(), ({ element: { start, end }, values }) => ({
        start,
        end,
        text: withAttributes(xml.slice(start, end), values),
      }))
      return apply(xml, [...replacements, ...tags])
    },
  }
}

interface OpenNode extends XmlNode {
  children: XmlNode[]
  closeStart: number
  closeEnd: number
}

/** Shared by all elements without children: most elements of a large part have none. */
const noChildren: XmlNode[] = []

interface ParseHandler {
  open(node: OpenNode, parent: OpenNode | undefined): void
  close?(node: XmlNode): void
}

/** The root element; undefined for a part that is not well formed. The handler creates the children. */
function parse(xml: string, handler: ParseHandler): XmlNode | undefined {
  const ancestors: OpenNode[] = []
  let root: XmlNode | undefined
  try {
    scanXml(xml, {
      open({ name, attributes, isSelfClosing, start, end }) {
        const node = {
          name,
          attributes,
          isSelfClosing,
          start,
          end,
          children: noChildren,
          closeStart: end,
          closeEnd: end,
        }
        handler.open(node, ancestors.at(-1))
        root ??= node
        if (isSelfClosing) handler.close?.(node)
        else ancestors.push(node)
      },
      close(start, end) {
        const node = ancestors.pop()
        if (!node) return
        node.closeStart = start
        node.closeEnd = end
        handler.close?.(node)
      },
    })
  } catch (error) {
    if (error instanceof NotWellFormed) return undefined
    throw error
  }
  return root
}

/** Replacements do not overlap, except that an outer one wins over those inside it. Insertions come first. */
function apply(xml: string, replacements: readonly Replacement[]): string {
  const ordered = replacements.toSorted(
    (a, b) => a.start - b.start || Number(b.start === b.end) - Number(a.start === a.end) || b.end - a.end,
  )
  const pieces: string[] = []
  let at = 0
  for (const { start, end, text } of ordered) {
    if (start < at) continue
    pieces.push(xml.slice(at, start), text)
    at = end
  }
  pieces.push(xml.slice(at))
  return pieces.join('')
}

function withAttributes(tag: string, values: Readonly<Record<string, string | undefined>>): string {
  let changed = tag
  for (const [name, value] of Object.entries(values)) {
    const found = attributeRange(changed, name)
    const written = value === undefined ? '' : ` ${name}="${escapeAttribute(value)}"`
    const [start, end] = found ?? [endOfAttributes(changed), endOfAttributes(changed)]
    changed = changed.slice(0, start) + written + changed.slice(end)
  }
  return changed
}

/** From the white space before the name to the closing quote. */
function attributeRange(tag: string, wanted: string): [number, number] | undefined {
  // Sticky: each attribute begins where the one before ends, so the tag is read once.
  const attribute = /\s+([^\s=]+)\s*=\s*(?:"[^"]*"|'[^']*')/y
  attribute.lastIndex = /[\s/>]/.exec(tag)?.index ?? 0
  for (let match = attribute.exec(tag); match; match = attribute.exec(tag))
    if (match[1] === wanted) return [match.index, attribute.lastIndex]
  return undefined
}

const endOfAttributes = (tag: string): number => tag.slice(0, tag.endsWith('/>') ? -2 : -1).trimEnd().length

const escapeAttribute = (value: string): string =>
  value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
