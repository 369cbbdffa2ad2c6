import { statSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

// A worker serves one project: it ends when the next file in the queue is of another, and with it the modules and the
// pre-warmed engines that it has loaded. So the files of a project follow one another. A file that starts late and takes
// long keeps one worker busy after the others have finished. So within a project files that mostly wait come first, then
// the longest ones, then the others by size; and the project with the smallest files comes last.

const repository = resolve(import.meta.dirname, '../..')

const projects = ['e2e', 'clients', 'integration', 'unit']

/** The beginnings of their paths; first those that mostly wait, then by the time that they take. */
const early = [
  'e2e/retention',
  'e2e/wait.',
  'e2e/rate-limit',
  'e2e/admin',
  'e2e/unavailable',
  'e2e/office-pairs',
  'e2e/options-pdf',
  'e2e/conversions',
  'e2e/upload',
  'packages/client/test/command-line/command-line',
  'packages/client/test/python',
  'packages/mcp/test/tools',
  'packages/server/test/process/browser/',
  'packages/server/test/process/',
  'packages/pdf/test/scans',
  'packages/converter/test/engines/libreoffice-warm/',
  'packages/converter/test/engines/pdfa/',
  'packages/converter/test/engines/ffmpeg/',
  'packages/converter/test/engines/pandoc/pairs',
  'packages/converter/test/attacks/',
  'packages/converter/test/sandbox/levels',
  'packages/server/test/http/event-loop',
  'packages/converter/test/threads/',
  'packages/pdf/test/',
]

function rankOf(spec: TestSpecification): number[] {
  const path = relative(repository, spec.moduleId)
  const listed = early.findIndex((start) => path.startsWith(start))
  return [
    spec.project.config.sequence.groupOrder,
    projects.indexOf(spec.project.name),
    listed === -1 ? early.length : listed,
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
