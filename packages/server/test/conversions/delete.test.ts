import { randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Engine } from '@kiln/converter'
import { ConversionFailed } from '@kiln/converter'
import { afterEach, describe, expect, test } from 'vitest'
import type { LanesWorker } from '../../src/conversions/work-lanes.ts'
import { findLedgerDrift } from '../../src/db/accounts.ts'
import { beginJob, recordOutcome } from '../../src/db/jobs.ts'
import { outputObject } from '../../src/storage/object-names.ts'
import { createCustomer } from '../support/database.ts'
import { useService } from '../support/service.ts'

const service = useService({ freeJobsPerMonth: 1000 })
let worker: LanesWorker | null = null
afterEach(async () => {
  await worker?.drain(0)
  worker = null
  expect(await findLedgerDrift(service.database.kysely)).toEqual([])
})

const good: Engine['convert'] = async ({ outFolder }) => {
  await writeFile(join(outFolder, 'out.html'), '<p>made</p>')
  return 'out.html'
}
const remove = (id: string, init: Parameters<typeof service.call>[1] = {}) =>
  service.call(`/v1/conversions/${id}`, { method: 'DELETE', ...init })
const stored = async () => [...(await service.filesIn('in')), ...(await service.filesIn('out'))]
const expectDeleted = async (id: string) => {
  const answer = await remove(id)
  expect([answer.status, await answer.text()]).toEqual([204, ''])
}
const cancelled = {
  status: 'failed',
  downloadUrl: null,
  error: expect.stringMatching(/^cancelled: .*owner/),
  expiresAt: null,
}

describe('DELETE', () => {
  test('cancels a job that waits, for its upload or for a worker, and gives it back once', async () => {
    const before = await service.freeJobs()
    const submitted = await service.call('/v1/conversions', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ pair: 'md-to-html', bytes: 5 }),
    })
    const { jobId, uploadUrl } = (await submitted.json()) as { jobId: string; uploadUrl: string }
    const uploaded = await service.convert('hello')
    expect(await service.freeJobs()).toBe(before - 2)
    for (const id of [jobId, uploaded]) {
      for (let times = 0; times < 3; times++) await expectDeleted(id)
      expect(await service.poll(id)).toEqual({ jobId: id, ...cancelled })
    }
    // The link still works, as for any ended job; the upload is discarded.
    expect((await fetch(uploadUrl, { method: 'PUT', body: 'hello' })).status).toBe(200)
    expect(await stored()).toEqual([])
    expect(await service.freeJobs()).toBe(before)
  })

  test('stops the engine of a job that runs, and keeps nothing of it', async () => {
    const before = await service.freeJobs()
    const begun = Promise.withResolvers<void>()
    const stopped = Promise.withResolvers<void>()
    worker = service.startWorker(async (run) => {
      begun.resolve()
      await new Promise((done) => run.signal.addEventListener('abort', done))
      stopped.resolve()
      return good(run)
    })
    const id = await service.convert('hello')
    await begun.promise
    await expectDeleted(id)
    await stopped.promise
    await worker.drain(5)
    expect(await service.poll(id)).toEqual({ jobId: id, ...cancelled })
    expect(await stored()).toEqual([])
    expect(await service.freeJobs()).toBe(before)
  })

  test('removes an output that was recorded and not settled', async () => {
    const id = await service.convert('hello')
    const job = await beginJob(service.database.kysely, id)
    const object = outputObject(id, job?.attempt ?? 0)
    const path = join(service.folder, 'made')
    await writeFile(path, '<p>made</p>')
    await service.storage.store(path, object)
    await recordOutcome(
      service.database.kysely,
      id,
      job?.attempt ?? 0,
      { kind: 'done', outputObject: object, outputBytes: 11, report: null },
      0,
    )
    await expectDeleted(id)
    expect(await service.poll(id)).toEqual({ jobId: id, ...cancelled })
    expect(await stored()).toEqual([])
  })

  test('deletes the output of a done job, which stays done and charged', async () => {
    const before = await service.freeJobs()
    worker = service.startWorker(good)
    const id = await service.convert('hello')
    const { downloadUrl } = (await service.ended(id)) as { downloadUrl: string }
    expect((await fetch(downloadUrl)).status).toBe(200)
    await expectDeleted(id)
    expect((await fetch(downloadUrl)).status).toBe(404)
    const job = (await service.poll(id)) as { expiresAt: string }
    expect(job).toMatchObject({ status: 'done', downloadUrl: null, error: null })
    expect(Date.parse(job.expiresAt)).toBeLessThanOrEqual(Date.now())
    await expectDeleted(id)
    expect(await service.poll(id)).toEqual(job)
    // It does not count as lost.
    expect(await service.sweeper.sweepStrays()).toEqual({ strayObjects: 0, lostObjects: 0 })
    expect(await stored()).toEqual([])
    expect(await service.freeJobs()).toBe(before - 1)
  })

  test('leaves the reason of a failed job alone', async () => {
    worker = service.startWorker(async () => {
      throw new ConversionFailed('corrupt-input', 'The file is damaged.')
    })
    const id = await service.convert('hello')
    const job = await service.ended(id)
    await expectDeleted(id)
    expect(await service.poll(id)).toEqual(job)
  })

  test('at any moment, and by many at once, leaves one end, one refund and no file', async () => {
    worker = service.startWorker(good)
    const before = await service.freeJobs()
    const ends: unknown[] = []
    for (let round = 0; round < 12; round++) {
      const id = await service.convert('hello')
      await new Promise((done) => setTimeout(done, round * 8))
      const answers = await Promise.all([remove(id), remove(id), remove(id)])
      expect(answers.map(({ status }) => status)).toEqual([204, 204, 204])
      const { status, downloadUrl } = await service.poll(id)
      expect(downloadUrl).toBeNull()
      ends.push(status)
    }
    await worker.drain(5)
    expect(await stored()).toEqual([])
    expect(await service.freeJobs()).toBe(before - ends.filter((status) => status === 'done').length)
  })

  test('is refused as the poll is, and takes any body', async () => {
    const otherCustomer = await createCustomer(service.database)
    const id = await service.convert('hello')
    const refusal = async (asked: Promise<Response>) => {
      const answer = await asked
      return [answer.status, ((await answer.json()) as { code: string }).code]
    }
    expect(await refusal(remove(id, { key: otherCustomer.key }))).toEqual([403, 'forbidden'])
    for (const none of [randomUUID(), 'none']) expect(await refusal(remove(none))).toEqual([404, 'not-found'])
    expect(await refusal(remove(id, { key: null }))).toEqual([401, 'unauthenticated'])
    expect(await service.poll(id)).toMatchObject({ status: 'queued' })
    for (const type of ['application/json', 'text/plain', 'application/x-what']) {
      const answer = await remove(id, { headers: { 'content-type': type }, body: '{' })
      expect(answer.status, type).toBe(204)
    }
    expect((await remove(id, { headers: { 'content-type': 'application/json' } })).status).toBe(204)
  })
})
