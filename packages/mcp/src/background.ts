// Work that may outlive the call that started it. A caller waits for a limited time; the work continues, and another
// call can wait for it again.

export type Waited<T> = { ended: true; value: T } | { ended: false }

export interface Work<T> {
  /** Waits at most this long, or until hurried. Rejects as the work does, or when the signal fires. */
  wait(milliseconds: number, signal: AbortSignal, hurry?: AbortSignal): Promise<Waited<T>>
  cancel(): void
}

export function begin<T>(run: (signal: AbortSignal) => Promise<T>): Work<T> {
  const controller = new AbortController()
  const result = run(controller.signal)
  // It may fail while no caller waits; a later one still gets the error.
  result.catch(() => {})
  return {
    cancel: () => controller.abort(),
    wait: (milliseconds, signal, hurry) =>
      new Promise((resolve, reject) => {
        const finish = (settle: () => void) => {
          clearTimeout(timer)
          signal.removeEventListener('abort', stop)
          hurry?.removeEventListener('abort', leave)
          settle()
        }
        const stop = () => finish(() => reject(signal.reason))
        const leave = () => finish(() => resolve({ ended: false }))
        const timer = setTimeout(leave, hurry?.aborted ? 0 : milliseconds)
        if (signal.aborted) return stop()
        signal.addEventListener('abort', stop, { once: true })
        hurry?.addEventListener('abort', leave, { once: true })
        result.then(
          (value) => finish(() => resolve({ ended: true, value })),
          (error: unknown) => finish(() => reject(error)),
        )
      }),
  }
}

/** Work by the id of its job. Old entries make room: their jobs can still be resumed by id. */
export class WorkList<T> extends Map<string, T> {
  readonly #limit: number

  constructor(limit = 200) {
    super()
    this.#limit = limit
  }

  override set(jobId: string, work: T): this {
    if (this.size >= this.#limit) this.delete(this.keys().next().value as string)
    return super.set(jobId, work)
  }
}
