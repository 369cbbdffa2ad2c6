import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Engine } from '@kiln/converter'
import { ConversionFailed } from '@kiln/converter'
import { sql } from 'kysely'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { LanesWorker } from '../../src/conversions/work-lanes.ts'
import { findLedgerDrift } from '../../src/db/accounts.ts'
import { failJob } from '../../src/db/jobs.ts'
import { inputObject } from '../../src/storage/object-names.ts'
import type { PageClient } from '../support/page-client.ts'
import { useService } from '../support/service.ts'
import { openConsole, password } from './console-client.ts'

const service = useService({ operatorPassword: password })
let console: PageClient
let worker: LanesWorker | null = null
beforeAll(async () => {
  console = await openConsole(service)
})
afterEach(async () => {
  await worker?.drain(0)
  worker = null
})

const page = '<!doctype html><html><body><p>fired</p></body></html>'
const good: Engine['convert'] = async (run) => {
  await writeFile(join(run.outFolder, 'output.html'), page)
  return 'output.html'
}

interface Inspected {
  job: Record<string, unknown> & { failedAttempts: { attempt: number; reason: string }[] }
  engine: string
  canCancel: boolean
  canRetry: boolean
}
const inspect = (id: string) => console.get<Inspected>(`/jobs/${id}`)

describe('jobs', () => {
  test('one that ended shows its times, attempts, engine, sizes and charge, and nothing of its content', async () => {
    worker = service.startWorker(good)
    const id = await service.convert('# A secret text\n')
    await service.ended(id)
    const { job, engine, canCancel, canRetry } = await inspect(id)
    expect(job).toMatchObject({
      id,
      pair: 'md-to-html',
      status: 'done',
      attempt: 1,
      bytes: 16,
      outputBytes: page.length,
      accountName: 'customer',
      charge: { credits: 0, free: 1 },
      refunded: false,
      failedAttempts: [],
    })
    for (const time of ['createdAt', 'uploadedAt', 'startedAt', 'finishedAt', 'expiresAt']) {
      expect(Number.isNaN(Date.parse(String(job[time])))).toBe(false)
    }
    expect([engine, canCancel, canRetry]).toEqual(['pandoc', false, false])
    expect(job.report).toMatchObject({ engine: { name: 'pandoc' }, input: { bytes: 16, words: 3 } })
    expect(JSON.stringify(job)).not.toContain('secret')
  })

  test('are found by state, pair, account and reason', async () => {
    worker = service.startWorker(async () => {
      throw new ConversionFailed('corrupt-input', 'The file is damaged.')
    })
    const broken = await service.convert('x', 'md-to-rst')
    await service.ended(broken)
    await worker.drain(0)
    const waiting = await service.convert('y', 'md-to-latex')
    const ids = async (query: string) =>
      (await console.get<{ jobs: { id: string }[] }>(`/jobs?${query}`)).jobs.map(({ id }) => id)
    expect(await ids('status=failed')).toContain(broken)
    expect(await ids('reason=corrupt-input')).toEqual([broken])
    expect(await ids('reason=timeout')).toEqual([])
    expect(await ids('pair=md-to-latex')).toEqual([waiting])
    expect(await ids('status=active')).toEqual([waiting])
    expect(await ids('status=processing')).toEqual([])
    expect(await ids(`account=${service.customer.accountId}`)).toContain(broken)
    expect(await ids('account=00000000-0000-4000-8000-000000000000')).toEqual([])
    // Active jobs are listed above ended ones.
    expect((await ids(''))[0]).toBe(waiting)
    expect((await console.call('/jobs?status=nonsense')).status).toBe(400)
    await console.post(`/jobs/${waiting}/cancel`)
  })

  test('older ones come page by page', async () => {
    await sql`
      insert into jobs (account_id, pair, lane, bytes, status, upload_expires_at, finished_at)
      select ${service.customer.accountId}::uuid, 'odt-to-rst', 'document', 1, 'done', now(), now() - n * interval '3 microseconds'
      from generate_series(1, 120) n`.execute(service.database.kysely)
    type Page = { jobs: { id: string }[]; next: { finishedAt: string; id: string } | null }
    const seen: string[] = []
    let next: Page['next'] = null
    do {
      const before: string = next ? `&before=${next.finishedAt}&beforeId=${next.id}` : ''
      const answer: Page = await console.get<Page>(`/jobs?pair=odt-to-rst${before}`)
      seen.push(...answer.jobs.map(({ id }) => id))
      next = answer.next
    } while (next)
    expect(seen).toHaveLength(120)
    expect(new Set(seen).size).toBe(120)
  })

  test('an attempt that failed is shown, with its reason', async () => {
    let runs = 0
    worker = service.startWorker(async (run) => {
      runs++
      if (runs === 1) throw new Error('the engine fell over')
      return good(run)
    })
    const id = await service.convert('again')
    await service.ended(id)
    const { job } = await inspect(id)
    expect(job.attempt).toBe(2)
    expect(job.failedAttempts).toMatchObject([{ attempt: 1, reason: 'the engine fell over' }])
  })
})

describe('cancelling', () => {
  test('a job that waits: it fails, its charge is given back, its input is gone, no worker takes it', async () => {
    const before = await service.freeJobs()
    const id = await service.convert('never mind')
    await console.post(`/jobs/${id}/cancel`)
    expect(await service.poll(id)).toMatchObject({
      status: 'failed',
      error: expect.stringMatching(/^cancelled: .*cancelled.*not charged/),
    })
    expect(await (await service.call(`/v1/conversions/${id}/report`)).json()).toMatchObject({
      jobId: id,
      status: 'failed',
      engine: null,
      seconds: null,
      input: { bytes: 10 },
      warnings: [expect.stringMatching(/cancelled.*not charged/)],
    })
    expect(await service.freeJobs()).toBe(before)
    expect(await service.storage.size(inputObject(id))).toBeNull()
    let ran = false
    worker = service.startWorker(async (run) => {
      ran = true
      return good(run)
    })
    await service.ended(await service.convert('another'))
    await delay(300)
    expect(ran).toBe(true)
    const inspected = await inspect(id)
    expect(inspected.job).toMatchObject({
      failureWord: 'cancelled',
      refunded: true,
      startedAt: null,
      attempt: 0,
    })
  })

  test('a job that runs: its engine stops at once, and a late end changes nothing', async () => {
    const before = await service.freeJobs()
    const begun = Promise.withResolvers<void>()
    const stopped = Promise.withResolvers<number>()
    worker = service.startWorker(async (run) => {
      begun.resolve()
      await new Promise<void>((resolve) => run.signal.addEventListener('abort', () => resolve()))
      stopped.resolve(performance.now())
      return good(run)
    })
    const id = await service.convert('running')
    await begun.promise
    expect((await service.poll(id)).status).toBe('processing')
    const asked = performance.now()
    await console.post(`/jobs/${id}/cancel`)
    expect((await stopped.promise) - asked).toBeLessThan(2000)
    await delay(200)
    expect(await service.poll(id)).toMatchObject({ status: 'failed', downloadUrl: null })
    expect(await service.freeJobs()).toBe(before)
    await expect
      .poll(() => service.filesIn('out').then((names) => names.filter((name) => name.startsWith(id))))
      .toEqual([])
    expect(await findLedgerDrift(service.database.kysely)).toEqual([])
    expect((await inspect(id)).job.attempt).toBe(1)
    // The worker is free for the next job.
    expect(worker.running()).toBe(0)
  })

  test('a job that awaits its upload: the upload is ignored', async () => {
    const submitted = await service.call('/v1/conversions', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ pair: 'md-to-html', bytes: 4 }),
    })
    const { jobId, uploadUrl } = (await submitted.json()) as { jobId: string; uploadUrl: string }
    await console.post(`/jobs/${jobId}/cancel`)
    expect((await fetch(uploadUrl, { method: 'PUT', body: 'late' })).status).toBe(200)
    expect((await service.poll(jobId)).status).toBe('failed')
    expect(await service.storage.size(inputObject(jobId))).toBeNull()
  })

  test('one that has ended, or never was, is refused', async () => {
    const id = await service.convert('x')
    await console.post(`/jobs/${id}/cancel`)
    expect((await console.call(`/jobs/${id}/cancel`, { method: 'POST' })).status).toBe(400)
    const unknownJob = '00000000-0000-4000-8000-000000000000'
    expect((await console.call(`/jobs/${unknownJob}/cancel`, { method: 'POST' })).status).toBe(404)
  })
})

describe('retrying', () => {
  test('a failed job whose input came too late: a new job of the same account, at no cost', async () => {
    const before = await service.freeJobs()
    const id = await service.convert('# Late\n')
    // As when an upload to a bucket arrives after its job has failed for want of it.
    await service.database.kysely
      .transaction()
      .execute((trx) => failJob(trx, id, { word: 'timeout', sentence: 'upload not received.' }))
    expect(await inspect(id)).toMatchObject({ canRetry: true })
    const { jobId } = await console.post<{ jobId: string }>(`/jobs/${id}/retry`)
    expect(await service.freeJobs()).toBe(before)
    worker = service.startWorker(good)
    expect(await service.ended(jobId)).toMatchObject({ status: 'done' })
    expect(await service.freeJobs()).toBe(before)
    expect((await inspect(jobId)).job).toMatchObject({ retryOf: id, charge: null })
    // The failed job is unchanged, and its input is deleted.
    expect((await service.poll(id)).status).toBe('failed')
    expect(await inspect(id)).toMatchObject({ canRetry: false })
    expect(await findLedgerDrift(service.database.kysely)).toEqual([])
  })

  test('a failed retry gives nothing back that was never taken', async () => {
    const before = await service.freeJobs()
    const id = await service.convert('# Late\n')
    await service.database.kysely
      .transaction()
      .execute((trx) => failJob(trx, id, { word: 'timeout', sentence: 'upload not received.' }))
    const { jobId } = await console.post<{ jobId: string }>(`/jobs/${id}/retry`)
    worker = service.startWorker(async () => {
      throw new ConversionFailed('corrupt-input', 'The file is damaged.')
    })
    expect((await service.ended(jobId)).status).toBe('failed')
    expect(await service.freeJobs()).toBe(before)
  })

  test('is refused when the input was deleted, as it is at the end of a job', async () => {
    worker = service.startWorker(async () => {
      throw new ConversionFailed('corrupt-input', 'The file is damaged.')
    })
    const id = await service.convert('x')
    await service.ended(id)
    expect(await inspect(id)).toMatchObject({ canRetry: false })
    const answer = await console.call(`/jobs/${id}/retry`, { method: 'POST' })
    expect(answer.status).toBe(400)
    expect(await answer.json()).toMatchObject({ error: expect.stringContaining('The input was deleted') })
  })
})
