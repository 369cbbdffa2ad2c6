import { serializeOuter } from 'parse5'
import {
  attributeOf,
  type Child,
  changeElements,
  createElement,
  createText,
  descendants,
  type Element,
  isBlank,
  isElement,
  parsePage,
  renamed,
  textOf,
  writePage,
} from './html-tree.ts'

// Changes HTML that pandoc does not read:
//
//   end tags       that may be omitted are added
//   lists          pandoc drops what is in no item. It becomes one
//   figures        pandoc shows one picture only. Those with anything else become ordinary blocks
//   forms          fields show their values, checkboxes the characters by which pandoc marks the items of a task list
//   drawings       become pictures that their texts describe
//   frames, films  become links
//   colspan="0"    pandoc drops such a cell. The attribute is removed: browsers take it for 1
//   readings       of ruby text get parentheses where the page has none

export function readableHtml(html: string): string {
  const page = parsePage(html)
  if (!page) return html
  changeElements(page, (element) => changes[element.tagName]?.(element) ?? [element])
  return writePage(page)
}

type Change = (element: Element) => Child[]

const changes: Readonly<Record<string, Change>> = {
  ul: (list) => withItems(list, /^li$/, 'li'),
  ol: (list) => withItems(list, /^li$/, 'li'),
  dl: (list) => withItems(list, /^(?:dt|dd|div)$/, 'dd'),
  td: withoutEmptySpan,
  th: withoutEmptySpan,
  figure: openFigure,
  input: shownValue,
  select: (menu) => [createText(` ${chosen(menu)} `)],
  textarea: (area) => [renamed(area, 'pre')],
  ruby: withParentheses,
  svg: drawn,
  iframe: (frame) => linked(frame, attributeOf(frame, 'title')),
  video: (film) => linked(film, 'Video'),
  audio: (sound) => linked(sound, 'Audio'),
}

/** Other children of a list become items; a list within a list belongs to the item in front of it. */
function withItems(list: Element, item: RegExp, name: string): Child[] {
  const children: Child[] = []
  let run: Child[] = []
  let last: Element | undefined
  const endRun = () => {
    if (run.every(isBlank)) children.push(...run)
    else children.push(createElement(name, run))
    run = []
  }
  for (const node of list.childNodes.flatMap((child) => unwrapped(child, item))) {
    if (isElement(node, item)) {
      endRun()
      children.push(node)
      last = node
    } else if (isElement(node, /^[ou]l$/) && last && run.every(isBlank)) {
      last.childNodes.push(node)
    } else run.push(node)
  }
  endRun()
  return [renamed(list, list.tagName, children)]
}

/** Items within a form or a font. */
function unwrapped(node: Child, item: RegExp): Child[] {
  if (
    !isElement(node) ||
    item.test(node.tagName) ||
    !/^(?:form|font|b|i|center|span|div|a)$/.test(node.tagName)
  )
    return [node]
  const children = node.childNodes.flatMap((child) => unwrapped(child, item))
  return children.some((child) => isElement(child, item)) ? children : [node]
}

function withoutEmptySpan(cell: Element): Child[] {
  cell.attrs = cell.attrs.filter(({ name, value }) => name !== 'colspan' || /^\s*0*[1-9]/.test(value))
  return [cell]
}

function openFigure(figure: Element): Child[] {
  const all = descendants(figure)
  const captions = all.filter((node) => isElement(node, /^figcaption$/))
  const caption = new Set(captions.flatMap((node) => (isElement(node) ? [node, ...descendants(node)] : [])))
  const others = all.filter((node) => !caption.has(node))
  const pictures = others.filter((node) => isElement(node, /^img$/)).length
  const hasText = others.some((node) => !isElement(node) && !isBlank(node))
  if (pictures === 1 && !hasText && captions.length < 2) return [figure]
  changeElements(figure, (element) => [element.tagName === 'figcaption' ? renamed(element, 'p') : element])
  return [renamed(figure, 'div')]
}

const shownTypes =
  /^(?:text|search|tel|url|email|number|date|month|week|time|datetime-local|submit|reset|button|)$/i

function shownValue(field: Element): Child[] {
  const type = attributeOf(field, 'type') ?? ''
  if (/^(?:checkbox|radio)$/i.test(type))
    return [createText(attributeOf(field, 'checked') === undefined ? '☐ ' : '☒ ')]
  const value = attributeOf(field, 'value') ?? ''
  return shownTypes.test(type) && value.trim() !== '' ? [createText(` ${value} `)] : []
}

function chosen(menu: Element): string {
  const options = descendants(menu).filter((node): node is Element => isElement(node, /^option$/))
  const selected = options.filter((option) => attributeOf(option, 'selected') !== undefined)
  return (selected.length > 0 ? selected : options.slice(0, 1)).map(textOf).join(', ')
}

/** Readings without their own parentheses. */
function withParentheses(ruby: Element): Child[] {
  if (ruby.childNodes.some((node) => isElement(node, /^rp$/))) return [ruby]
  const children = ruby.childNodes.flatMap((node): Child[] =>
    isElement(node, /^rt$/)
      ? [createElement('rp', [createText('(')]), node, createElement('rp', [createText(')')])]
      : [node],
  )
  return [renamed(ruby, 'ruby', children)]
}

/** Pictures on their own are covers of books, which are beside the page. */
function drawn(svg: Element): Child[] {
  const images = descendants(svg).filter((node): node is Element => isElement(node, /^image$/))
  const addresses = images.map(
    (image) => attributeOf(image, 'href') ?? attributeOf(image, 'xlink:href') ?? '',
  )
  if (addresses.some((address) => !/^(?:data:|#|$)/i.test(address)))
    return addresses.map((src) => createElement('img', [], { src, alt: textOf(svg) }))
  if (attributeOf(svg, 'xmlns') === undefined)
    svg.attrs.push({ name: 'xmlns', value: 'http://www.w3.org/2000/svg' })
  const source = `data:image/svg+xml;base64,${Buffer.from(serializeOuter(svg)).toString('base64')}`
  return [createElement('img', [], { src: source, alt: attributeOf(svg, 'aria-label') ?? textOf(svg) })]
}

/** Nothing for one without a name: advertisements have none. */
function linked(element: Element, name: string | undefined): Child[] {
  const sources = [
    element,
    ...descendants(element).filter((node): node is Element => isElement(node, /^source$/)),
  ]
  const address = sources.map((node) => attributeOf(node, 'src') ?? '').find((source) => source !== '')
  if (!address || !name?.trim()) return []
  return [createElement('p', [createElement('a', [createText(name)], { href: address })])]
}
