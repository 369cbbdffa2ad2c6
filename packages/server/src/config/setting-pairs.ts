import { type Pair, pairs } from '@kiln/converter/catalog'
import { Fault, list } from './setting-kinds.ts'

// Settings that name pairs of the catalogue by slug; `*` matches any format.

const howTo =
  'Write slugs with commas between them, such as docx-to-pdf; * matches any format, as in *-to-mp4'

function named(pattern: string): Pair[] {
  const [from, to, ...more] = pattern.split('-to-')
  const fits = (wanted: string | undefined, format: string) => wanted === '*' || wanted === format
  const found = pairs.filter((pair) => fits(from, pair.from) && fits(to, pair.to))
  if (more.length > 0 || found.length === 0) throw new Fault(`"${pattern}" names no pair. ${howTo}`)
  return found
}

/** Slugs, in the order of the catalogue. A pattern with `!` removes pairs that earlier patterns added. */
export const offeredPairs = list<readonly string[]>((parts) => {
  const offered = new Set(parts[0]?.startsWith('!') ? pairs : [])
  for (const part of parts) {
    const isTaken = part.startsWith('!')
    for (const pair of named(isTaken ? part.slice(1) : part)) offered[isTaken ? 'delete' : 'add'](pair)
  }
  if (offered.size === 0) throw new Fault('nothing is left to offer')
  return pairs.filter((pair) => offered.has(pair)).map(({ slug }) => slug)
})

const maxCredits = 1_000_000

/** Credits by slug. When two patterns match a pair, the later one wins. */
export const pairPrices = list<Readonly<Record<string, number>>>((parts) => {
  const prices = parts.flatMap((part) => {
    const [pattern = '', credits = '', ...more] = part.split('=').map((each) => each.trim())
    if (!/^[1-9]\d{0,6}$/.test(credits) || Number(credits) > maxCredits || more.length > 0)
      throw new Fault(
        `"${part}" is not a price. ${howTo}, each with = and its credits, from 1 to ${maxCredits}`,
      )
    return named(pattern).map(({ slug }) => [slug, Number(credits)] as const)
  })
  return Object.fromEntries(prices)
})

/** The pairs that the operator offers, at the operator's prices. */
export const offerOf = (chosen: readonly string[], prices: Readonly<Record<string, number>>): Pair[] =>
  pairs
    .filter(({ slug }) => chosen.includes(slug))
    .map((pair) => ({ ...pair, credits: prices[pair.slug] ?? pair.credits }))
