import { afterAll, beforeAll, test } from 'vitest'
import { openFolderFor, openTestConverter, type TestConverter } from './test-converter.ts'

/**
 * One converter for all files of a worker, with every engine warm: LibreOffice's fork server takes as long to start as
 * thirty conversions take.
 */
// biome-ignore lint/correctness/noEmptyPattern: vitest reads from the pattern which fixtures this one needs.
const sharing = test.extend('shared', { scope: 'worker' }, async ({}, { onCleanup }) => {
  const shared = await openTestConverter()
  onCleanup(shared.close)
  await shared.converter.prepare()
  return shared.converter
})

/**
 * A converter for the tests of a file or of a `describe`: that of the worker, or with options one that nothing else
 * uses. A test that changes the state of an engine needs its own.
 */
export function useTestConverter(options?: Parameters<typeof openTestConverter>[0]): TestConverter {
  const kiln = {} as TestConverter
  if (options === undefined)
    sharing.beforeAll(async ({ shared }) => {
      Object.assign(kiln, await openFolderFor(shared))
    })
  else
    beforeAll(async () => {
      Object.assign(kiln, await openTestConverter(options))
    })
  // Nothing is open when opening failed.
  afterAll(() => kiln.close?.())
  return kiln
}
