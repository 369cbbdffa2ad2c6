import { expect, test } from 'vitest'
import { ConversionFailed } from '../../failure.ts'
import type { SandboxResult } from '../../sandbox/sandbox.ts'
import { officeFailure } from './failure.ts'

const { signal } = new AbortController()

const ended = async (rest: Partial<SandboxResult>) => {
  const result: SandboxResult = {
    ending: 'exited',
    exitCode: 1,
    signal: null,
    untrustedStdout: '',
    untrustedStderr: '',
    ...rest,
  } as SandboxResult
  const failure = await officeFailure({ result, untrustedReport: '' }, '/nowhere', signal)
  return failure instanceof ConversionFailed ? failure.word : failure && 'ours'
}

test('a crash that LibreOffice handles itself is a failure of the file', async () => {
  expect(await ended({ untrustedStderr: 'Unspecified Application Error\n\n' })).toBe('corrupt-input')
  expect(await ended({ ending: 'killed', exitCode: null, signal: 'SIGABRT' })).toBe('corrupt-input')
})

test('an exit without a report is ours', async () => {
  expect(await ended({})).toBe('ours')
})
