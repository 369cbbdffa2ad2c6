import type { Requirement } from './requirements.ts'

export interface CitationReport {
  uncited: string[]
  unknown: { file: string; id: string }[]
  /** Entries that need a part this suite's instance does not have, and that no test cites. */
  elsewhere: string[]
}

const withoutComments = (source: string) =>
  source.replace(/^\s*\/\/.*$/gm, '').replace(/\/\*[\s\S]*?\*\//g, '')

const citedIn = (source: string): string[] =>
  [...withoutComments(source).matchAll(/\brequirement\(([^)]*)\)/g)].flatMap(([, list = '']) =>
    [...list.matchAll(/'([^']+)'/g)].map(([, id = '']) => id),
  )

/** Compares what test sources cite with the manifest, both ways. */
export const checkCitations = (
  requirements: readonly Requirement[],
  sources: ReadonlyMap<string, string>,
): CitationReport => {
  const known = new Set(requirements.map(({ id }) => id))
  const citations = [...sources].flatMap(([file, source]) => citedIn(source).map((id) => ({ file, id })))
  const cited = new Set(citations.map(({ id }) => id))
  const uncited = requirements.filter(({ id }) => !cited.has(id))
  return {
    uncited: uncited.filter(({ appliesTo }) => appliesTo === undefined).map(({ id }) => id),
    unknown: citations.filter(({ id }) => !known.has(id)),
    elsewhere: uncited
      .filter(({ appliesTo }) => appliesTo !== undefined)
      .map(({ id, appliesTo }) => `${id} (${appliesTo})`),
  }
}
