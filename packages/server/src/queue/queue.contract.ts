import { randomUUID } from 'node:crypto'
import type { Lane } from '@kiln/converter/catalog'
import { expect, test } from 'vitest'
import type { Database } from '../db/connect.ts'
import type { Queue, Work } from './queue.ts'

// The contract of every queue. `lapse` makes a lease expire as if its worker had died.

export interface QueueUnderTest {
  queue: Queue
  database: Database
  lapse(work: Work): Promise<void>
  /** How often work of this queue is given out at most. */
  maxTakings: number
}

export function queueContract(open: () => QueueUnderTest): void {
  const put = async (turn: number, lane: Lane = 'document', accountId: string = randomUUID()) => {
    const { queue, database } = open()
    const jobId = randomUUID()
    await database.kysely.transaction().execute((trx) => queue.enqueue(trx, { jobId, lane, accountId, turn }))
    return jobId
  }
  const finish = (work: Work) => {
    const { queue, database } = open()
    return database.kysely.transaction().execute((trx) => queue.remove(trx, work))
  }
  const takeAny = async (lane: Lane) => (await open().queue.take(lane, async () => true))?.work ?? null
  const take = async (lane: Lane = 'document') => {
    const work = await takeAny(lane)
    if (!work) throw new Error('there is no work')
    return work
  }

  test('work is taken once, by turn, from its own lane', async () => {
    const [late, early] = [await put(5), await put(1)]
    expect(await takeAny('video')).toBeNull()
    const first = await take()
    const second = await take()
    expect([first.jobId, second.jobId]).toEqual([early, late])
    expect(await takeAny('document')).toBeNull()
    expect(await finish(first)).toBe(true)
    expect(await finish(second)).toBe(true)
  })

  test('enqueued in a transaction that is rolled back, it never was', async () => {
    const { queue, database } = open()
    await expect(
      database.kysely.transaction().execute(async (trx) => {
        const work = { jobId: randomUUID(), lane: 'document', accountId: randomUUID(), turn: 0 } as const
        await queue.enqueue(trx, work)
        throw new Error('rolled back')
      }),
    ).rejects.toThrow('rolled back')
    expect(await takeAny('document')).toBeNull()
  })

  test('the same job is in the queue once, however often it is enqueued', async () => {
    const { queue, database } = open()
    const jobId = await put(0)
    await database.kysely
      .transaction()
      .execute((trx) => queue.enqueue(trx, { jobId, lane: 'document', accountId: randomUUID(), turn: 3 }))
    const work = await take()
    expect(await takeAny('document')).toBeNull()
    await finish(work)
  })

  test('void work leaves the queue, and a broken beginning leaves it there', async () => {
    const { queue } = open()
    await put(0)
    await expect(queue.take('document', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
    expect(await queue.take('document', async () => null)).toMatchObject({ begun: null })
    expect(await takeAny('document')).toBeNull()
  })

  test('work of certain accounts is passed over, also after it was handed back', async () => {
    const { queue } = open()
    const [crowd, single] = [randomUUID(), randomUUID()]
    await put(0, 'pdf', crowd)
    await queue.handBack(await take('pdf'))
    const jobId = await put(7, 'pdf', single)
    const other = (await queue.take('pdf', async () => true, [crowd]))?.work as Work
    expect(other).toMatchObject({ jobId, accountId: single })
    expect(await queue.take('pdf', async () => true, [crowd, single])).toBeNull()
    const left = await take('pdf')
    expect(left.accountId).toBe(crowd)
    for (const work of [other, left]) await finish(work)
  })

  test('twenty takers at once get twenty pieces of work', async () => {
    for (let n = 0; n < 20; n++) await put(n)
    const taken = await Promise.all(Array.from({ length: 20 }, () => take()))
    expect(new Set(taken.map(({ jobId }) => jobId)).size).toBe(20)
    for (const work of taken) await finish(work)
  })

  test('a lease that was not kept is lost: its holder can neither keep nor remove', async () => {
    const { queue, lapse } = open()
    await put(0)
    const first = await take()
    expect(await queue.keep(first)).toBe(true)
    await lapse(first)
    const second = await take()
    expect(second.jobId).toBe(first.jobId)
    expect(await queue.keep(first)).toBe(false)
    expect(await finish(first)).toBe(false)
    expect(await finish(second)).toBe(true)
  })

  test('work whose workers are lost again and again is abandoned, and one worker gets it to end it', async () => {
    const { queue, lapse, maxTakings } = open()
    const jobId = await put(0, 'video')
    for (let taking = 0; taking < maxTakings; taking++) {
      expect(await queue.takeAbandoned()).toBeNull()
      await lapse(await take('video'))
    }
    expect(await takeAny('video')).toBeNull()
    const dead = await queue.takeAbandoned()
    expect(dead).toMatchObject({ jobId, lane: 'video' })
    expect(await queue.takeAbandoned()).toBeNull()
    expect(await finish(dead as Work)).toBe(true)
  })

  test('handed back, the work costs no attempt and is next', async () => {
    const { queue } = open()
    const jobId = await put(9)
    for (let n = 0; n < 4; n++) await queue.handBack(await take())
    const other = await put(0)
    const next = await take()
    expect(next.jobId).toBe(jobId)
    await finish(next)
    const last = await take()
    expect(last.jobId).toBe(other)
    await finish(last)
    expect(await queue.takeAbandoned()).toBeNull()
  })

  test('handed back for a while, the work is not to be had before', async () => {
    const jobId = await put(0)
    await open().queue.handBack(await take(), 1)
    expect(await takeAny('document')).toBeNull()
    let again: Work | null = null
    await expect
      .poll(async () => (again = await takeAny('document')), { timeout: 5000 })
      .toMatchObject({ jobId })
    await finish(again as unknown as Work)
  })

  test('a wake-up reaches every listener', async () => {
    const { queue } = open()
    const { promise, resolve } = Promise.withResolvers<Lane>()
    const stop = queue.onWake(resolve)
    queue.wake('pdf')
    expect(await promise).toBe('pdf')
    stop()
  })
}
