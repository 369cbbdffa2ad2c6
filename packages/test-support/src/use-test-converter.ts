import { afterAll, beforeAll } from 'vitest'
import { openTestConverter, type TestConverter } from './test-converter.ts'

/** A converter for the tests of a file or of a `describe`. */
export function useTestConverter(options?: Parameters<typeof openTestConverter>[0]): TestConverter {
  const kiln = {} as TestConverter
  beforeAll(async () => {
    Object.assign(kiln, await openTestConverter(options))
  })
  // Nothing is open when opening failed.
  afterAll(() => kiln.close?.())
  return kiln
}
