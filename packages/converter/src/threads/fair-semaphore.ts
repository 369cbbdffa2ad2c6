// A semaphore that is fair by owner. Each owner has a virtual time that grows with the cost of what it ran; a free
// permit goes to the waiting owner with the lowest one (start-time fair queueing). An owner that was idle starts at the
// virtual time of the last permit, so that idling earns no credit. The last free permit goes only to an owner that holds
// none: one owner, however much it asks for, never makes a first call of another owner wait for its slow ones.

export interface Permit {
  /** Cost in any unit, the same for all permits. */
  release(cost: number): void
}

export interface FairSemaphore {
  /** Rejects when the signal is aborted before a permit is free. */
  acquire(owner: string, signal: AbortSignal): Promise<Permit>
  /** Rejects all who wait, now and later. */
  close(): void
}

interface Owner {
  virtualTime: number
  held: number
  waiting: Set<Waiter>
}

type Waiter = PromiseWithResolvers<Permit>

export function createFairSemaphore(capacity: number): FairSemaphore {
  const owners = new Map<string, Owner>()
  let virtualNow = 0
  let inUse = 0
  let isClosed = false

  const ownerNamed = (name: string): Owner => {
    const owner = owners.get(name) ?? { virtualTime: 0, held: 0, waiting: new Set() }
    owners.set(name, owner)
    return owner
  }

  const nextOwner = (): Owner | undefined => {
    let next: Owner | undefined
    for (const owner of owners.values()) {
      const mayTake = owner.held === 0 || capacity - inUse > 1
      if (owner.waiting.size === 0 || !mayTake) continue
      if (next === undefined || owner.virtualTime < next.virtualTime) next = owner
    }
    return next
  }

  const dispatch = () => {
    while (inUse < capacity) {
      const owner = nextOwner()
      const [waiter] = owner?.waiting ?? []
      if (owner === undefined || waiter === undefined) return
      owner.waiting.delete(waiter)
      owner.held += 1
      inUse += 1
      virtualNow = Math.max(virtualNow, owner.virtualTime)
      waiter.resolve({ release: (cost) => release(owner, cost) })
    }
  }

  const release = (owner: Owner, cost: number) => {
    owner.held -= 1
    inUse -= 1
    owner.virtualTime += cost
    dispatch()
    forgetIdleOwners()
  }

  /** An idle owner whose virtual time has passed would start at the current one anyway. */
  const forgetIdleOwners = () => {
    for (const [name, { held, waiting, virtualTime }] of owners) {
      const isIdle = held === 0 && waiting.size === 0
      if (isIdle && (inUse === 0 || virtualTime <= virtualNow)) owners.delete(name)
    }
  }

  return {
    async acquire(name, signal) {
      signal.throwIfAborted()
      if (isClosed) throw closedError()
      const owner = ownerNamed(name)
      if (owner.held === 0 && owner.waiting.size === 0)
        owner.virtualTime = Math.max(owner.virtualTime, virtualNow)
      const waiter = Promise.withResolvers<Permit>()
      owner.waiting.add(waiter)
      const onAbort = () => {
        if (owner.waiting.delete(waiter)) waiter.reject(signal.reason)
      }
      signal.addEventListener('abort', onAbort, { once: true })
      dispatch()
      return waiter.promise.finally(() => signal.removeEventListener('abort', onAbort))
    },
    close() {
      isClosed = true
      for (const { waiting } of owners.values()) {
        for (const waiter of waiting) waiter.reject(closedError())
        waiting.clear()
      }
    },
  }
}

const closedError = () => new Error('The worker pool is closed.')
