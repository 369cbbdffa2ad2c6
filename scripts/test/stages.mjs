// Every check there is. `npm run check` runs the quick ones, `npm test` all of them, two side by side. What
// measures time runs `alone`.

const program = (name, command, more = {}) => ({ name, command, ...more })
const project = (name, more = {}) => ({ name, project: name, ...more })

/** What is known of files that have not changed is kept from run to run. */
const types = (folder, kept) => ['tsc', '-p', folder, '--incremental', '--tsBuildInfoFile', `.setup/${kept}`]

export const stages = [
  // The longest of the quick ones begins.
  project('unit', { quick: true }),
  program('types', types('.', 'types.tsbuildinfo'), { quick: true }),
  program('style', ['biome', 'check', '--error-on-warnings'], { quick: true }),
  program('page types', types('packages/console', 'page-types.tsbuildinfo'), { quick: true }),
  program('unused', ['knip', '--cache', '--cache-location', '.setup/knip'], { quick: true }),
  project('integration'),
  project('e2e'),
  project('clients'),
  project('process'),
  project('timed', { alone: true }),
]
