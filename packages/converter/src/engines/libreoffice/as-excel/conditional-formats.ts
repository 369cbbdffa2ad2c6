import { childOf, readTree, type XmlNode } from '../../../package/edit-xml.ts'
import type { CellFormats } from './tables/cell-formats.ts'

// Where several conditions of a range hold, Excel applies the formats of all of them; the first one wins where they
// contradict each other. LibreOffice applies the first one only. So rules for combinations come first: both conditions,
// with the merged format. Conditions of other kinds, such as the largest ten values, have no formula to combine.

/** Every further rule doubles the number of combinations. */
const maxRules = 4
const maxRanges = 200
const elementName = 'conditionalFormatting'

interface Rule {
  source: string
  priority: number
  stops: boolean
  formula: string | undefined
  format: XmlNode | undefined
}

/** `formats` is read only for a sheet that has ranges with several conditions. */
export function combineConditions(sheet: string, formats: () => CellFormats | undefined): string {
  const pieces: string[] = []
  let at = 0
  for (let count = 0; count < maxRanges; count++) {
    const start = sheet.indexOf(`<${elementName} `, at)
    const end = start < 0 ? -1 : sheet.indexOf(`</${elementName}>`, start)
    if (end < 0) break
    pieces.push(sheet.slice(at, start), combineRange(sheet.slice(start, end), formats))
    at = end
  }
  return pieces.join('') + sheet.slice(at)
}

function combineRange(range: string, formats: () => CellFormats | undefined): string {
  if (range.split(' dxfId=').length < 3) return range
  const root = readTree(`${range}</${elementName}>`)
  const [, cell] = /^([A-Z]{1,3}\d+)(?::[A-Z]{1,3}\d+)?$/.exec(root?.attributes.sqref ?? '') ?? []
  const styles = formats()
  if (!root || !cell || !styles) return range
  const rules = root.children
    .filter(({ name }) => name === 'cfRule')
    .map((node) => readRule(node, range, cell, styles))
    .toSorted((a, b) => a.priority - b.priority)
  const added = combinations(rules.filter(({ formula, format }) => formula && format).slice(0, maxRules))
    .map((combined) => combinedRule(combined, styles))
    .filter((rule) => rule !== undefined)
  if (added.length === 0) return range
  const first = rules[0]?.priority ?? 1
  const numbered = [...added, ...rules.map(({ source }) => source)].map((rule, index) =>
    rule.replace(/\spriority="\d+"/, ` priority="${first + index}"`),
  )
  return range.slice(0, root.end) + numbered.join('')
}

function readRule(node: XmlNode, range: string, cell: string, styles: CellFormats): Rule {
  const { attributes } = node
  const formulas = node.children
    .filter(({ name }) => name === 'formula')
    .map(({ end, closeStart }) => `(${range.slice(end, closeStart)})`)
  return {
    source: range.slice(node.start, node.closeEnd),
    priority: Number(attributes.priority) || 1,
    stops: attributes.stopIfTrue === '1',
    formula: conditionOf(attributes, cell, formulas),
    format: attributes.dxfId === undefined ? undefined : styles.differential(Number(attributes.dxfId)),
  }
}

const operators: Readonly<Record<string, string>> = {
  equal: '=',
  notEqual: '&lt;&gt;',
  greaterThan: '&gt;',
  greaterThanOrEqual: '&gt;=',
  lessThan: '&lt;',
  lessThanOrEqual: '&lt;=',
}

/** As XML; relative references are those of the first cell of the range. */
function conditionOf(
  { type, operator = '' }: XmlNode['attributes'],
  cell: string,
  [first, second]: readonly string[],
): string | undefined {
  if (first === undefined || type !== 'cellIs') return first
  if (operator === 'between') return second && `AND(${cell}&gt;=${first},${cell}&lt;=${second})`
  if (operator === 'notBetween') return second && `OR(${cell}&lt;${first},${cell}&gt;${second})`
  const symbol = operators[operator]
  return symbol && `${cell}${symbol}${first}`
}

/** All sets of two or more, in the order of the rules; larger sets come first. */
function combinations(rules: readonly Rule[]): Rule[][] {
  const sets: Rule[][] = [[]]
  for (const rule of rules)
    sets.push(...sets.filter((set) => !set.at(-1)?.stops).map((set) => [...set, rule]))
  return sets.filter(({ length }) => length > 1).toSorted((a, b) => b.length - a.length)
}

/** Undefined if the first format covers the others. */
function combinedRule(rules: readonly Rule[], styles: CellFormats): string | undefined {
  const found = rules.flatMap(({ format }) => format ?? [])
  const merged = mergeFormats(found, styles.source)
  if (merged === undefined) return undefined
  const conditions = rules.map(({ formula }) => formula).join(',')
  return (
    `<cfRule type="expression" dxfId="${styles.addDifferential(merged)}" priority="1">` +
    `<formula>AND(${conditions})</formula></cfRule>`
  )
}

const parts = ['font', 'numFmt', 'fill', 'border'] as const

function mergeFormats(formats: readonly XmlNode[], source: (node: XmlNode) => string): string | undefined {
  let adds = false
  const written = parts.map((part) => {
    const found = formats.flatMap((format) => childOf(format, part) ?? [])
    const [first] = found
    if (!first) return ''
    adds ||= found[0] !== (formats[0] && childOf(formats[0], part))
    if (part === 'numFmt' || part === 'fill') return source(first)
    const properties = new Map<string, XmlNode>()
    for (const property of found.flatMap(({ children }) => children))
      if (!properties.has(property.name)) properties.set(property.name, property)
    adds ||= properties.size > first.children.length
    return `<${part}>${[...properties.values()].map(source).join('')}</${part}>`
  })
  return adds ? `<dxf>${written.join('')}</dxf>` : undefined
}
