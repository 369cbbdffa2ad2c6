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

const byPlace = (a: Item, b: Item): number => a.box.x0 - b.box.x0

/** An ellipsis that is set as three separate dots. */
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
          Math.abs(i.y - first.y) < sameLine * first.size &&
          i.box.x0 - from.box.x0 > dotStep.from * first.size &&
          i.box.x0 - from.box.x0 < dotStep.to * first.size,
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

/** Bars taller than text are composed of ordinary bars, which overlap at their ends. */
const isBar = (i: Item): boolean => i.isMath && (i.text === '|' || i.text === '‖' || i.text === '∣')

/** Tall delimiters are composed of pieces, one below the other. */
function joinTextRuns(given: readonly Item[]): Item[] {
  const large = given
    .filter((i) => (i.isLoose && i.text !== '√') || isBar(i))
    .sort((a, b) => a.box.y0 - b.box.y0)
  const gone = new Set<Item>()
  const made: Item[] = []
  for (const top of large) {
    if (gone.has(top)) continue
    const stack = [top]
    for (const i of large) {
      const last = stack.at(-1) as Item
      if (i === last || gone.has(i) || i.text !== top.text || Math.abs(i.box.x0 - top.box.x0) > bearing)
        continue
      const gap = i.isLoose ? attached : 0
      if (i.box.y0 > last.box.y0 && i.box.y0 - last.box.y1 < gap * top.size) stack.push(i)
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

/** Symbols composed of two overlaid glyphs: a stroke through a relation, the tail of an arrow. */
function joinOverlays(given: readonly Item[]): Item[] {
  const gone = new Set<Item>()
  const made: Item[] = []
  for (const top of given) {
    if (top.text !== '\u0338' && top.text !== '/' && top.text !== '↦') continue
    const under = given.find(
      (i) =>
        (top.text === '↦' ? i.text === '→' || i.text === '⟶' : negated[i.text] !== undefined) &&
        Math.abs(i.y - top.y) < attached * i.size &&
        Math.abs(i.box.x0 - top.box.x0) < attached * i.size &&
        top.box.x0 < i.box.x1 - attached * i.size,
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

/** Long arrows, composed of a short one and an extension; a comma of the math letters is a hook. */
const arrows: ReadonlyMap<string, string> = new Map([
  ['−→', '⟶'],
  ['←−', '⟵'],
  ['=⇒', '⟹'],
  ['⇐=', '⟸'],
  ['⇐⇒', '⟺'],
  ['←→', '⟷'],
  [',→', '↪'],
])

function joinArrows(given: readonly Item[]): Item[] {
  const ends = new Set([...arrows.keys()].map((pair) => pair.slice(1)))
  const gone = new Set<Item>()
  const made: Item[] = []
  for (const end of given) {
    if (!ends.has(end.text) || gone.has(end)) continue
    const start = given.find(
      (i) =>
        i !== end &&
        !gone.has(i) &&
        arrows.has(i.text + end.text) &&
        Math.abs(i.y - end.y) < sameLine * end.size &&
        Math.abs(end.box.x0 - i.box.x1) < attached * end.size,
    )
    const text = start && arrows.get(start.text + end.text)
    if (!start || !text) continue
    gone.add(start).add(end)
    const node = { kind: 'symbol' as const, text, look: 'roman' as const }
    made.push({ ...compose([start, end], node, { ...end, isLoose: false }), text })
  }
  return [...given.filter((i) => !gone.has(i)), ...made]
}

/** Merges an accent with the letter below it. */
function joinAccents(given: readonly Item[]): Item[] {
  const gone = new Set<Item>()
  const made: Item[] = []
  for (const mark of given) {
    const kind = accentOf(mark)
    if (!kind) continue
    const middle = (mark.box.x0 + mark.box.x1) / 2
    const bases = given.filter(
      (i) =>
        i !== mark &&
        !gone.has(i) &&
        /^[\p{L}\u{1d400}-\u{1d7ff}]$/u.test(i.text) &&
        Math.abs(i.size - mark.size) < (1 - scriptSize) * mark.size &&
        i.y - mark.y > -sameLine * i.size &&
        i.y - mark.y < apart * i.size &&
        middle > i.box.x0 - sameLine * i.size &&
        middle < i.box.x1 + attached * i.size,
    )
    const away = (i: Item): number => Math.abs((i.box.x0 + i.box.x1) / 2 - middle)
    const base = bases.sort((a, b) => away(a) - away(b))[0]
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
      i.glyphs[0]?.font === base.glyphs[0]?.font &&
      Math.abs(i.y - base.y) < sameLine * base.size &&
      Math.max(i.box.x0 - base.box.x1, base.box.x0 - i.box.x1) < tight * base.size,
  )
