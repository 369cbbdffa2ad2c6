import { readFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Figure } from '../figures.ts'
import { type BenchAccount, convertJob, createAccounts } from '../jobs.ts'
import { startApart } from '../servers/apart.ts'
import { percentile } from '../statistics.ts'
import type { Suite } from '../suite.ts'
import { type Input, makeInputs } from './capacity/inputs.ts'

// A typical mix of conversions, first at maximum throughput, then at a constant lower rate.

const mix = { office: 0.7, pdf: 0.15, interchange: 0.1, video: 0.05 } as const
type Kind = keyof typeof mix
const kinds = Object.keys(mix) as Kind[]
const load = 0.8
const clients = 8

interface Job {
  kind: Kind
  pair: string
  body: Buffer
}

export const mixedLoadSuite: Suite = {
  name: 'mixed-load',
  startsPrograms: true,
  title: 'A mixed load',
  method: `API, worker and clients on one machine. 70 % of the conversions are office documents to PDF, 15 % PDF to Word, 10 % Markdown to HTML and Word to Markdown, 5 % encoded videos. First ${clients} clients keep all lanes busy, which gives the capacity. Then conversions arrive at random times at ${load * 100} % of it; their time is from submit to end.`,
  async run(environment, { short, say }) {
    const folder = await environment.createFolder('mixed')
    const databaseUrl = await environment.createServiceDatabase('mixed_load')
    const [account] = await createAccounts(databaseUrl, 1)
    const inputs = await readInputs(join(folder, 'documents'))
    const service = await startApart(databaseUrl, folder)
    const convert = async ({ pair, body }: Job) => {
      const started = performance.now()
      await convertJob(service.base, (account as BenchAccount).key, pair, body)
      return performance.now() - started
    }
    try {
      for (const input of [...inputs.values()].flat()) await convert(input)
      const perSecond = await capacity(makeDeck(inputs, short ? 20 : 100), convert)
      say(`${perSecond.toFixed(2)} documents/s with all lanes busy`)
      const deck = makeDeck(inputs, short ? 20 : 120)
      const gaps = deck.map(() => (-Math.log(1 - random()) * 1000) / (perSecond * load))
      const mixed = await atPace(deck, gaps, convert)
      const alone = await atPace(deck, gaps, convert, ({ kind }) => kind !== 'video')
      for (const kind of kinds) say(`${kind}: ${describe(mixed[kind])}`)
      say(`office, without videos: ${describe(alone.office)}`)
      return {
        figures: [
          {
            name: 'documents a second, all lanes busy',
            seen: perSecond,
            unit: '',
            detail: `${availableParallelism()} cores, ${clients} clients`,
          },
          ...kinds.map((kind) => timeOf(kind, mixed[kind])),
          slowedBy(mixed.office, alone.office),
        ],
      }
    } finally {
      await service.stop()
    }
  },
}

const percents = [50, 95, 99]

const describe = (times: readonly number[]) =>
  `${times.length} conversions; ${percents.map((p) => `p${p} ${percentile(times, p).toFixed(0)} ms`).join(', ')}`

const timeOf = (kind: Kind, times: readonly number[]): Figure => ({
  name: `${kind}, p95`,
  seen: percentile(times, 95),
  unit: 'ms',
  sensitive: true,
  detail: describe(times),
})

const slowedBy = (beside: readonly number[], without: readonly number[]): Figure => {
  const [a, b] = [percentile(beside, 95), percentile(without, 95)]
  const detail = `${a.toFixed(0)} ms against ${b.toFixed(0)} ms`
  return {
    name: `office beside videos ÷ without, p95`,
    seen: a / b,
    unit: '×',
    sensitive: true,
    detail,
  }
}

/** Remuxed videos are omitted: they take no more than a letter. */
async function readInputs(folder: string): Promise<Map<Kind, Job[]>> {
  const made = (await makeInputs(folder)).filter(({ pair }) => pair !== 'mkv-to-mp4')
  const read = async ({ kind, pair, path }: Input) => ({
    kind: kind as Kind,
    pair,
    body: await readFile(path),
  })
  const jobs = await Promise.all(made.filter(({ kind }) => kind in mix).map(read))
  return Map.groupBy(jobs, ({ kind }) => kind) as Map<Kind, Job[]>
}

/** This many jobs in the proportions of the mix, in a pseudo-random order that is the same every time. */
function makeDeck(inputs: ReadonlyMap<Kind, readonly Job[]>, count: number): Job[] {
  const deck = kinds.flatMap((kind) => {
    const jobs = inputs.get(kind) as readonly Job[]
    return Array.from({ length: Math.round(count * mix[kind]) }, (_, n) => jobs[n % jobs.length] as Job)
  })
  return deck
    .map((job) => ({ job, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ job }) => job)
}

let state = 1
/** From 0 to 1, the same sequence in every run. */
function random(): number {
  state = (state * 48_271) % 0x7fffffff
  return state / 0x7fffffff
}

async function capacity(deck: readonly Job[], convert: (job: Job) => Promise<number>): Promise<number> {
  const left = [...deck]
  const started = performance.now()
  const client = async () => {
    for (let job = left.pop(); job; job = left.pop()) await convert(job)
  }
  await Promise.all(Array.from({ length: clients }, client))
  return (deck.length * 1000) / (performance.now() - started)
}

async function atPace(
  deck: readonly Job[],
  gaps: readonly number[],
  convert: (job: Job) => Promise<number>,
  isWanted: (job: Job) => boolean = () => true,
): Promise<Record<Kind, number[]>> {
  const times: Record<Kind, number[]> = { office: [], pdf: [], interchange: [], video: [] }
  const running: Promise<unknown>[] = []
  for (const [at, job] of deck.entries()) {
    await sleep(gaps[at])
    if (isWanted(job)) running.push(convert(job).then((time) => times[job.kind].push(time)))
  }
  await Promise.all(running)
  return times
}
