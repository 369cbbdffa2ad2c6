import type { Paragraph } from './block.ts'
import { readNumber } from './numbers.ts'

// Which level a heading has, from the looks of all of them.

/** Capitals in two sizes. */
export function isSmallCaps(p: Paragraph): boolean {
  if (p.text !== p.text.toUpperCase() || !/\p{Lu}{3}/u.test(p.text)) return false
  const sizes = p.runs.filter((r) => /\p{Lu}/u.test(r.text)).map((r) => r.style.size)
  return sizes.length > 1 && Math.max(...sizes) > 1.1 * Math.min(...sizes)
}

/** Levels by look: bigger before smaller, then the order of appearance; numbering overrules. */
export function rank(found: readonly Paragraph[], all: readonly Paragraph[], bodySize: number): void {
  const looks = new Map<string, Look>()
  for (const p of found) {
    const numbers = /^\s*(\d{1,3}(?:\.\d{1,3})*)\.?\s/.exec(p.label ? `${p.label} ` : p.text)
    const depth = numbers ? (numbers[1] as string).split('.').length : 0
    const italic = p.runs.every((r) => r.style.italic || !r.text.trim())
    const key = `${Math.round(p.size * 2)}/${p.bold}/${italic}/${isSmallCaps(p)}/${depth > 0 ? depth : (readNumber(p.label)[0]?.format ?? '')}`
    const entry = looks.get(key)
    if (entry) entry.items.push(p)
    else
      looks.set(key, {
        size: p.size,
        bold: p.bold,
        weight: p.size * 10 + (p.bold ? 3 : 0) - (italic ? 1 : 0) + (p.align === 'center' ? 0.5 : 0),
        depth,
        items: [p],
      })
  }
  const ordered = [...looks.values()].sort((a, b) => b.weight - a.weight || a.depth - b.depth)
  takeTitle(ordered, all, bodySize)
  dropOneOffs(ordered, all)
  let level = 0
  let lastWeight = Infinity
  for (const look of ordered) {
    if (look.weight < lastWeight - 2) {
      level++
      lastWeight = look.weight
    }
    for (const p of look.items) p.heading = Math.max(1, Math.min(6, level))
  }
  for (const p of found) if (p.heading !== undefined && p.list) p.list = undefined
}

interface Look {
  size: number
  bold: boolean
  weight: number
  depth: number
  items: Paragraph[]
}

/**
 * Where hardly any look comes twice and smaller ones come before bigger ones, looks are decoration, as on
 * posters and bulletins, and say nothing of levels.
 */
function dropOneOffs(ordered: Look[], all: readonly Paragraph[]): void {
  const once = ordered.filter((l) => l.items.length === 1)
  if (ordered.length < 6 || once.length < 0.6 * ordered.length) return
  const places = ordered.map((l) => all.indexOf(l.items[0] as Paragraph))
  const steps = places.slice(1).map((place, i) => place - (places[i] as number))
  if (steps.filter((s) => s < 0).length < 2) return
  const kept = ordered.filter((l) => l.items.length > 1)
  ordered.splice(0, ordered.length, ...kept)
}

/** One or two big lines at the top of the first page are the title; their looks leave the list. */
function takeTitle(ordered: Look[], all: readonly Paragraph[], bodySize: number): void {
  const biggest = ordered[0]?.size ?? 0
  const top = all[0]
  const looks = ordered.filter((l) => Math.abs(l.size - biggest) < 0.3)
  const items = looks.flatMap((l) => l.items)
  const cover = all.every((p) => p.page > 0 || p.lines < 3)
  if (!top || biggest < 1.25 * bodySize || items.length > 2 || looks.length === ordered.length) return
  if (!items.every((p) => p.page === 0 && (cover || p.firstBaseline - top.firstBaseline < 260))) return
  const places = items.map((p) => all.indexOf(p))
  const between = all.slice(Math.min(...places), Math.max(...places))
  if (between.some((p) => p.text.length > 80 && !items.includes(p))) return
  for (const p of items) p.heading = 0
  ordered.splice(0, looks.length)
}
