/**
 * The tag of tests that `npm test` leaves out and `npm run test:slow` runs; the workflow runs both. They repeat a proof
 * for another case (a sandbox level, a signal, a format), use up a budget of minutes, or break a process on purpose and
 * wait for its recovery. A file whose tests are all slow begins with `@module-tag slow`.
 */
export const slowTag = { name: 'slow', description: 'left out by npm test; run by npm run test:slow' }
