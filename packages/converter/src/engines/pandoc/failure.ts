import { type ConversionFailed, failed } from '../../failure.ts'
import type { SandboxResult } from '../../sandbox/sandbox.ts'
import { causeOf, type EngineSentences, judgeEnding } from '../judge-ending.ts'

// Failures of pandoc as messages for the user. Pandoc's exit codes are documented; its
// text goes to the log as the cause, and nowhere else.

const codes = {
  resourceUnreachable: [61, 99],
  macroLoop: [91],
  unreadable: [31, 44, 63, 64, 65, 92, 93, 94],
  outOfMemory: [251],
} as const

const has = (list: readonly number[], code: number | null) => code !== null && list.includes(code)

const sentences: EngineSentences = {
  tooLong:
    'The document took longer to convert than one conversion may take. Split it, or simplify its tables and nesting.',
  tooLarge: 'The converted document is larger than the service allows. Split it.',
  // Its runtime aborts, or faults, when it is short of memory.
  outOfMemory:
    'The document needs more memory to convert than one conversion may use. Split it into smaller parts.',
}

/** There is no specific exit code for parts of a package that are not UTF-8: 1 means any uncaught exception. */
const isDecodingError = ({ exitCode, untrustedStderr }: SandboxResult): boolean =>
  exitCode === 1 && /Cannot decode byte|Invalid UTF-8/.test(untrustedStderr)

/** Undefined when pandoc ended well. An Error that is no ConversionFailed is our fault and tried again. */
export function failureOf(
  result: SandboxResult,
  label: string,
  signal: AbortSignal,
): ConversionFailed | Error | undefined {
  const cause = causeOf(result, 'pandoc')
  const outOfMemory =
    has(codes.outOfMemory, result.exitCode) ||
    (result.exitCode !== 0 && /out of memory|heap exhausted|stack overflow/i.test(result.untrustedStderr))
  const report = outOfMemory ? 'out-of-memory' : undefined
  const judged = judgeEnding(result, { engine: 'pandoc', sentences, signal, report })
  if (judged) return judged
  if (result.exitCode === 0) return undefined
  if (has(codes.macroLoop, result.exitCode)) {
    return failed.tooComplex('A macro in the document calls itself without end. Remove it.', cause)
  }
  if (has(codes.resourceUnreachable, result.exitCode)) {
    return failed.unsupported(
      'The document includes another file or web address, and only the uploaded file is read. Paste the content into the document itself.',
      cause,
    )
  }
  if (has(codes.unreadable, result.exitCode) || isDecodingError(result)) {
    return failed.corruptInput(
      `The file could not be read as ${label}: it is damaged, cut off or not well-formed. Open it in its own program, save it again and send that.`,
      cause,
    )
  }
  return cause
}
