import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { convertPdf } from '../src/convert.ts'
import { type BusinessPage, makeBusinessPage } from './business.ts'
import { type BusinessScore, scoreBusiness } from './business-score.ts'
import { type Evidence, makeEvidence } from './documents.ts'
import type { Printer } from './print.ts'
import { type EvidenceScore, scoreEvidence } from './score.ts'

// A few pieces of evidence, printed once and kept beside this file, so that the gate needs no program that prints.

export const fixtureFolder = join(import.meta.dirname, 'fixtures')
const keptFile = join(fixtureFolder, 'scores.json')

/** What prints a seed, so that all do. */
export const printerOf = (seed: number): Printer =>
  (['chromium', 'libreoffice', 'word'] as const)[seed % 3] as Printer

export const businessFixtures: readonly BusinessPage[] = [
  2, 3, 8, 10, 15, 22, 36, 43, 57, 66, 69, 72, 81, 117,
].map(makeBusinessPage)
export const documentFixtures: readonly Evidence[] = [1, 2, 3, 4, 5, 6].map(makeEvidence)

export type Scores = Readonly<Record<string, Partial<BusinessScore & EvidenceScore>>>

/** Every fixture as it is understood today. */
export async function scoreFixtures(): Promise<Scores> {
  const convert = async (name: string, format: 'html' | 'md'): Promise<string> =>
    Buffer.from(await convertPdf(readFileSync(join(fixtureFolder, `${name}.pdf`)), format)).toString('utf8')
  const out: Record<string, Partial<BusinessScore & EvidenceScore>> = {}
  for (const page of businessFixtures) out[page.name] = scoreBusiness(page, await convert(page.name, 'html'))
  for (const page of documentFixtures) out[page.name] = scoreEvidence(page, await convert(page.name, 'md'))
  return out
}

export const readKept = (): Scores => JSON.parse(readFileSync(keptFile, 'utf8')) as Scores

export function keepScores(scores: Scores): void {
  mkdirSync(fixtureFolder, { recursive: true })
  writeFileSync(keptFile, `${JSON.stringify(scores, undefined, 2)}\n`)
}
