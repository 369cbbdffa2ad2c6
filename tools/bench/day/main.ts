import { readFileSync, writeFileSync } from 'node:fs'
import { parseAllDocuments } from 'yaml'
import { lineChart } from '../plots/line-chart.ts'
import { percentile } from '../statistics.ts'
import { readRules } from './rules.ts'
import { type Outcome, type PodFacts, simulate } from './simulate.ts'
import { arrivals, type Job, jobSeconds, type Kind, randomNumbers, shareOfPeak } from './workload.ts'

// `npm run simulate-day`: a day with a peak, with workers of a fixed number and with the autoscaler of
// deploy/kubernetes/autoscale.yaml, in a few seconds. Prints waits and core-hours, and renews the plots
// of docs/scaling.md.

const file = (path: string) => new URL(`../../../${path}`, import.meta.url)
const day = 24 * 3600
const step = 600
const seed = 1
/** Prometheus' usual interval, and the minute of prometheus-adapter/values.yaml. */
const seen = { scrapeSeconds: 15, averagedSeconds: 60 }

interface Figures {
  capacity: { figures: readonly { name: string; seen: number }[] }
}

const measured = (JSON.parse(readFileSync(file('docs/benchmarks/results.json'), 'utf8')) as Figures).capacity
const manifests = parseAllDocuments(readFileSync(file('deploy/kubernetes/autoscale.yaml'), 'utf8'))

/** Seconds of a core that one conversion of this kind takes, from docs/benchmarks.md. */
function coreSeconds(kind: string): number {
  const figure = measured.figures.find(({ name }) => name.startsWith(kind))
  if (!figure) throw new Error(`docs/benchmarks/results.json has no figure for ${kind}.`)
  return 1 / figure.seen
}

interface Fleet {
  name: string
  peakPerSecond: number
  kinds: readonly Kind[]
  /** Jobs that somebody sends all at once, at eight in the evening. */
  batch: number
  pod: PodFacts
  drawn?: true
}

const fleets: readonly Fleet[] = [
  {
    name: 'documents',
    peakPerSecond: 20,
    kinds: [
      { share: 0.5, seconds: coreSeconds('Word to PDF') },
      { share: 0.3, seconds: coreSeconds('Markdown to HTML') },
      { share: 0.2, seconds: coreSeconds('PDF to Word') },
    ],
    batch: 2000,
    pod: { cores: 2, slots: 2, startSeconds: 30, drainSeconds: 20 },
    drawn: true,
  },
  {
    name: 'video',
    peakPerSecond: 0.1,
    // Films of two minutes, on the two cores of their pod; ten seconds of one core's time were measured.
    kinds: [{ share: 1, seconds: (coreSeconds('video to WebM') * 12) / 2 }],
    batch: 20,
    pod: { cores: 2, slots: 1, startSeconds: 30, drainSeconds: 900 },
  },
]

for (const fleet of fleets) {
  const rules = readRules(manifests, fleet.name)
  const jobs = jobsOf(fleet)
  const run = (pods: number) => simulate(jobs, fleet.pod, { fixed: pods })
  const autoscaled = simulate(jobs, fleet.pod, { rules, ...seen })
  const most = Math.max(...autoscaled.cores.map(({ cores }) => cores)) / fleet.pod.cores
  const alike = Math.ceil(autoscaled.coreHours / 24 / fleet.pod.cores)
  const forPeak = podsForPeak(fleet)
  process.stdout.write(`\n${fleet.name}: ${jobs.length.toLocaleString('en-US')} jobs\n`)
  const rows = new Map<string, Outcome>([
    [`fixed, ${alike} pods: the autoscaler's core-hours`, run(alike)],
    [`fixed, ${forPeak} pods: enough for the peak`, run(forPeak)],
    [`autoscaled, ${rules.minReplicas} to ${most} pods`, autoscaled],
    ['autoscaled, pods start in 120 s', slowStart(fleet, jobs)],
  ])
  for (const [name, outcome] of rows) process.stdout.write(`${describe(name, outcome)}\n`)
  if (fleet.drawn) draw(fleet, jobs, { autoscaled, fixed: run(alike), alike, forPeak })
}

function jobsOf({ peakPerSecond, kinds, batch }: Fleet): Job[] {
  const random = randomNumbers(seed)
  const rate = (at: number) => peakPerSecond * shareOfPeak(at)
  const jobs = arrivals({ seconds: day, highest: peakPerSecond, rate, kinds }, random)
  for (let index = 0; index < batch; index++)
    jobs.push({ arrives: 20 * 3600, seconds: jobSeconds(kinds, random) })
  return jobs.sort((a, b) => a.arrives - b.arrives)
}

/** What the peak keeps busy, and a fifth more. */
function podsForPeak({ peakPerSecond, kinds, pod }: Fleet): number {
  const mean = kinds.reduce((sum, { share, seconds }) => sum + share * seconds, 0)
  return Math.ceil((peakPerSecond * mean * 1.2) / pod.slots)
}

function slowStart(fleet: Fleet, jobs: readonly Job[]): Outcome {
  const pod = { ...fleet.pod, startSeconds: 120 }
  return simulate(jobs, pod, { rules: readRules(manifests, fleet.name), ...seen })
}

function describe(name: string, { ended, coreHours, cutShort }: Outcome): string {
  const waits = ended.map(({ waited }) => waited)
  const figures = [50, 95, 99, 100].map((percent) => `p${percent} ${percentile(waits, percent).toFixed(1)} s`)
  return `  ${name}: waits ${figures.join(', ')}; ${coreHours.toFixed(0)} core-hours; ${cutShort} begun anew`
}

interface Drawn {
  autoscaled: Outcome
  fixed: Outcome
  alike: number
  forPeak: number
}

function draw(
  { name, pod }: Fleet,
  jobs: readonly Job[],
  { autoscaled, fixed, alike, forPeak }: Drawn,
): void {
  const slotCores = pod.cores / pod.slots
  const steps = Array.from({ length: day / step }, (_, index) => index * step)
  const hours = (at: number) => at / 3600
  const asked = inSteps(jobs).map(
    (own, index) =>
      [hours(index * step), (own.reduce((sum, { seconds }) => sum + seconds, 0) * slotCores) / step] as const,
  )
  const held = steps.map(
    (at) => [hours(at), autoscaled.cores.findLast((change) => change.at <= at)?.cores ?? 0] as const,
  )
  const level = (pods: number) => [[0, pods * pod.cores] as const, [24, pods * pod.cores] as const]
  const cores = lineChart({
    title: `Cores over the day: ${name}`,
    xAxis: 'hour',
    yAxis: 'cores',
    largestX: 24,
    series: [
      { name: 'autoscaled', points: held },
      { name: 'fixed for the peak', points: level(forPeak) },
      { name: 'asked for', points: asked },
    ],
  })
  const late = ({ ended }: Outcome) =>
    inSteps(ended).map((own, index) => {
      const wait =
        own.length === 0
          ? 0
          : percentile(
              own.map(({ waited }) => waited),
              95,
            )
      return [hours(index * step), wait] as const
    })
  const waits = lineChart({
    title: `Wait of nineteen in twenty jobs, over the day: ${name}`,
    xAxis: 'hour of arrival',
    yAxis: 'seconds',
    largestX: 24,
    series: [
      { name: 'autoscaled', points: late(autoscaled) },
      { name: `fixed, ${alike} pods`, points: late(fixed) },
    ],
  })
  writeFileSync(file(`docs/benchmarks/day-${name}-cores.svg`), cores)
  writeFileSync(file(`docs/benchmarks/day-${name}-waits.svg`), waits)
}

/** What arrives in each step of the day. */
function inSteps<T extends Job>(jobs: readonly T[]): T[][] {
  const steps: T[][] = Array.from({ length: day / step }, () => [])
  for (const job of jobs) steps[Math.floor(job.arrives / step)]?.push(job)
  return steps
}
