// Every check there is. `npm run check` runs the quick ones, `npm test` all of them, two side by side. What
// measures time runs `alone`.

const program = (name, command, more = {}) => ({ name, command, ...more })
const project = (name, more = {}) => ({ name, project: name, ...more })

export const stages = [
  program('style', ['biome', 'check', '--error-on-warnings'], { quick: true }),
  program('types', ['tsc', '-p', '.'], { quick: true }),
  program('page types', ['tsc', '-p', 'packages/console'], { quick: true }),
  program('unused', ['knip'], { quick: true }),
  project('unit', { quick: true }),
  project('integration'),
  project('e2e'),
  project('clients'),
  project('process'),
  project('timed', { alone: true }),
]
