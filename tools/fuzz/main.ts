import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ConversionFailed, type Converter, openConverter } from '@kiln/converter'
import { type Pair, pairs } from '@kiln/converter/catalog'
import { createRandom } from '@kiln/test-support/random.ts'
import { readArguments } from '../read-arguments.ts'
import { mutate } from './mutate/mutate.ts'
import { openSeeds, type Seed } from './seeds.ts'

const usage = `npm run fuzz -- [COUNT] [FROM] [--format NAME] [--seeds FOLDER] [--keep FOLDER]

Mutates files of every source format and converts each with the real engines. Every conversion must end within
its budget with an output or a documented failure other than "internal", and leave nothing behind.
COUNT files (10000, some hours on two cores), beginning with number FROM (0): the number of a file is its seed,
so that COUNT 1 and FROM repeat one.

  --format NAME    only files of this format
  --seeds FOLDER   also mutate the files below FOLDER
  --keep FOLDER    write files with findings there
`

// Budgets count CPU time; on a busy machine a conversion takes longer, but one that takes this long hangs.
const longestMilliseconds = 900_000
const longestMegabytes = 2048
const workers = 2

interface Finding {
  index: number
  pair: string
  what: string
}

const { values, positionals } = readArguments(usage, {
  format: { type: 'string' },
  seeds: { type: 'string' },
  keep: { type: 'string' },
})

const outcomes = new Map<string, number>()
const findings: Finding[] = []

interface FuzzedFile {
  pair: Pair
  content: Buffer
}

/** The file with this number: a format, a seed of it, one of its pairs, and mutations. */
function fuzzedFile(index: number, seeds: readonly Seed[]): FuzzedFile {
  const random = createRandom(index ^ 0x5eed)
  const format = random.pick([...new Set(seeds.map((seed) => seed.format))])
  const { content } = random.pick(seeds.filter((seed) => seed.format === format))
  const pair = random.pick(pairs.filter(({ from }) => from === format))
  return { pair, content: mutate(content, random.pick(seeds).content, index) }
}

/** The failure code, or what should not happen. */
async function outcomeOf(converter: Converter, { pair, content }: FuzzedFile): Promise<string> {
  const signal = AbortSignal.timeout(longestMilliseconds)
  try {
    await converter.convertFile({
      pair,
      signal,
      input: async (path) => writeFileSync(path, content),
      output: async () => {},
    })
    return 'done'
  } catch (error) {
    if (signal.aborted) return `finding: no end within ${longestMilliseconds / 1000} s`
    if (!(error instanceof ConversionFailed))
      return `finding: ${error instanceof Error ? error.stack : error}`
    if (error.word === 'internal') return `finding: internal: ${error.message} (${String(error.cause)})`
    return error.word
  }
}

async function run(): Promise<void> {
  const [count = '10000', first = '0'] = positionals
  const [from, to] = [Number(first), Number(first) + Number(count)]
  const seeds = (await openSeeds(values.seeds)).filter(
    ({ format }) => !values.format || format === values.format,
  )
  const folder = mkdtempSync(join(tmpdir(), 'kiln-fuzz-'))
  const work = join(folder, 'work')
  const quiet = { info: () => {}, warn: () => {} }
  const converter = await openConverter({ log: quiet, scratch: work, cache: join(folder, 'cache') })
  let next = from
  const convertNext = async () => {
    while (next < to) {
      const index = next++
      const file = fuzzedFile(index, seeds)
      const outcome = await outcomeOf(converter, file)
      const key = outcome.startsWith('finding') ? 'finding' : outcome
      outcomes.set(key, (outcomes.get(key) ?? 0) + 1)
      if (key === 'finding') record({ index, pair: file.pair.slug, what: outcome }, file.content)
      if ((index - from + 1) % 500 === 0)
        console.log(`${index - from + 1} files`, Object.fromEntries(outcomes))
    }
  }
  await Promise.all(Array.from({ length: workers }, convertNext))
  const megabytes = process.resourceUsage().maxRSS / 1024
  await converter.close()
  const left = readdirSync(folder).includes('work') ? readdirSync(work) : []
  if (left.length > 0) findings.push({ index: to, pair: '', what: `left behind: ${left.join(', ')}` })
  if (megabytes > longestMegabytes)
    findings.push({ index: to, pair: '', what: `${megabytes.toFixed(0)} MB of memory` })
  rmSync(folder, { recursive: true, force: true })
  console.log(
    `${to - from} files of ${new Set(seeds.map(({ format }) => format)).size} formats; at most ${megabytes.toFixed(0)} MB`,
    Object.fromEntries(outcomes),
  )
  for (const { index, pair, what } of findings) console.log(`${index} ${pair}: ${what}`)
  process.exitCode = findings.length > 0 ? 1 : 0
}

function record(finding: Finding, content: Buffer): void {
  findings.push(finding)
  console.log(`${finding.index} ${finding.pair}: ${finding.what}`)
  if (values.keep === undefined) return
  mkdirSync(values.keep, { recursive: true })
  writeFileSync(join(values.keep, `${finding.index}-${finding.pair}`), content)
}

await run()
