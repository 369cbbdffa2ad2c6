import { union } from '../geometry.ts'
import type { Rule } from '../read/page.ts'
import { samePosition } from '../tolerances.ts'
import { apart, attached, axis, compose, type Item, longestSymbol, sameLine, widthOf } from './item.ts'
import { joinSigns } from './joins.ts'
import { mainLine, parseItems } from './parse.ts'
import type { MathNode } from './tree.ts'

// Interprets short rules: a fraction bar, a root, an overline. Shorter rules first, so that inner parts are parsed
// before those around them.

/** Maximum thickness of fraction bars and roots, in points. */
const thickest = 1.6
/** Range of a rule, in points: from the radical before it, with its degree, to symbols that extend beyond its end. */
const reach = 20
/** Maximum size of the degree of a root, relative to its radical. */
const degreeSize = 0.75
/** Distances from a bar to the baselines of its numerator and denominator, in ems; tall parts count with their edges. */
const numerator = { from: -0.12, to: 1.2 }
const denominator = { from: 0.2, to: 1.7 }
/** A longer rule between plain words is a table rule, in ems. So is one with words or numbers farther below it. */
const longestPlain = 8
const denominatorOfWords = 1.05
const denominatorOfNumbers = 1.3
/** Height of an overline above the baseline, in ems. */
const overLetters = { from: 0.4, to: 1.2 }

export function findStructures(given: readonly Item[], rules: readonly Rule[]): Item[] {
  let items = joinSigns(given)
  const short = rules
    .filter((r) => r.horizontal && !r.weak && r.thickness <= thickest)
    .sort((a, b) => a.to - a.from - (b.to - b.from))
  for (const rule of short) {
    const near = items.filter((i) => i.box.x1 > rule.from - reach && i.box.x0 < rule.to + reach)
    const found = rootAt(near, rule) ?? fractionAt(near, rule) ?? barAt(near, rule)
    if (!found) continue
    const gone = new Set(found.parts)
    items = [...items.filter((i) => !gone.has(i)), found.made]
  }
  return items
}

interface Found {
  parts: Item[]
  made: Item
}

const inside = (i: Item, rule: Rule): boolean =>
  i.text.trim() !== '' || i.text === ''
    ? i.box.x0 >= rule.from - samePosition && i.box.x1 <= rule.to + samePosition
    : false

function rootAt(items: readonly Item[], rule: Rule): Found | undefined {
  const sign = items.find(
    (i) =>
      i.text === '√' &&
      Math.abs(i.box.x1 - rule.from) < attached * i.size &&
      Math.abs(i.box.y0 - rule.at) < attached * i.size,
  )
  if (!sign) return undefined
  const content = items.filter(
    (i) => i !== sign && inside(i, rule) && i.y > rule.at && i.y < sign.box.y1 + attached * sign.size,
  )
  if (content.length === 0) return undefined
  const degree = items.filter(
    (i) =>
      i.size < degreeSize * sign.size &&
      i.box.x0 > sign.box.x0 - attached * sign.size &&
      i.box.x1 < sign.box.x1 &&
      i.y > sign.box.y0 - attached * sign.size &&
      i.y < (sign.box.y0 + sign.box.y1) / 2 + attached * sign.size,
  )
  const parts = [sign, ...content, ...degree]
  const node: MathNode = {
    kind: 'root',
    content: parseItems(content),
    degree: degree.length > 0 ? parseItems(degree) : undefined,
  }
  return { parts, made: compose(parts, node, { ...mainLine(content), isLoose: false }, [rule]) }
}

/** Excludes words of a line that continues beside the rule, although they are above or below it. */
function withoutPassing(items: readonly Item[], rule: Rule): Item[] {
  const isText = (i: Item): boolean => !i.isMath && i.text !== ''
  const beside = items.filter((i) => isText(i) && !inside(i, rule))
  const passes = (i: Item): boolean => {
    const line = beside.filter(
      (o) => Math.abs(o.y - i.y) < sameLine * i.size && Math.abs(o.size - i.size) < sameLine * i.size,
    )
    const letters = line.filter((o) => /^\p{L}$/u.test(o.text))
    const gapTo = (o: Item): number => Math.min(Math.abs(o.box.x1 - rule.from), Math.abs(o.box.x0 - rule.to))
    return letters.length > 1 && line.some((o) => gapTo(o) < apart * i.size)
  }
  return items.filter((i) => inside(i, rule) && !(isText(i) && passes(i)))
}

function fractionAt(items: readonly Item[], rule: Rule): Found | undefined {
  const within = withoutPassing(items, rule)
  const size = Math.max(
    0,
    ...within.filter((i) => Math.abs(i.y - rule.at) < denominator.to * i.size).map((i) => i.size),
  )
  if (size === 0) return undefined
  const above = within.filter((i) =>
    i.isLoose
      ? i.box.y1 < rule.at + attached * size && rule.at - i.box.y1 < apart * size
      : rule.at - i.y > numerator.from * size && rule.at - i.y < numerator.to * size,
  )
  const below = within.filter((i) =>
    i.isLoose
      ? i.box.y0 > rule.at - attached * size && i.box.y0 - rule.at < apart * size
      : i.y - rule.at > denominator.from * size && i.y - rule.at < denominator.to * size,
  )
  if (above.length === 0 || below.length === 0) return undefined
  const length = rule.to - rule.from
  const widest = Math.max(widthOf(above), widthOf(below))
  // The bar has the length of the wider part, and both parts are centred on it.
  if (
    Math.abs(length - widest) > attached * size ||
    !isCentred(above, rule, size) ||
    !isCentred(below, rule, size)
  )
    return undefined
  if (![...above, ...below].some((i) => i.isMath) && length > longestPlain * size) return undefined
  if (isParted(above, size) || isParted(below, size)) return undefined
  const distance = (Math.max(...below.map((i) => i.y)) - rule.at) / size
  if (hasWord(above) && hasWord(below) && distance > denominatorOfWords) return undefined
  if (below.every((i) => /^[\d.,%]$/.test(i.text)) && distance > denominatorOfNumbers) return undefined
  const parts = [...above, ...below]
  const node: MathNode = { kind: 'fraction', over: parseItems(above), under: parseItems(below) }
  const made = compose(parts, node, { y: rule.at + axis * size, size, isLoose: true }, [rule])
  return { parts, made: { ...made, box: { ...made.box, x0: rule.from, x1: rule.to } } }
}

function isCentred(items: readonly Item[], rule: Rule, size: number): boolean {
  const { x0, x1 } = union(items.map((i) => i.box))
  return Math.abs((x0 + x1) / 2 - (rule.from + rule.to) / 2) < attached * size
}

const isParted = (items: readonly Item[], size: number): boolean => {
  const sorted = items.toSorted((a, b) => a.box.x0 - b.box.x0)
  let edge = Infinity
  for (const { box } of sorted) {
    if (box.x0 - edge > apart * size) return true
    edge = edge === Infinity ? box.x1 : Math.max(edge, box.x1)
  }
  return false
}

/** Three upright letters of a text font. */
const hasWord = (items: readonly Item[]): boolean =>
  items.filter((i) => !i.isMath && !i.glyphs.some((g) => g.font.italic) && /^\p{L}+$/u.test(i.text)).length >=
  longestSymbol

function barAt(items: readonly Item[], rule: Rule): Found | undefined {
  const below = items.filter(
    (i) =>
      inside(i, rule) && i.y - rule.at > overLetters.from * i.size && i.y - rule.at < overLetters.to * i.size,
  )
  if (!below.some((i) => i.isMath)) return undefined
  const size = Math.max(...below.map((i) => i.size))
  if (Math.abs(widthOf(below) - (rule.to - rule.from)) > attached * size || isParted(below, size))
    return undefined
  const node: MathNode = { kind: 'accent', mark: 'bar', base: parseItems(below) }
  return { parts: below, made: compose(below, node, { ...mainLine(below), isLoose: false }, [rule]) }
}
