import { configDefaults } from 'vitest/config'

// `*.slow.test.ts` take minutes of CPU time and rarely fail with an ordinary change. `npm run test:slow` runs them, and
// nothing else, in the projects of the other tests; `npm test` leaves them out.

const slow = '**/*.slow.test.ts'
const isSlowRun = process.env.KILN_TEST_SLOW === '1'

/** The files of a project: those of `patterns`, without `others`, that belong to this run. */
export const testFiles = (patterns: readonly string[], others: readonly string[] = []) => ({
  include: patterns.map((pattern) => (isSlowRun ? pattern.replace('*.test.', '*.slow.test.') : pattern)),
  exclude: [...configDefaults.exclude, ...others, ...(isSlowRun ? [] : [slow])],
})
