import type { Rule } from './page.ts'
import type { Ink } from './scan-ink.ts'
import { hairline } from './shapes.ts'

// Finds rules on a deskewed scan: long, thin runs of dark pixels.

/** Minimum darkness (0 to 255): pale table rules are lighter than letters, and noise is lighter still. */
const minDark = 40
/** Shorter runs are strokes of letters; in points. */
const shortest = { across: 24, down: 11 }
/** Thicker runs are areas and pictures; in points. */
const thickest = 3.6
/** Number of light pixels that a run may contain. */
const maxMissed = 2
/** Maximum on one page: more are a texture. */
const maxRules = 4000
const ofRules = '000000'

interface Run {
  from: number
  to: number
  first: number
  last: number
}

export function rulesIn(ink: Ink, dots: number): Rule[] {
  const out: Rule[] = []
  for (const horizontal of [true, false]) {
    const minLength = (horizontal ? shortest.across : shortest.down) * dots
    for (const run of thinRuns(lanesOf(ink, horizontal), minLength, thickest * dots)) {
      if (out.length >= maxRules) return []
      out.push({
        horizontal,
        // A lane includes the pixels of the next one.
        at: ((run.first + run.last) / 2 + 1) / dots,
        from: run.from / dots,
        to: run.to / dots,
        thickness: Math.max(hairline, (run.last - run.first) / dots),
        color: ofRules,
        weak: false,
      })
    }
  }
  return out
}

/** Merges runs of adjacent lanes; a run that becomes too thick is not a rule. */
function thinRuns(lanes: Lanes, minLength: number, thickestRun: number): Run[] {
  const out: Run[] = []
  let open: Run[] = []
  for (let lane = 0; lane <= lanes.count; lane++) {
    const found = lane < lanes.count ? runsOf(lanes, lane, minLength) : []
    if (found.length === 0 && open.length === 0) continue
    const next: Run[] = []
    for (const run of found) {
      const above = open.filter((o) => o.from < run.to && o.to > run.from)
      const first = Math.min(run.first, ...above.map((o) => o.first))
      next.push({
        first,
        last: lane,
        from: Math.min(run.from, ...above.map((o) => o.from)),
        to: Math.max(run.to, ...above.map((o) => o.to)),
      })
    }
    const goesOn = (o: Run): boolean => found.some((run) => o.from < run.to && o.to > run.from)
    for (const o of open) if (!goesOn(o) && o.last - o.first <= thickestRun) out.push(o)
    open = next
    if (out.length > maxRules) break
  }
  return out
}

/** Pixel rows or columns. */
interface Lanes {
  count: number
  length: number
  /** Whether a pixel, or its neighbour in the next lane, is dark: a rule with a slight slope crosses lanes. */
  isDark: (lane: number, along: number) => boolean
}

function lanesOf({ width, height, dark }: Ink, horizontal: boolean): Lanes {
  const [length, count] = horizontal ? [width, height] : [height, width]
  const [step, beside] = horizontal ? [1, width] : [width, 1]
  return {
    count: count - 1,
    length,
    isDark: (lane, along) => {
      const at = lane * beside + along * step
      return (dark[at] as number) >= minDark || (dark[at + beside] as number) >= minDark
    },
  }
}

/** A long run has dark pixels in every window of a few: only one window per minimum length is examined. */
function runsOf({ length, isDark }: Lanes, lane: number, minLength: number): Run[] {
  const out: Run[] = []
  const step = Math.max(1, Math.floor(minLength) - maxMissed)
  /** The last dark pixel before more than a few light ones. */
  const endOf = (start: number, direction: 1 | -1, border: number): number => {
    let last = start
    for (let at = start; at !== border && Math.abs(at - last) <= maxMissed + 1; at += direction)
      if (isDark(lane, at)) last = at
    return last
  }
  for (let probe = 0, done = -1; probe < length; probe += step) {
    let start = probe
    while (start < length && start <= probe + maxMissed && !isDark(lane, start)) start++
    if (start >= length || start > probe + maxMissed) continue
    const [from, last] = [endOf(start, -1, done), endOf(start, 1, length)]
    if (last - from >= minLength) out.push({ from, to: last + 1, first: lane, last: lane })
    done = last
    probe = Math.max(probe, last + 1 - step)
  }
  return out
}
