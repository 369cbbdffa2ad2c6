// The checks of this repository. `npm test` runs all of them, `npm run check` those that need no process, no database and
// no engine. One vitest runs every test, in one pool of workers (vitest.config.ts).

const program = (name, command) => ({ name, command })
const tests = (...projects) => ({
  name: 'tests',
  vitest: ['--tags-filter=!slow', ...projects.map((each) => `--project=${each}`)],
})

/** tsc caches its results for unchanged files from run to run. */
const types = (folder, file) => ['tsc', '-p', folder, '--incremental', '--tsBuildInfoFile', `.setup/${file}`]

const programs = [
  program('types', types('.', 'types.tsbuildinfo')),
  program('style', ['biome', 'check', '--error-on-warnings']),
  program('browser types', types('packages/browser', 'browser-types.tsbuildinfo')),
  program('page types', types('packages/console', 'page-types.tsbuildinfo')),
  program('unused', ['knip', '--cache', '--cache-location', '.setup/knip']),
]

/** Projects with a separate command are not part of `npm test`. */
const separate = ['!metamorphic', '!browser', '!other-architecture']
export const allTests = tests(...separate)
// The tests of time limits run one at a time and mostly wait, so the programs run beside them.
export const allStages = [[tests(...separate, '!timed')], [tests('timed'), ...programs]]
export const quickStages = [[tests('unit'), ...programs]]
