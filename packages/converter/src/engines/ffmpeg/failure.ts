import { type ConversionFailed, failed } from '../../failure.ts'
import type { SandboxResult } from '../../sandbox/sandbox.ts'
import { causeOf, type EngineSentences, judgeEnding } from '../judge-ending.ts'

// Why ffmpeg or ffprobe failed. Exit codes say little (a truncated file ends with 0), so this is called only when the
// run has certainly failed. The message is ours; the output of the program is logged as the cause.

const tooLargeSentence = 'The converted video would be larger than is allowed. Convert a shorter part.'

const sentences: EngineSentences = {
  tooLong: 'The video took longer to convert than is allowed. Convert a shorter part, or a smaller picture.',
  tooLarge: tooLargeSentence,
  outOfMemory: 'The video needs more memory to convert than is allowed. Scale its picture down first.',
  crashed: 'The video made its decoder crash. The file is probably damaged; export it again.',
}

/** Faults of ours or of the installation: thrown as plain errors, so that the job is tried again. */
const ours =
  /Unrecognized option|Option .{1,60} not found|Error splitting the argument list|Unknown encoder|Unknown decoder|No such filter|Permission denied|No space left on device|Read-only file system/

export function explainEnd(result: SandboxResult, what: string, signal: AbortSignal): Error {
  return (
    judgeEnding(result, { engine: what, sentences, signal }) ??
    explainExit(result.untrustedStderr, causeOf(result, what))
  )
}

export const tooLarge = (cause?: unknown): ConversionFailed => failed.tooComplex(tooLargeSentence, cause)
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
