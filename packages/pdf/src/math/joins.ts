import { union } from '../geometry.ts'
import { isMathFont } from '../read/math-fonts/names.ts'
import {
  accentOf,
  apart,
  attached,
  axis,
  bearing,
  compose,
  type Item,
  sameLine,
  scriptSize,
  tight,
} from './item.ts'

// Merges symbols that fonts compose of several glyphs: ellipses, tall delimiters, struck-through relations, accents.

/** Distance of the dots of an ellipsis, as TeX sets them, in ems. */
const dotStep = { from: 0.2, to: 0.75 }

export const joinSigns = (given: readonly Item[]): Item[] =>
  joinAccents(joinArrows(joinOverlays(joinTextRuns(joinDots(given)))))

const middleOf = ({ box }: Item): number => (box.x0 + box.x1) / 2

/** Replaces groups of items by one item each. `find` returns the group that an item begins, if any. */
function join(
  given: readonly Item[],
  starts: readonly Item[],
  find: (start: Item, isFree: (item: Item) => boolean) => { parts: readonly Item[]; made: Item } | undefined,
): Item[] {
  const gone = new Set<Item>()
  const made: Item[] = []
  const isFree = (item: Item): boolean => !gone.has(item)
  for (const start of starts) {
    const found = isFree(start) ? find(start, isFree) : undefined
    if (!found) continue
    for (const part of found.parts) gone.add(part)
    made.push(found.made)
  }
  return [...given.filter(isFree), ...made]
}

/** A sign on the line of one of its parts. */
const signOf = (parts: readonly Item[], text: string, at: Item): Item => ({
  ...compose(parts, { kind: 'symbol', text, look: 'roman' }, { ...at, isLoose: false }),
  text,
})

/** An ellipsis that is set as three separate dots. */
function joinDots(given: readonly Item[]): Item[] {
  const dots = given.filter((i) => /^[.·⋅]$/.test(i.text)).sort((a, b) => a.box.x0 - b.box.x0)
  return join(given, dots, (first) => {
    const next = (from: Item): Item | undefined =>
      dots.find(
        (i) =>
          i.text === first.text &&
          Math.abs(i.y - first.y) < sameLine * first.size &&
          i.box.x0 - from.box.x0 > dotStep.from * first.size &&
          i.box.x0 - from.box.x0 < dotStep.to * first.size,
      )
    const second = next(first)
    const third = second && next(second)
    if (!second || !third || next(third)) return undefined
    const parts = [first, second, third]
    const isMath = first.text !== '.' || parts.every((p) => p.glyphs.every((g) => isMathFont(g.font)))
    return { parts, made: { ...signOf(parts, first.text === '.' ? '…' : '⋯', first), isMath } }
  })
}

/** Bars taller than text are composed of ordinary bars, which overlap at their ends. */
const isBar = (i: Item): boolean => i.isMath && (i.text === '|' || i.text === '‖' || i.text === '∣')

/** Tall delimiters are composed of pieces, one below the other. */
function joinTextRuns(given: readonly Item[]): Item[] {
  const large = given
    .filter((i) => (i.isLoose && i.text !== '√') || isBar(i))
    .sort((a, b) => a.box.y0 - b.box.y0)
  return join(given, large, (top, isFree) => {
    const stack = [top]
    for (const i of large) {
      const last = stack.at(-1) as Item
      if (i === last || !isFree(i) || i.text !== top.text || Math.abs(i.box.x0 - top.box.x0) > bearing)
        continue
      const gap = i.isLoose ? attached : 0
      if (i.box.y0 > last.box.y0 && i.box.y0 - last.box.y1 < gap * top.size) stack.push(i)
    }
    if (stack.length < 2) return undefined
    const box = union(stack.map((i) => i.box))
    const middle = (box.y0 + box.y1) / 2
    const at = { y: middle + axis * top.size, size: top.size, isLoose: true }
    return { parts: stack, made: { ...compose(stack, top.node, at), text: top.text, middle } }
  })
}

/** By the sign below: the tail of an arrow, or a stroke through a relation. */
const tailed = new Map(['→', '⟶'].map((arrow) => [arrow, '↦']))
const negated = new Map(['=≠', '∈∉', '≡≢', '⊂⊄', '⊆⊈', '∃∄', '∼≁', '→↛'].map(([a = '', b = '']) => [a, b]))
const overlays = new Map([
  ['\u0338', negated],
  ['/', negated],
  ['↦', tailed],
])

/** Symbols composed of two overlaid glyphs. */
function joinOverlays(given: readonly Item[]): Item[] {
  return join(given, given, (top) => {
    const joined = overlays.get(top.text)
    const under =
      joined &&
      given.find(
        (i) =>
          joined.has(i.text) &&
          Math.abs(i.y - top.y) < attached * i.size &&
          Math.abs(i.box.x0 - top.box.x0) < attached * i.size &&
          top.box.x0 < i.box.x1 - attached * i.size,
      )
    const text = under && joined.get(under.text)
    if (!text) return undefined
    return { parts: [under, top], made: { ...signOf([under, top], text, under), box: under.box } }
  })
}

/** Long arrows, composed of a short one and an extension; a comma of the math letters is a hook. */
const arrows = new Map(
  ['−→⟶', '←−⟵', '=⇒⟹', '⇐=⟸', '⇐⇒⟺', '←→⟷', ',→↪'].map((signs) => [signs.slice(0, 2), signs.slice(2)]),
)
const arrowEnds = new Set([...arrows.keys()].map((pair) => pair.slice(1)))

function joinArrows(given: readonly Item[]): Item[] {
  const ends = given.filter((i) => arrowEnds.has(i.text))
  return join(given, ends, (end, isFree) => {
    const start = given.find(
      (i) =>
        i !== end &&
        isFree(i) &&
        arrows.has(i.text + end.text) &&
        Math.abs(i.y - end.y) < sameLine * end.size &&
        Math.abs(end.box.x0 - i.box.x1) < attached * end.size,
    )
    const text = start && arrows.get(start.text + end.text)
    return text ? { parts: [start, end], made: signOf([start, end], text, end) } : undefined
  })
}

/** Merges an accent with the letter below it. */
function joinAccents(given: readonly Item[]): Item[] {
  return join(given, given, (mark, isFree) => {
    const kind = accentOf(mark)
    if (!kind) return undefined
    const middle = middleOf(mark)
    const away = (i: Item): number => Math.abs(middleOf(i) - middle)
    const [base] = given
      .filter(
        (i) =>
          i !== mark &&
          isFree(i) &&
          /^[\p{L}\u{1d400}-\u{1d7ff}]$/u.test(i.text) &&
          Math.abs(i.size - mark.size) < (1 - scriptSize) * mark.size &&
          i.y - mark.y > -sameLine * i.size &&
          i.y - mark.y < apart * i.size &&
          middle > i.box.x0 - sameLine * i.size &&
          middle < i.box.x1 + attached * i.size,
      )
      .sort((a, b) => away(a) - away(b))
    if (!base || !(base.isMath || mark.isMath || isAlone(base, given))) return undefined
    const node = { kind: 'accent' as const, mark: kind, base: base.node }
    const parts = [base, mark]
    return { parts, made: { ...compose(parts, node, { ...base, isLoose: false }), box: base.box } }
  })
}

const isAlone = (base: Item, all: readonly Item[]): boolean =>
  !all.some(
    (i) =>
      i !== base &&
      /^\p{L}$/u.test(i.text) &&
      i.glyphs[0]?.font === base.glyphs[0]?.font &&
      Math.abs(i.y - base.y) < sameLine * base.size &&
      Math.max(i.box.x0 - base.box.x1, base.box.x0 - i.box.x1) < tight * base.size,
  )
