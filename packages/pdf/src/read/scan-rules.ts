import type { Rule } from './page.ts'
import type { Ink } from './scan-ink.ts'
import type { Skew } from './scan-skew.ts'
import { hairline } from './shapes.ts'

// Lines that a scan shows: long runs of dark dots, as thin as a line, searched along the slope of the text.

/** Of 255: pale lines of tables are lighter than letters, and noise is lighter still. */
const leastDark = 40
/** Shorter runs are strokes of letters; in points. */
const shortest = { across: 24, down: 11 }
/** Thicker ones are areas and pictures; in points. */
const thickest = 3.6
/** Dots that a run may miss. */
const mostMissed = 2
/** Of one page: more are a texture. */
const mostRules = 4000
const ofRules = '000000'

interface Run {
  from: number
  to: number
  first: number
  last: number
}

export function rulesIn(ink: Ink, skew: Skew, dots: number): Rule[] {
  const out: Rule[] = []
  for (const horizontal of [true, false]) {
    const least = (horizontal ? shortest.across : shortest.down) * dots
    for (const run of thinRuns(ink, skew, horizontal, least, thickest * dots)) {
      if (out.length >= mostRules) return []
      out.push({
        horizontal,
        // A lane also has the dots of the next one.
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

/** Runs of neighbouring lanes are one; what grows thicker than a line is none. */
function thinRuns(ink: Ink, skew: Skew, horizontal: boolean, least: number, thickestRun: number): Run[] {
  const lanes = horizontal ? ink.height : ink.width
  const out: Run[] = []
  let open: Run[] = []
  for (let lane = 0; lane <= lanes; lane++) {
    const found = lane < lanes ? runsOf(ink, skew, horizontal, lane, least) : []
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
    if (out.length > mostRules) break
  }
  return out
}

function runsOf(ink: Ink, skew: Skew, horizontal: boolean, lane: number, least: number): Run[] {
  const { width, height, dark } = ink
  const length = horizontal ? width : height
  const breadth = horizontal ? height : width
  const slope = horizontal ? skew.slope : -skew.slope
  const centre = length / 2
  const out: Run[] = []
  let from = -1
  let last = -1
  const end = (): void => {
    if (from >= 0 && last - from >= least) out.push({ from, to: last + 1, first: lane, last: lane })
    from = -1
  }
  for (let along = 0; along < length; along++) {
    const across = lane + Math.round(slope * (along - centre))
    if (across < 0 || across + 1 >= breadth) continue
    const at = horizontal ? across * width + along : along * width + across
    // A thin line lies between two lanes where the slope takes it from one to the next.
    const next = at + (horizontal ? width : 1)
    if (Math.max(dark[at] as number, dark[next] as number) >= leastDark) {
      if (from < 0) from = along
      last = along
    } else if (from >= 0 && along - last > mostMissed) end()
  }
  end()
  return out
}
