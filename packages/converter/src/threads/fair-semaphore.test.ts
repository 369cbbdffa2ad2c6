import { expect, test } from 'vitest'
import { createFairSemaphore, type Permit } from './fair-semaphore.ts'

const { signal } = new AbortController()

/** Asks for a permit and records its owner once it is granted. */
function recorder(capacity: number) {
  const semaphore = createFairSemaphore(capacity)
  const granted: string[] = []
  const permits = new Map<string, Permit>()
  return {
    semaphore,
    granted,
    ask(owner: string, name = owner) {
      void semaphore.acquire(owner, signal).then((permit) => {
        granted.push(name)
        permits.set(name, permit)
      })
    },
    async release(name: string, cost: number) {
      permits.get(name)?.release(cost)
      await settled()
    },
  }
}

const settled = () => new Promise((resolve) => setImmediate(resolve))

test('the last free permit goes to an owner that holds none', async () => {
  const { ask, granted } = recorder(3)
  for (const name of ['a1', 'a2', 'a3', 'a4']) ask('a', name)
  await settled()
  expect(granted).toEqual(['a1', 'a2'])
  ask('b')
  await settled()
  expect(granted).toEqual(['a1', 'a2', 'b'])
})

test('an owner that used much waits behind one that used little, however many calls it has', async () => {
  const { ask, granted, release } = recorder(1)
  for (const name of ['a1', 'a2', 'a3']) ask('a', name)
  for (const name of ['b1', 'b2', 'b3']) ask('b', name)
  await settled()
  await release('a1', 10)
  await release('b1', 1)
  await release('b2', 1)
  expect(granted).toEqual(['a1', 'b1', 'b2', 'b3'])
  await release('b3', 1)
  expect(granted.at(-1)).toBe('a2')
})

test('an owner that was idle has no claim from that time', async () => {
  const { ask, granted, release } = recorder(1)
  ask('busy', 'busy1')
  ask('busy', 'busy2')
  await settled()
  await release('busy1', 100)
  for (const name of ['late1', 'late2']) ask('late', name)
  ask('busy', 'busy3')
  await release('busy2', 1)
  // The late owner starts level with the busy one, so the one call it made does not put it behind.
  await release('late1', 2)
  expect(granted).toEqual(['busy1', 'busy2', 'late1', 'busy3'])
})

test('a call that is cancelled leaves the queue, and a closed semaphore rejects who waits', async () => {
  const { semaphore, ask, granted } = recorder(1)
  ask('a')
  const cancelled = new AbortController()
  const waiting = semaphore.acquire('b', cancelled.signal)
  const other = semaphore.acquire('c', signal)
  cancelled.abort(new Error('not needed'))
  await expect(waiting).rejects.toThrow('not needed')
  semaphore.close()
  await expect(other).rejects.toThrow('closed')
  await expect(semaphore.acquire('d', signal)).rejects.toThrow('closed')
  expect(granted).toEqual(['a'])
})
