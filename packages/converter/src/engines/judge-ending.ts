import { failed } from '../failure.ts'
import type { SandboxResult } from '../sandbox/sandbox.ts'

// Maps the end of an engine to a result. The rules are the same for all engines; each has its own sentences.
//
// - A limit that was reached is the file's fault: the wall clock is `timeout`, the others `too-complex`. CPU
//   time is among the others: its limit depends on the size of the file (budget.ts).
// - A signal of its own (a crash) is the file's fault as well. An engine without a sentence for crashes is one
//   whose runtime ends that way when it is short of memory.
// - A SIGKILL that the service did not send is not the file's fault, and the job is retried. It means that the machine
//   ran out of memory: the limit of one sandbox shows in failed allocations or in `memory-limit`, while the OOM killer
//   of the kernel chooses a process that need not be the one that used too much.
// - A run that was cancelled ends with the reason of the abort signal.

export interface EngineSentences {
  tooLong: string
  tooLarge: string
  outOfMemory: string
  crashed?: string
}

const takesTooMuch = 'The file takes too much work for its size. Split it or simplify it.'

export interface Ended {
  engine: string
  sentences: EngineSentences
  signal: AbortSignal
  /** The engine's own report: that it has finished, or that an allocation failed. */
  report?: 'done' | 'out-of-memory' | undefined
}

/** For the log. */
export const causeOf = (
  { ending, exitCode, signal, untrustedStderr }: SandboxResult,
  engine: string,
  report = '',
): Error =>
  new Error(`${engine}: ${ending}, exit code ${exitCode}, signal ${signal}. ${report}`.trim(), {
    cause: untrustedStderr.slice(-4000),
  })

/**
 * Why the run failed, according to its exit status. Undefined when it exited by itself: then the engine's output
 * decides. An Error other than ConversionFailed is not caused by the file, and the job is retried.
 */
export function judgeEnding(result: SandboxResult, ended: Ended): Error | undefined {
  const { sentences, signal, report } = ended
  const cause = causeOf(result, ended.engine)
  switch (result.ending) {
    case 'wall-limit':
      return failed.timeout(sentences.tooLong, cause)
    case 'cpu-limit':
      return failed.tooComplex(takesTooMuch, cause)
    case 'disk-limit':
      return failed.tooComplex(sentences.tooLarge, cause)
    case 'memory-limit':
      return failed.tooComplex(sentences.outOfMemory, cause)
    case 'cancelled':
      return signal.reason instanceof Error ? signal.reason : new Error('The conversion was cancelled.')
    case 'killed':
    case 'exited':
      break
  }
  if (report === 'done') return undefined
  if (report === 'out-of-memory') return failed.tooComplex(sentences.outOfMemory, cause)
  if (result.ending === 'exited') return undefined
  if (result.signal === 'SIGKILL') return cause
  return sentences.crashed === undefined
    ? failed.tooComplex(sentences.outOfMemory, cause)
    : failed.corruptInput(sentences.crashed, cause)
}
