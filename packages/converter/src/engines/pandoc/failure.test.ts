import { describe, expect, it } from 'vitest'
import { ConversionFailed } from '../../failure.ts'
import type { SandboxResult } from '../../sandbox/sandbox.ts'
import { failureOf } from './failure.ts'

const { signal } = new AbortController()

const ended = (rest: Partial<SandboxResult>): SandboxResult => ({
  ending: 'exited',
  exitCode: 0,
  signal: null,
  untrustedStdout: '',
  untrustedStderr: '',
  milliseconds: 1,
  cpuSeconds: 0,
  ...rest,
})

const wordOf = (rest: Partial<SandboxResult>) => {
  const failure = failureOf(ended(rest), 'DOCX', signal)
  return failure instanceof ConversionFailed ? failure.word : failure === undefined ? 'none' : 'ours'
}

describe('what an end means', () => {
  it.each([
    [{ exitCode: 0 }, 'none'],
    [{ exitCode: 63, untrustedStderr: "couldn't unpack docx container" }, 'corrupt-input'],
    [{ exitCode: 64 }, 'corrupt-input'],
    [{ exitCode: 1, untrustedStderr: "pandoc: Cannot decode byte '\\xd0': Invalid UTF-8" }, 'corrupt-input'],
    [{ exitCode: 1, untrustedStderr: 'pandoc: a: openBinaryFile: does not exist' }, 'ours'],
    [{ exitCode: 91 }, 'too-complex'],
    [{ exitCode: 99 }, 'unsupported'],
    [{ exitCode: 251 }, 'too-complex'],
    [{ exitCode: 1, untrustedStderr: 'pandoc: Heap exhausted' }, 'too-complex'],
    [{ ending: 'wall-limit', exitCode: null }, 'timeout'],
    [{ ending: 'cpu-limit', exitCode: null }, 'too-complex'],
    [{ ending: 'disk-limit', exitCode: null }, 'too-complex'],
    [{ ending: 'killed', exitCode: null, signal: 'SIGABRT' }, 'too-complex'],
    // A missing template, an unknown option, a fault in the filter: nothing that the sender could correct.
    [{ exitCode: 97 }, 'ours'],
    [{ exitCode: 6 }, 'ours'],
    [{ exitCode: 83 }, 'ours'],
  ] as const)('%j is %s', (rest, word) => {
    expect(wordOf(rest)).toBe(word)
  })

  it('writes the cause to the log only', () => {
    const failure = failureOf(
      ended({ exitCode: 64, untrustedStderr: '/in/input.docx line 3' }),
      'DOCX',
      signal,
    )
    expect(failure?.message).not.toContain('/in/')
    expect(String(((failure as ConversionFailed).cause as Error).cause)).toContain('/in/input.docx line 3')
  })
})
