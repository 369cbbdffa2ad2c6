import { type ConversionFailed, failed } from '../../failure.ts'
import type { BoxResult } from '../../sandbox/sandbox.ts'

// Why did ffmpeg or ffprobe end as it did? Exit codes say little (a truncated file ends with 0), so this
// is asked only after an end that is certainly a failure. The sentence is ours; what the program wrote
// goes to the log as the cause.

/** Faults of ours or of the installation: thrown as plain errors, so that the job is tried again. */
const ours =
  /Unrecognized option|Option .{1,60} not found|Error splitting the argument list|Unknown encoder|Unknown decoder|No such filter|Permission denied|No space left on device|Read-only file system/

export function explainEnd(result: BoxResult, what: string): Error {
  const cause = new Error(
    `${what}: ${result.ending}, exit code ${result.exitCode}, signal ${result.signal}`,
    {
      cause: result.untrustedStderr.slice(-4000),
    },
  )
  switch (result.ending) {
    case 'cancelled':
      return cause
    case 'wall-limit':
    case 'cpu-limit':
      return failed.timeout(
        'The video took longer to convert than is allowed. Convert a shorter part, or a smaller picture.',
        cause,
      )
    case 'disk-limit':
      return tooLarge(cause)
    case 'killed':
      // Somebody else's SIGKILL is a machine short of memory, not a bad file.
      if (result.signal === 'SIGKILL') return cause
      return failed.corruptInput(
        'The video made its decoder crash. The file is probably damaged; export it again.',
        cause,
      )
    case 'exited':
      return explainExit(result.untrustedStderr, cause)
  }
}

export const tooLarge = (cause?: unknown): ConversionFailed =>
  failed.tooComplex('The converted video would be larger than is allowed. Convert a shorter part.', cause)

export const tooLong = (seconds: number): ConversionFailed => {
  const length =
    seconds >= 3600 ? `${Math.round(seconds / 360) / 10} hours` : `${Math.round(seconds)} seconds`
  return failed.tooComplex(`The video is longer than ${length}. Convert it in parts.`)
}

function explainExit(untrustedStderr: string, cause: Error): Error {
  if (ours.test(untrustedStderr)) return cause
  const refusedDecoder = /Codec \((\w{1,40})\) not on whitelist/.exec(untrustedStderr)?.[1]
  if (refusedDecoder) {
    return failed.unsupported(`The video uses the codec ${refusedDecoder}, which is not supported.`, cause)
  }
  if (
    /Picture size \d+x\d+ (is invalid|exceeds)|Cannot allocate memory|frame size too large/i.test(
      untrustedStderr,
    )
  ) {
    return failed.tooComplex(
      'The picture is too large to convert: at most 7680 × 4320 pixels. Scale it down first.',
      cause,
    )
  }
  return failed.corruptInput(
    'The video cannot be read: it is damaged, incomplete or not what its name says. Export it again.',
    cause,
  )
}
