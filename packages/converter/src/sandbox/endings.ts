import { constants } from 'node:os'
import type { Ending, SandboxResult } from './sandbox.ts'

export const signalName = (number: number): string | undefined =>
  Object.entries(constants.signals).find(([, candidate]) => candidate === number)?.[0]

/** The meaning of the signal that ended a program; null if it exited. */
export function endingOf(signal: string | null): Ending {
  if (signal === null) return 'exited'
  if (signal === 'SIGXCPU') return 'cpu-limit'
  if (signal === 'SIGXFSZ') return 'disk-limit'
  return 'killed'
}

export const cancelledBeforeStart: SandboxResult = {
  ending: 'cancelled',
  exitCode: null,
  signal: null,
  untrustedStdout: '',
  untrustedStderr: '',
  milliseconds: 0,
  cpuSeconds: 0,
}
