import { decisionRequirements } from './decision-requirements.ts'
import { interfaceRequirements } from './interface-requirements.ts'

// The promises of the service, one entry per promise. `interface` entries come from the public interface, `decision`
// entries from decisions where it is unspecified (docs/spec-gaps.md). Tests cite entries by id through
// `requirement(...)`; requirements.test.ts fails when an entry is cited by no test. An entry with `appliesTo` needs a
// component that this suite's own instance does not have: it may stay uncited, and the same test lists it by name on
// every run.
export interface Requirement {
  id: string
  source: 'interface' | 'decision'
  says: string
  appliesTo?: 's3'
}

const of = <Entry extends Omit<Requirement, 'source'>>(
  source: Requirement['source'],
  entries: readonly Entry[],
) => entries.map((entry): Entry & Requirement => ({ ...entry, source }))

export const requirements = [
  ...of('interface', interfaceRequirements),
  ...of('decision', decisionRequirements),
] satisfies readonly Requirement[]

export type RequirementId =
  | (typeof interfaceRequirements)[number]['id']
  | (typeof decisionRequirements)[number]['id']

const known: ReadonlySet<string> = new Set(requirements.map(({ id }) => id))

/** Cites requirements, for a test's title. An id that does not exist stops the file from loading. */
export const requirement = (...ids: [RequirementId, ...RequirementId[]]): string => {
  for (const id of ids) if (!known.has(id)) throw new Error(`No requirement is called ${id}.`)
  return `[${ids.join(' ')}]`
}
