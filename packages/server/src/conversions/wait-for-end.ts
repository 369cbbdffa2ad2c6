import type { Listener } from '../db/listen.ts'

// Lets a poll wait for the end of its job. The settling worker sends one notification per job; a waiter that receives
// it reads the job again. A waiter that misses it is answered when its timeout expires.

export const settledChannel = 'kiln_settled'

export function createSettlements(listener: Listener) {
  const waiting = new Map<string, Set<() => void>>()
  let released = false
  const wake = (callbacks: Iterable<() => void>) => {
    for (const callback of [...callbacks]) callback()
  }
  listener.on(settledChannel, (jobId) => wake(waiting.get(jobId) ?? []))
  const wakeAll = () => {
    for (const callbacks of [...waiting.values()]) wake(callbacks)
  }
  listener.onReconnected(wakeAll)

  return {
    /** Starts to listen immediately; `ended` resolves on the notification, a reconnection, the timeout or the abort. */
    watch(jobId: string, milliseconds: number, signal: AbortSignal) {
      const { promise, resolve } = Promise.withResolvers<void>()
      const callbacks = waiting.get(jobId) ?? new Set()
      waiting.set(jobId, callbacks)
      const finish = () => {
        clearTimeout(timer)
        signal.removeEventListener('abort', finish)
        callbacks.delete(finish)
        if (callbacks.size === 0) waiting.delete(jobId)
        resolve()
      }
      const timer = setTimeout(finish, milliseconds)
      signal.addEventListener('abort', finish)
      callbacks.add(finish)
      if (released) finish()
      return { ended: promise, cancel: finish }
    },
    /** For shutdown: all waiting requests are answered now, and later ones do not wait. */
    release() {
      released = true
      wakeAll()
    },
    isReleased: () => released,
  }
}

export type Settlements = ReturnType<typeof createSettlements>
