import { setTimeout as delay } from 'node:timers/promises'

/** Resolves after this time, or as soon as the signal is aborted. */
export const sleep = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  delay(milliseconds, undefined, { signal }).catch((error: Error) => {
    if (error.name !== 'AbortError') throw error
  })
