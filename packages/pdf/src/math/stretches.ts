import { elementAt } from '../element-at.ts'
import { apart, bearing, type Item, longestSymbol, thinSpace, tight } from './item.ts'
import { isOnLine } from './parse.ts'
import type { MathRow } from './rows.ts'
import { functions, isCloser, isOpener } from './tree.ts'

// Finds the parts of a line that are formulas. Symbols of math fonts are the seeds; from there a formula extends to
// both sides over characters that it shares with prose (digits, brackets, punctuation), as long as they are adjacent.

type Kind = 'math' | 'letter' | 'neutral' | 'function' | 'text'

interface Token {
  kind: Kind
  items: Item[]
  /** Superscripts, subscripts and limits. */
  scripts: Item[]
  text: string
  x0: number
  x1: number
}

const neutral = /^[\d()[\]{}|/=+\-−–<>*∗·•†‡.,:∶;!'’′%‖⟨⟩∣\\&#$…]$/
const operator = /^[=+\-−–<>*∗·•/|∣∶]$/
/** Arrows and operators in any font. */
const symbol = /^[±×÷\u2190-\u21ff\u2200-\u22ff\u27c0-\u27ff\u2a00-\u2aff]$/
const stop = /^[.,;:!]$/
/** Characters between the parts of a URL, a file name or a compound. */
const joint = /^[./:@_\-–&#%\d]$/

export interface Usage {
  /** The formulas of the page use the italics of the text font. */
  textItalics: boolean
}

function tokensOf(row: MathRow, usage: Usage): Token[] {
  const out: Token[] = []
  const isMain = (i: Item): boolean => isOnLine(i, row.y, row.size)
  for (const item of row.items.filter(isMain)) {
    const last = out.at(-1)
    const isNeutral = neutral.test(item.text) || symbol.test(item.text)
    const kind = item.isMath ? 'math' : isNeutral ? 'neutral' : 'text'
    const isTight = last !== undefined && item.box.x0 - last.x1 < tight * row.size
    if (last && kind === 'text' && last.kind === 'text' && isTight) {
      last.items.push(item)
      last.text += item.text
      last.x1 = Math.max(last.x1, item.box.x1)
    } else out.push({ kind, items: [item], scripts: [], text: item.text, x0: item.box.x0, x1: item.box.x1 })
  }
  for (const item of row.items)
    if (!isMain(item)) {
      const host = out.findLast((t) => t.x0 <= item.box.x0 + bearing) ?? out[0]
      host?.scripts.push(item)
      if (host) host.x1 = Math.max(host.x1, Math.min(item.box.x1, nextStart(out, host)))
    }
  for (const [i, t] of out.entries()) if (t.kind === 'text') t.kind = kindOfText(t, out, i, usage)
  return out
}

const nextStart = (tokens: readonly Token[], t: Token): number =>
  tokens[tokens.indexOf(t) + 1]?.x0 ?? Infinity

const lookIs = (t: Token | undefined, look: string): boolean =>
  t?.items.every((i) => i.node.kind === 'symbol' && i.node.look === look) ?? false

function kindOfText(t: Token, all: readonly Token[], i: number, usage: Usage): Kind {
  if (functions.has(t.text)) return 'function'
  const length = [...t.text].length
  // A single Greek letter in text of another script.
  if (length === 1 && /^[\u0391-\u03c9∂ℓ∆Ω]$/u.test(t.text)) return 'math'
  const isProse = (other: Token | undefined, look: string): boolean =>
    other !== undefined &&
    other.kind === 'text' &&
    [...other.text].length > longestSymbol &&
    lookIs(other, look)
  for (const look of ['italic', 'bold'])
    if (lookIs(t, look) && length <= (look === 'italic' ? longestSymbol : 1)) {
      if (isProse(all[i - 1], look) || isProse(all[i + 1], look)) return 'text'
      // Part of a URL: only characters of URLs are between it and a word.
      if (wordAround(all, i).some((other) => isProse(other, look))) return 'text'
      return look === 'italic' && usage.textItalics ? 'math' : 'letter'
    }
  return 'text'
}

/** The adjacent text before and after, across full stops and slashes. */
function wordAround(all: readonly Token[], at: number): Token[] {
  const isPart = (t: Token | undefined): t is Token =>
    t !== undefined && (t.kind === 'text' || joint.test(t.text))
  const isTight = (a: Token, b: Token): boolean =>
    gapBetween(a, b) < tight * Math.max(...[...a.items, ...b.items].map((i) => i.size))
  const out: Token[] = []
  for (const step of [-1, 1])
    for (let i = at + step; ; i += step) {
      const t = all[i]
      const near = elementAt(all, i - step)
      if (!isPart(t) || !(step < 0 ? isTight(t, near) : isTight(near, t))) break
      out.push(t)
    }
  return out
}

const isSign = (t: Token): boolean =>
  operator.test(t.text) ||
  symbol.test(t.text) ||
  (t.kind === 'math' && t.text !== '' && !/[\p{L}\p{N}()[\]{}⟨⟩]/u.test(t.text))

export function findStretches(row: MathRow, usage: Usage): Item[][] {
  const tokens = tokensOf(row, usage)
  const out: Item[][] = []
  let from = 0
  while (from < tokens.length) {
    const seed = tokens.findIndex((t, i) => i >= from && isSeed(t))
    if (seed < 0) break
    const start = leftEnd(tokens, seed, from, row.size)
    const end = rightEnd(tokens, seed, row.size)
    const kept = balance(tokens.slice(start, end + 1))
    if (isFormula(kept)) out.push(kept.flatMap((t) => [...t.items, ...t.scripts]))
    from = end + 1
  }
  return out
}

/** A math superscript makes its base part of a formula. */
const isSeed = (t: Token): boolean =>
  t.kind === 'math' || (t.scripts.length > 0 && (t.kind === 'letter' || t.scripts.some((s) => s.isMath)))

/** Operators between plain numbers can stay plain text. */
const isFormula = (tokens: readonly Token[]): boolean =>
  tokens.some(
    (t) =>
      (t.kind === 'math' && (/\p{L}/u.test(t.text) || t.text === '' || /[∑∏∫√⋃⋂]/.test(t.text))) ||
      t.scripts.some((s) => s.isMath) ||
      (t.kind === 'letter' && t.scripts.length > 0),
  )

const gapBetween = (a: Token, b: Token): number => b.x0 - a.x1
/** Wider than the spaces between parts of one formula. */
const farApart = 1.4

/** A colon with space before it is a relation in a formula; in prose it directly follows its word. */
const isRelation = (tokens: readonly Token[], i: number, size: number): boolean => {
  const [before, t] = [tokens[i - 1], tokens[i]]
  return before !== undefined && t?.text === ':' && gapBetween(before, t) / size > thinSpace
}

function rightEnd(tokens: readonly Token[], seed: number, size: number): number {
  let end = seed
  let depth = Number(isOpener(tokens[seed]?.text ?? ''))
  for (let i = seed + 1; i < tokens.length; i++) {
    const before = elementAt(tokens, i - 1)
    const t = elementAt(tokens, i)
    const gap = gapBetween(before, t) / size
    const isOpen = depth > 0 || isSign(before) || isOpener(before.text) || stop.test(before.text)
    if (gap > (isOpen ? farApart : apart)) break
    if (isOpener(t.text)) depth++
    if (isCloser(t.text)) depth--
    if (t.kind === 'math' || t.kind === 'letter' || t.scripts.some((s) => s.isMath)) {
      // A bold or italic letter may be the next word of the prose.
      if (t.kind === 'letter' && gap > tight && !isOpen && before.kind !== 'function') break
      end = i
    } else if (t.kind === 'function') continue
    else if (t.kind === 'text') {
      // A function name directly before its bracket, as in Exp(x); or a word between two operators, as in x = rate + 1.
      const next = tokens[i + 1]
      const isName = next !== undefined && isOpener(next.text) && gapBetween(t, next) / size < tight
      const isTerm =
        isSign(before) && next !== undefined && isSign(next) && gapBetween(t, next) / size < apart
      if (!isTerm && !(isName && (gap < tight || isSign(before)))) break
    } else if (stop.test(t.text) && !isRelation(tokens, i, size)) {
      if (gap > thinSpace) break
    } else if (isSign(t) || t.text === ':') {
      // Formulas are broken at line ends, after an operator or relation.
      if (i === tokens.length - 1 && /^[=+−]$/.test(t.text)) end = i
    } else {
      if (gap > thinSpace && !isOpen && before.kind !== 'function') break
      if (!isOpener(t.text)) end = i
    }
  }
  return end
}

function leftEnd(tokens: readonly Token[], seed: number, from: number, size: number): number {
  let start = seed
  for (let i = seed - 1; i >= from; i--) {
    const t = elementAt(tokens, i)
    const after = elementAt(tokens, i + 1)
    const gap = gapBetween(t, after) / size
    if (gap > apart) break
    if (t.kind === 'math' || t.kind === 'function') start = i
    else if (t.kind === 'letter') {
      if (gap > tight && !isSign(after)) break
      start = i
    } else if (t.kind === 'text') {
      const isName = isOpener(after.text) && gap < tight
      const leans = isName || (isSign(after) && [...t.text].length === 1)
      if (!leans || start !== i + 1) break
      start = i
    } else if (stop.test(t.text) && !isRelation(tokens, i, size)) {
      const before = tokens[i - 1]
      if (!before || before.kind === 'text' || gapBetween(before, t) / size > tight) break
    } else if (isSign(t) || t.text === ':') {
      if (gap < tight && !isSign(after)) start = i
    } else {
      if (gap > thinSpace && !isSign(after) && !stop.test(after.text)) break
      start = i
    }
  }
  return start
}

/** Unbalanced brackets, punctuation and dangling operators at the ends belong to the prose. */
function balance(tokens: Token[]): Token[] {
  let out = tokens
  for (;;) {
    const first = out[0]
    const last = out.at(-1)
    if (!first || !last) return out
    const depth = out.reduce((d, t) => d + Number(isOpener(t.text)) - Number(isCloser(t.text)), 0)
    const isLoose = (t: Token): boolean => t.kind === 'neutral' && t.scripts.length === 0
    if (isLoose(last) && (stop.test(last.text) || (isCloser(last.text) && depth < 0))) out = out.slice(0, -1)
    else if (isLoose(first) && (stop.test(first.text) || (isOpener(first.text) && depth > 0)))
      out = out.slice(1)
    else return out
  }
}
