/** How long a test waits for what it knows will happen. No promise is measured by it, so it may be far too long. */
export const patienceMilliseconds = 240_000

/** What hangs fails its test in the end, on however slow a machine: settings of every project. */
export const patience = {
  testTimeout: patienceMilliseconds + 60_000,
  hookTimeout: patienceMilliseconds + 60_000,
  expect: { poll: { timeout: patienceMilliseconds } },
}
