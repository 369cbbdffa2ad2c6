import { elementAt } from '../element-at.ts'
import {
  apart,
  attached,
  axis,
  bearing,
  type Item,
  isOperatorItem,
  sameLine,
  scriptSize,
  thinSpace,
} from './item.ts'
import { limitWords, type MathNode } from './tree.ts'

// Parses the adjacent items of a formula into a tree: the glyphs on the baseline, and the scripts and limits attached
// to them.

interface Atom {
  item: Item
  scripts: Item[]
}

/** Minimum size of fractions in a line of text: the size of scripts. */
const smallestPart = 0.6
/** Limits are above or below their symbol, at most this far to its side, in ems. */
export const besideSign = 1.6
/** A wide limit is centred below or above the symbol, within this tolerance in ems. */
export const underSign = 0.6
/** Limits of a word are about a line below it, in ems. */
export const belowWord = { from: 0.5, to: 1.1 }
/** Distance between the baseline of a script and its ink, about half of the x-height, in ems of the script. */
const inkOfScript = 0.45

export function mainLine(items: readonly Item[]): { y: number; size: number } {
  const firmSizes = items.filter((i) => !i.isLoose).map((i) => i.size)
  const size = Math.max(...(firmSizes.length > 0 ? firmSizes : items.map((i) => i.size)))
  const main = items.filter((i) => i.size > scriptSize * size)
  const firm = main.filter((i) => !i.isLoose)
  const ys = (firm.length > 0 ? firm : main).map((i) => i.y).sort((a, b) => a - b)
  return { y: ys[ys.length >> 1] ?? 0, size }
}

/** Fractions in a line of text are smaller, but their bar is on the math axis of the line. */
export const isOnLine = (i: Item, y: number, size: number): boolean =>
  i.isLoose
    ? i.size > smallestPart * size && Math.abs(i.middle - (y - axis * size)) <= attached * size
    : i.size > scriptSize * size && i.size < size / scriptSize && Math.abs(i.y - y) <= sameLine * size

export function parseItems(items: readonly Item[], line = mainLine(items)): MathNode {
  const { y, size } = line
  const sorted = [...items].sort((a, b) => a.box.x0 - b.box.x0)
  const atoms: Atom[] = sorted.filter((i) => isOnLine(i, y, size)).map((item) => ({ item, scripts: [] }))
  const loose = sorted.filter((i) => !isOnLine(i, y, size))
  if (atoms.length === 0) return { kind: 'row', items: loose.map((i) => i.node) }
  const words = joinWords(atoms)
  const middles = loose.length > 1 ? middlesOf(loose) : new Map<Item, number>()
  for (const item of loose) {
    const host =
      limitHost(words, item, { y, size }, middles.get(item)) ??
      words.findLast((a) => a.item.box.x0 <= item.box.x0 + bearing)
    if (host) host.scripts.push(item)
    else words[0]?.scripts.push(item)
  }
  return row(words.map((a) => atomNode(a, y, size)))
}

const row = (items: MathNode[]): MathNode =>
  items.length === 1 ? elementAt(items, 0) : { kind: 'row', items }

/** The large symbol or word such as "lim" that has the item above or below it. */
function limitHost(
  atoms: readonly Atom[],
  item: Item,
  { y, size }: { y: number; size: number },
  wide: number | undefined,
): Atom | undefined {
  const middle = (item.box.x0 + item.box.x1) / 2
  let best: Atom | undefined
  let minDistance = besideSign * size
  for (const atom of atoms) {
    const { node, box } = atom.item
    const isWord = node.kind === 'word' && limitWords.has(node.text)
    if (!isWord && !isOperatorItem(atom.item)) continue
    const isApart = isWord
      ? item.y - y > belowWord.from * size
      : item.y < box.y0 + sameLine * size || item.y - inkOfScript * item.size > box.y1 - sameLine * size
    const sign = (box.x0 + box.x1) / 2
    // A wide limit as a whole is centred below the symbol, whatever its ends are close to.
    const isUnder = wide !== undefined && Math.abs(wide - sign) < underSign * size
    const away = isUnder ? 0 : Math.abs(middle - sign)
    if (isApart && away < minDistance) {
      minDistance = away
      best = atom
    }
  }
  return best
}

function atomNode({ item, scripts }: Atom, y: number, size: number): MathNode {
  if (scripts.length === 0) return item.node
  // Beside a tall symbol, items above its middle are superscripts; beside a letter, items above the baseline.
  const isTall = item.isLoose
  const isRaised = (s: Item): boolean =>
    s.y < (isTall ? y - axis * size + sameLine * s.size : y - sameLine * size)
  const sup = scripts.filter(isRaised)
  const sub = scripts.filter((s) => !isRaised(s))
  return {
    kind: 'scripts',
    base: item.node,
    sub: sub.length > 0 ? parseItems(sub) : undefined,
    sup: sup.length > 0 ? parseItems(sup) : undefined,
  }
}

const isRomanLetter = (i: Item): boolean =>
  i.node.kind === 'symbol' && i.node.look === 'roman' && /^\p{L}$/u.test(i.text)

/** Adjacent upright letters are one word; a wider gap is a space in it. */
function joinWords(atoms: readonly Atom[]): Atom[] {
  const out: Atom[] = []
  for (const atom of atoms) {
    const last = out.at(-1)
    const before = last?.item
    if (before && isRomanLetter(atom.item) && isWord(before.node)) {
      const gap = atom.item.box.x0 - before.box.x1
      if (gap < apart * atom.item.size) {
        const text = `${(before.node as { text: string }).text}${gap > thinSpace * atom.item.size ? ' ' : ''}${atom.item.text}`
        out[out.length - 1] = {
          item: {
            ...before,
            text: '',
            node: { kind: 'word', text, look: 'roman' },
            box: { ...before.box, x1: atom.item.box.x1 },
            glyphs: [...before.glyphs, ...atom.item.glyphs],
          },
          scripts: [],
        }
        continue
      }
    }
    out.push({ item: atom.item, scripts: [] })
  }
  return splitFunctions(out)
}

const isWord = (node: MathNode): boolean =>
  node.kind === 'word' || (node.kind === 'symbol' && node.look === 'roman' && /^\p{L}$/u.test(node.text))

/** "log log" is two functions, not text with a space. */
function splitFunctions(atoms: Atom[]): Atom[] {
  return atoms.flatMap((atom) => {
    const { node } = atom.item
    if (node.kind !== 'word' || !node.text.includes(' ')) return [atom]
    const parts = node.text.split(' ')
    if (!parts.every((p) => limitWords.has(p) || /^(a?(rc)?(sin|cos|tan)h?|log|ln|exp)$/.test(p)))
      return [atom]
    return parts.map((text) => ({ item: { ...atom.item, node: { ...node, text } }, scripts: [] }))
  })
}

// Chains of small adjacent glyphs: the limit of a sum may be wider than the sum sign and is centred below it.

/** Maximum distance between the baseline of a chain and those of its own scripts, in ems of the first glyph. */
const sameChain = 0.5

/** Maps each item to the middle of its chain. */
export function middlesOf(items: readonly Item[]): ReadonlyMap<Item, number> {
  const chains: { items: Item[]; x0: number; x1: number; y: number; size: number }[] = []
  const open: typeof chains = []
  for (const item of items.toSorted((a, b) => a.box.x0 - b.box.x0)) {
    const { x0, x1 } = item.box
    // Drops chains that ended too far to the left.
    for (let i = open.length - 1; i >= 0; i--) {
      const chain = open[i] as (typeof chains)[number]
      if (x0 - chain.x1 > apart * chain.size) open.splice(i, 1)
    }
    const chain = open.find(
      (c) => Math.abs(item.y - c.y) < sameChain * c.size && item.size < c.size + 1 && item.size > c.size / 2,
    )
    if (chain) {
      chain.items.push(item)
      chain.x1 = Math.max(chain.x1, x1)
    } else {
      const made = { items: [item], x0, x1, y: item.y, size: item.size }
      chains.push(made)
      open.push(made)
    }
  }
  return new Map(chains.flatMap((c) => c.items.map((i) => [i, (c.x0 + c.x1) / 2] as const)))
}
