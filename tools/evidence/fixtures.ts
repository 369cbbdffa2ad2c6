import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { convertPdf } from '../../packages/pdf/src/convert.ts'
import { type BusinessPage, makeBusinessPage } from './business.ts'
import { type BusinessScore, scoreBusiness } from './business-score.ts'
import { type Evidence, makeEvidence } from './documents.ts'
import { readMarkdown } from './flow.ts'
import { type FlowScore, scoreFlow } from './flow-score.ts'
import { makePaper, type Paper } from './papers.ts'
import type { Printer } from './print.ts'
import { type EvidenceScore, scoreEvidence } from './score.ts'
import { type ScriptScore, scoreScript } from './script-score.ts'
import { makeScriptPage, type ScriptPage } from './scripts.ts'

// A few pieces of evidence, printed once and kept in packages/pdf/fixtures, so that the gate needs no program that prints.

export const fixtureFolder = join(import.meta.dirname, '../../packages/pdf/fixtures')
const keptFile = join(fixtureFolder, 'scores.json')

/** What prints a seed, so that all do. */
export const printerOf = (seed: number): Printer =>
  (['chromium', 'libreoffice', 'word'] as const)[seed % 3] as Printer

export const businessFixtures: readonly BusinessPage[] = [
  2, 3, 8, 10, 15, 22, 36, 43, 57, 66, 69, 72, 81, 117,
].map(makeBusinessPage)
export const documentFixtures: readonly Evidence[] = [1, 2, 3, 4, 5, 6].map(makeEvidence)
/** Arabic, Chinese and Korean. */
export const scriptFixtures: readonly ScriptPage[] = [25, 41, 54].map(makeScriptPage)
/** A class with small capitals and notes, a font of bitmaps, and two columns of which the last has no neighbour. */
export const paperFixtures: readonly Paper[] = [42, 48, 81].map(makePaper)

type FixtureScore = Partial<BusinessScore & EvidenceScore & ScriptScore & FlowScore>
export type Scores = Readonly<Record<string, FixtureScore>>

/** Every fixture as it is understood today. */
export async function scoreFixtures(): Promise<Scores> {
  const convert = async (name: string, format: 'html' | 'md' | 'txt'): Promise<string> =>
    Buffer.from(await convertPdf(readFileSync(join(fixtureFolder, `${name}.pdf`)), format)).toString('utf8')
  const out: Record<string, FixtureScore> = {}
  for (const page of businessFixtures) out[page.name] = scoreBusiness(page, await convert(page.name, 'html'))
  for (const page of documentFixtures) out[page.name] = scoreEvidence(page, await convert(page.name, 'md'))
  for (const page of scriptFixtures) out[page.name] = scoreScript(page, await convert(page.name, 'txt'))
  for (const paper of paperFixtures)
    out[paper.name] = scoreFlow(paper.truth, readMarkdown(await convert(paper.name, 'md')))
  return out
}

export const readKept = (): Scores => JSON.parse(readFileSync(keptFile, 'utf8')) as Scores

export function keepScores(scores: Scores): void {
  mkdirSync(fixtureFolder, { recursive: true })
  writeFileSync(keptFile, `${JSON.stringify(scores, undefined, 2)}\n`)
}
