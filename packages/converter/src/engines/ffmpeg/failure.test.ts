import { describe, expect, it } from 'vitest'
import { ConversionFailed } from '../../failure.ts'
import type { SandboxResult } from '../../sandbox/sandbox.ts'
import { explainEnd } from './failure.ts'

const end = (change: Partial<SandboxResult>) =>
  explainEnd(
    {
      ending: 'exited',
      exitCode: 1,
      signal: null,
      untrustedStdout: '',
      untrustedStderr: '',
      milliseconds: 1,
      cpuSeconds: 0,
      ...change,
    },
    'ffmpeg',
    new AbortController().signal,
  )

describe('explainEnd', () => {
  it.each([
    [{ ending: 'wall-limit' }, 'timeout'],
    [{ ending: 'cpu-limit' }, 'too-complex'],
    [{ ending: 'disk-limit' }, 'too-complex'],
    [{ ending: 'killed', signal: 'SIGSEGV' }, 'corrupt-input'],
    [{ untrustedStderr: 'moov atom not found' }, 'corrupt-input'],
    [{ untrustedStderr: '[ffv1] Picture size 16000x16000 is invalid' }, 'too-complex'],
    [{ untrustedStderr: 'Picture size 9000x9000 exceeds specified max pixel count' }, 'too-complex'],
    [{ untrustedStderr: 'Cannot allocate memory' }, 'too-complex'],
    [{ untrustedStderr: "[magicyuv @ 0x1] Codec (magicyuv) not on whitelist 'h264'" }, 'unsupported'],
  ] satisfies [Partial<SandboxResult>, string][])('%j is %s', (result, word) => {
    const error = end(result)
    expect(error).toBeInstanceOf(ConversionFailed)
    expect((error as ConversionFailed).word).toBe(word)
  })

  it.each([
    { ending: 'cancelled' },
    { ending: 'killed', signal: 'SIGKILL' },
    { untrustedStderr: "Unknown encoder 'libx264'" },
    { untrustedStderr: "Unrecognized option 'fps_mode'." },
    { untrustedStderr: 'av_interleaved_write_frame(): No space left on device' },
  ] satisfies Partial<SandboxResult>[])('%j is not the fault of the file', (result) => {
    expect(end(result)).not.toBeInstanceOf(ConversionFailed)
  })

  it('keeps what the program wrote out of the sentence', () => {
    const error = end({ untrustedStderr: '/in/input.mp4: secret at /srv/kiln/jobs/7' })
    expect(error.message).not.toMatch(/secret|\/in|\/srv/)
    expect((error.cause as Error).cause).toContain('secret')
  })
})
