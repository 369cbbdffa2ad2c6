import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { convertPdf, type OutputFormat } from '../../packages/pdf/src/convert.ts'
import { scoreBusiness } from './business-score.ts'
import { scoreDocument } from './document-score.ts'
import { readMarkdown } from './flow.ts'
import { scoreFlow } from './flow-score.ts'
import { scoreScript } from './script-score.ts'

/** Scores from 0 to 1, by part of the document. */
export type FixtureScore = Readonly<Record<string, number>>
export type Scores = Readonly<Record<string, FixtureScore>>

const folder = join(import.meta.dirname, '../../packages/pdf/fixtures')
const storedFile = join(folder, 'scores.json')

interface Scorer {
  format: OutputFormat
  /** `truth` is the content of NAME.truth.json. */
  score(truth: never, output: string): object
}

/** By the first word of the name. */
const scorers: Readonly<Record<string, Scorer>> = {
  invoice: { format: 'html', score: scoreBusiness },
  prices: { format: 'html', score: scoreBusiness },
  evidence: { format: 'md', score: scoreDocument },
  script: { format: 'txt', score: scoreScript },
  paper: { format: 'md', score: (truth, output) => scoreFlow(truth, readMarkdown(output)) },
}

/** Converts every fixture with the current engine. */
export async function scoreFixtures(): Promise<Scores> {
  const scores: Record<string, FixtureScore> = {}
  for (const file of globSync(`${folder}/*.truth.json`).sort()) {
    const name = basename(file, '.truth.json')
    const scorer = scorers[name.split('-')[0] ?? '']
    if (!scorer) throw new Error(`There is no scorer for ${name}.`)
    const pdf = readFileSync(join(folder, `${name}.pdf`))
    const output = Buffer.from(await convertPdf(pdf, scorer.format)).toString('utf8')
    const truth = JSON.parse(readFileSync(file, 'utf8')) as never
    scores[name] = scorer.score(truth, output) as FixtureScore
  }
  return scores
}

export const readStored = (): Scores => JSON.parse(readFileSync(storedFile, 'utf8')) as Scores

export const store = (scores: Scores): void =>
  writeFileSync(storedFile, `${JSON.stringify(scores, undefined, 2)}\n`)
