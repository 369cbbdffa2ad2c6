import { union } from '../geometry.ts'
import type { Rule } from '../read/page.ts'
import { isMathFont } from './fonts.ts'
import { accentOf, axis, compose, type Item, widthOf } from './item.ts'
import { mainLine, parseItems } from './parse.ts'
import type { MathNode } from './tree.ts'

// What a short rule tells: a fraction, a root, a line over letters. Shorter rules first, so that what stands inside
// is understood before what is around it.

const thickest = 1.6

export function findStructures(given: readonly Item[], rules: readonly Rule[]): Item[] {
  let items = joinAccents(joinOverlays(joinPieces(joinDots(given))))
  const short = rules
    .filter((r) => r.horizontal && !r.weak && r.thickness <= thickest)
    .sort((a, b) => a.to - a.from - (b.to - b.from))
  for (const rule of short) {
    const near = items.filter((i) => i.box.x1 > rule.from - 20 && i.box.x0 < rule.to + 3)
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
  i.text.trim() !== '' || i.text === '' ? i.box.x0 >= rule.from - 1.6 && i.box.x1 <= rule.to + 2.2 : false

function rootAt(items: readonly Item[], rule: Rule): Found | undefined {
  const sign = items.find(
    (i) =>
      i.text === '√' &&
      Math.abs(i.box.x1 - rule.from) < 0.2 * i.size &&
      Math.abs(i.box.y0 - rule.at) < 0.35 * i.size,
  )
  if (!sign) return undefined
  const content = items.filter(
    (i) => i !== sign && inside(i, rule) && i.y > rule.at && i.y < sign.box.y1 + 0.35 * sign.size,
  )
  if (content.length === 0) return undefined
  const degree = items.filter(
    (i) =>
      i.size < 0.75 * sign.size &&
      i.box.x0 > sign.box.x0 - 0.4 * sign.size &&
      i.box.x1 < sign.box.x1 &&
      i.y > sign.box.y0 - 0.2 * sign.size &&
      i.y < (sign.box.y0 + sign.box.y1) / 2 + 0.2 * sign.size,
  )
  const parts = [sign, ...content, ...degree]
  const node: MathNode = {
    kind: 'root',
    content: parseItems(content),
    degree: degree.length > 0 ? parseItems(degree) : undefined,
  }
  return { parts, made: compose(parts, node, { ...mainLine(content), isLoose: false }, [rule]) }
}

function fractionAt(items: readonly Item[], rule: Rule): Found | undefined {
  const within = items.filter((i) => inside(i, rule))
  const size = Math.max(0, ...within.filter((i) => Math.abs(i.y - rule.at) < 1.7 * i.size).map((i) => i.size))
  if (size === 0) return undefined
  const above = within.filter((i) =>
    i.isLoose
      ? i.box.y1 < rule.at + 0.35 * size && rule.at - i.box.y1 < 0.9 * size
      : rule.at - i.y > -0.12 * size && rule.at - i.y < 1.2 * size,
  )
  const below = within.filter((i) =>
    i.isLoose
      ? i.box.y0 > rule.at - 0.35 * size && i.box.y0 - rule.at < 0.9 * size
      : i.y - rule.at > 0.2 * size && i.y - rule.at < 1.7 * size,
  )
  if (above.length === 0 || below.length === 0) return undefined
  const length = rule.to - rule.from
  const widest = Math.max(widthOf(above), widthOf(below))
  // The bar is as long as the wider of the two, and both stand at its middle.
  if (
    Math.abs(length - widest) > 0.45 * size ||
    !isCentred(above, rule, size) ||
    !isCentred(below, rule, size)
  )
    return undefined
  if (![...above, ...below].some((i) => i.isMath) && length > 8 * size) return undefined
  const parts = [...above, ...below]
  const node: MathNode = { kind: 'fraction', over: parseItems(above), under: parseItems(below) }
  const made = compose(parts, node, { y: rule.at + axis * size, size, isLoose: true }, [rule])
  return { parts, made: { ...made, box: { ...made.box, x0: rule.from, x1: rule.to } } }
}

function isCentred(items: readonly Item[], rule: Rule, size: number): boolean {
  const { x0, x1 } = union(items.map((i) => i.box))
  return Math.abs((x0 + x1) / 2 - (rule.from + rule.to) / 2) < 0.35 * size
}

function barAt(items: readonly Item[], rule: Rule): Found | undefined {
  const below = items.filter(
    (i) => inside(i, rule) && i.y - rule.at > 0.4 * i.size && i.y - rule.at < 1.2 * i.size,
  )
  if (!below.some((i) => i.isMath)) return undefined
  const size = Math.max(...below.map((i) => i.size))
  if (Math.abs(widthOf(below) - (rule.to - rule.from)) > 0.4 * size) return undefined
  const node: MathNode = { kind: 'accent', mark: 'bar', base: parseItems(below) }
  return { parts: below, made: compose(below, node, { ...mainLine(below), isLoose: false }, [rule]) }
}

const byPlace = (a: Item, b: Item): number => a.box.x0 - b.box.x0

/** Three dots in a row, set one by one. */
function joinDots(given: readonly Item[]): Item[] {
  const dots = given.filter((i) => i.text === '.' || i.text === '·' || i.text === '⋅').sort(byPlace)
  const gone = new Set<Item>()
  const made: Item[] = []
  for (const first of dots) {
    if (gone.has(first)) continue
    const next = (from: Item): Item | undefined =>
      dots.find(
        (i) =>
          i.text === first.text &&
          Math.abs(i.y - first.y) < 0.05 * first.size &&
          i.box.x0 - from.box.x0 > 0.2 * first.size &&
          i.box.x0 - from.box.x0 < 0.75 * first.size,
      )
    const second = next(first)
    const third = second && next(second)
    if (!second || !third || next(third)) continue
    const parts = [first, second, third]
    for (const p of parts) gone.add(p)
    const text = first.text === '.' ? '…' : '⋯'
    made.push({
      ...compose(parts, { kind: 'symbol', text, look: 'roman' }, { ...first, isLoose: false }),
      text,
      isMath: first.text !== '.' || parts.every((p) => p.glyphs.every((g) => isMathFont(g.font))),
    })
  }
  return [...given.filter((i) => !gone.has(i)), ...made]
}

/** Tall delimiters are put together from pieces, one below the other. */
function joinPieces(given: readonly Item[]): Item[] {
  const large = given.filter((i) => i.isLoose && i.text !== '√').sort((a, b) => a.box.y0 - b.box.y0)
  const gone = new Set<Item>()
  const made: Item[] = []
  for (const top of large) {
    if (gone.has(top)) continue
    const stack = [top]
    for (const i of large) {
      const last = stack.at(-1) as Item
      if (i === last || gone.has(i) || i.text !== top.text || Math.abs(i.box.x0 - top.box.x0) > 0.6) continue
      if (i.box.y0 > last.box.y0 && i.box.y0 - last.box.y1 < 0.35 * top.size) stack.push(i)
    }
    if (stack.length < 2) continue
    for (const i of stack) gone.add(i)
    const box = union(stack.map((i) => i.box))
    const middle = (box.y0 + box.y1) / 2
    const at = { y: middle + axis * top.size, size: top.size, isLoose: true }
    made.push({ ...compose(stack, top.node, at), text: top.text, middle })
  }
  return [...given.filter((i) => !gone.has(i)), ...made]
}

const negated: Record<string, string> = {
  '=': '≠',
  '∈': '∉',
  '≡': '≢',
  '⊂': '⊄',
  '⊆': '⊈',
  '∃': '∄',
  '∼': '≁',
  '→': '↛',
}

/** Signs made of two that lie over each other: a stroke through a relation, the foot of an arrow. */
function joinOverlays(given: readonly Item[]): Item[] {
  const gone = new Set<Item>()
  const made: Item[] = []
  for (const top of given) {
    if (top.text !== '\u0338' && top.text !== '/' && top.text !== '↦') continue
    const under = given.find(
      (i) =>
        (top.text === '↦' ? i.text === '→' || i.text === '⟶' : negated[i.text] !== undefined) &&
        Math.abs(i.y - top.y) < 0.3 * i.size &&
        Math.abs(i.box.x0 - top.box.x0) < 0.45 * i.size &&
        top.box.x0 < i.box.x1 - 0.3 * i.size,
    )
    if (!under) continue
    gone.add(top).add(under)
    const text = top.text === '↦' ? '↦' : (negated[under.text] as string)
    made.push({
      ...compose([under, top], { kind: 'symbol', text, look: 'roman' }, { ...under, isLoose: false }),
      text,
      box: under.box,
    })
  }
  return [...given.filter((i) => !gone.has(i)), ...made]
}

/** An accent stands over the letter that it shares its place with. */
function joinAccents(given: readonly Item[]): Item[] {
  const gone = new Set<Item>()
  const made: Item[] = []
  for (const mark of given) {
    const kind = accentOf(mark)
    if (!kind) continue
    const middle = (mark.box.x0 + mark.box.x1) / 2
    const base = given.find(
      (i) =>
        i !== mark &&
        !gone.has(i) &&
        /^[\p{L}\u{1d400}-\u{1d7ff}]$/u.test(i.text) &&
        Math.abs(i.size - mark.size) < 0.12 * mark.size &&
        i.y - mark.y > -0.1 * i.size &&
        i.y - mark.y < 0.6 * i.size &&
        middle > i.box.x0 - 0.05 * i.size &&
        middle < i.box.x1 + 0.25 * i.size,
    )
    if (!base || !(base.isMath || mark.isMath || isAlone(base, given))) continue
    gone.add(mark).add(base)
    made.push({
      ...compose([base, mark], { kind: 'accent', mark: kind, base: base.node }, { ...base, isLoose: false }),
      box: base.box,
    })
  }
  return [...given.filter((i) => !gone.has(i)), ...made]
}

const isAlone = (base: Item, all: readonly Item[]): boolean =>
  !all.some(
    (i) =>
      i !== base &&
      /^\p{L}$/u.test(i.text) &&
      Math.abs(i.y - base.y) < 0.1 * base.size &&
      Math.max(i.box.x0 - base.box.x1, base.box.x0 - i.box.x1) < 0.12 * base.size,
  )
