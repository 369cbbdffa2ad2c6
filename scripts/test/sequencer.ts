import { statSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

// A file that starts late and takes long keeps one worker busy after the others have finished. So files that mostly
// wait come first, then the longest ones; the others are ordered by project, which lets a worker keep its modules, and
// by size.

const repository = resolve(import.meta.dirname, '../..')

/** The beginnings of their paths; first those that mostly wait, then by the time that they take. */
const early = [
  'e2e/retention',
  'e2e/wait.',
  'e2e/rate-limit',
  'packages/server/test/process/browser/',
  'packages/client/test/command-line/command-line',
  'packages/client/test/python',
  'packages/server/test/process/',
  'e2e/admin',
  'e2e/unavailable',
  'e2e/office-pairs',
  'e2e/options-pdf',
  'packages/converter/test/engines/libreoffice-warm/',
  'e2e/conversions',
  'e2e/upload',
  'packages/converter/test/attacks/',
  'packages/converter/test/threads/',
  'packages/converter/test/sandbox/levels',
  'packages/converter/test/engines/pandoc/pairs',
  'packages/converter/test/encryption',
  'packages/server/test/http/event-loop',
  'packages/pdf/test/',
  'tools/evidence/',
]

const projects = ['integration', 'e2e', 'clients', 'unit']

function rankOf(spec: TestSpecification): number[] {
  const path = relative(repository, spec.moduleId)
  const listed = early.findIndex((start) => path.startsWith(start))
  return [
    spec.project.config.sequence.groupOrder,
    listed === -1 ? early.length : listed,
    projects.indexOf(spec.project.name),
    -statSync(spec.moduleId).size,
  ]
}

export class LongestFirstSequencer extends BaseSequencer {
  override async sort(specs: TestSpecification[]): Promise<TestSpecification[]> {
    const ranked = specs.map((spec) => ({ spec, rank: rankOf(spec) }))
    ranked.sort((a, b) => {
      const differences = a.rank.map((each, index) => each - (b.rank[index] ?? 0))
      return differences.find((each) => each !== 0) ?? 0
    })
    return ranked.map(({ spec }) => spec)
  }
}
