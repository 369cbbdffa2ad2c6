import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Engine } from '@kiln/converter'
import { ConversionFailed } from '@kiln/converter'
import { sql } from 'kysely'
import { afterEach, describe, expect, test } from 'vitest'
import type { LanesWorker } from '../../src/conversions/work-lanes.ts'
import { findLedgerDrift } from '../../src/db/accounts.ts'
import { beginJob, recordOutcome } from '../../src/db/jobs.ts'
import { outputObject } from '../../src/storage/object-names.ts'
import { useService } from '../support/service.ts'

const service = useService({ slots: { office: 1, document: 2, pdf: 1, video: 1 } })
let worker: LanesWorker | null = null
const start = (convert: Engine['convert']) => {
  worker = service.startWorker(convert)
}
afterEach(async () => {
  await worker?.drain(0)
  worker = null
})

const copies: Engine['convert'] = async ({ outFolder }) => {
  await writeFile(join(outFolder, 'out.html'), '<p>made</p>')
  return 'out.html'
}
const lapse = (attempt: number) =>
  sql`update pgboss.job set heartbeat_on = now() - interval '1 minute'
      where state = 'active' and retry_count = ${attempt - 1}`.execute(service.database.kysely)

/** A worker that lives may keep its lease before anybody sees that it has lapsed: then it lapses once more. */
const lapseUntil = (attempt: number, isLost: () => boolean) => {
  const look = async () => {
    if (!isLost()) await lapse(attempt)
    return isLost()
  }
  return expect.poll(look, { interval: 200, timeout: 30_000 }).toBe(true)
}

describe('a job', () => {
  test('goes from queued over processing to done, and its input is gone by then', async () => {
    const { promise: held, resolve: release } = Promise.withResolvers<void>()
    const jobId = await service.convert('hello')
    expect(await service.poll(jobId)).toEqual({
      jobId,
      status: 'queued',
      downloadUrl: null,
      error: null,
      expiresAt: null,
    })
    expect(await service.filesIn('in')).toEqual([jobId])
    start(async (run) => {
      await held
      return copies(run)
    })
    await expect.poll(async () => (await service.poll(jobId)).status).toBe('processing')
    release()
    const job = await service.ended(jobId)
    expect(job).toMatchObject({ status: 'done', error: null })
    expect(await service.filesIn('in')).toEqual([])
    const download = await fetch(String(job.downloadUrl))
    expect(await download.text()).toBe('<p>made</p>')
  })

  test('that cannot succeed fails at once, with its word, and is given back', async () => {
    let runs = 0
    start(async () => {
      runs++
      throw new ConversionFailed('corrupt-input', 'The file is broken. Save it again.', 'some cause')
    })
    const before = await service.freeJobs()
    const job = await service.ended(await service.convert('x'))
    expect(job).toMatchObject({
      status: 'failed',
      error: 'corrupt-input: The file is broken. Save it again.',
      downloadUrl: null,
    })
    expect(runs).toBe(1)
    expect(await service.freeJobs()).toBe(before)
    expect(await service.filesIn('in')).toEqual([])
    expect(await findLedgerDrift(service.database.kysely)).toEqual([])
  })

  test('that breaks through our fault is tried three times, then failed and given back', async () => {
    let runs = 0
    start(async () => {
      runs++
      // Whatever the message holds, it is written down.
      throw new Error('disk \0 on fire')
    })
    const before = await service.freeJobs()
    const job = await service.ended(await service.convert('x'))
    expect(job.status).toBe('failed')
    expect(job.error).toMatch(/^internal: /)
    expect(job.error).not.toContain('fire')
    expect(runs).toBe(3)
    expect(await service.freeJobs()).toBe(before)
  }, 60_000)

  test('that fills the disk itself goes back a few times, and fails then; others go on meanwhile', {
    timeout: 60_000,
    tags: 'slow',
  }, async () => {
    let runs = 0
    start(async (run) => {
      if (run.from !== 'rst') return copies(run)
      runs++
      throw Object.assign(new Error('no room'), { code: 'ENOSPC' })
    })
    const before = await service.freeJobs()
    const jobId = await service.convert('x', 'rst-to-html')
    await expect.poll(() => runs).toBe(1)
    const began = performance.now()
    const neighbour = await service.ended(await service.convert('y'))
    expect(neighbour.status).toBe('done')
    // A worker that pauses takes nothing for three seconds.
    expect(performance.now() - began).toBeLessThan(2500)
    expect(await service.ended(jobId)).toMatchObject({
      status: 'failed',
      error: expect.stringMatching(/^too-complex: .*disk/),
    })
    expect(runs).toBe(4)
    expect(await service.freeJobs()).toBe(before - 1)
    expect(await findLedgerDrift(service.database.kysely)).toEqual([])
  })

  test('that is empty or a link is never a success', async () => {
    start(async ({ outFolder }) => {
      await writeFile(join(outFolder, 'out.html'), '')
      return 'out.html'
    })
    expect((await service.ended(await service.convert('x'))).status).toBe('failed')
  })

  test('reports progress in a header while it runs, never backwards', async () => {
    const { promise: held, resolve: release } = Promise.withResolvers<void>()
    start(async (run) => {
      run.onProgress(0.42)
      await held
      return copies(run)
    })
    const jobId = await service.convert('x')
    const header = async () => (await service.call(`/v1/conversions/${jobId}`)).headers.get('kiln-progress')
    await expect.poll(header).toBe('0.42')
    release()
    await service.ended(jobId)
    expect(await header()).toBeNull()
  })
})

describe('a worker that dies', () => {
  test('leaves a job that another one runs; the late one changes nothing', async () => {
    const { promise: held, resolve: release } = Promise.withResolvers<void>()
    const { promise: second, resolve: secondRuns } = Promise.withResolvers<void>()
    let runs = 0
    start(async (run) => {
      const number = ++runs
      if (number === 1) await held
      else secondRuns()
      await writeFile(join(run.outFolder, 'out.html'), `<p>attempt ${number}</p>`)
      return 'out.html'
    })
    const jobId = await service.convert('x')
    await expect.poll(() => runs).toBe(1)
    await lapseUntil(1, () => runs > 1)
    await second
    const job = await service.ended(jobId)
    release()
    await expect.poll(() => worker?.running()).toBe(0)
    const again = await service.poll(jobId)
    expect(again).toEqual({ ...job, downloadUrl: expect.any(String) })
    expect(await (await fetch(String(again.downloadUrl))).text()).toBe('<p>attempt 2</p>')
    const outputs = (await service.filesIn('out')).filter((name) => name.startsWith(jobId))
    expect(outputs).toHaveLength(1)
  }, 60_000)

  test('and another, and another: a job is not blamed for workers that are lost', {
    timeout: 90_000,
    tags: 'slow',
  }, async () => {
    let runs = 0
    start(({ signal, ...run }) => {
      if (++runs > 4) return copies({ signal, ...run })
      return new Promise((_resolve, reject) =>
        signal.addEventListener('abort', () => reject(signal.reason), { once: true }),
      )
    })
    const jobId = await service.convert('x')
    await expect.poll(() => runs).toBe(1)
    for (let lost = 1; lost <= 4; lost++) await lapseUntil(lost, () => runs > lost)
    expect(await service.ended(jobId)).toMatchObject({ status: 'done' })
    expect(runs).toBe(5)
  })

  test('between recording and settling leaves a job that is only settled, not run again', async () => {
    const jobId = await service.convert('x')
    // A worker takes the job, stores the output, records it - and is killed.
    const taken = await service.queue.take('document', (trx, work) => beginJob(trx, work.jobId))
    const attempt = taken?.begun?.attempt ?? 0
    const path = join(service.folder, 'made')
    await writeFile(path, 'made once')
    await service.storage.store(path, outputObject(jobId, attempt))
    const outcome = {
      kind: 'done',
      outputObject: outputObject(jobId, attempt),
      outputBytes: 9,
      report: null,
    } as const
    expect(await recordOutcome(service.database.kysely, jobId, attempt, outcome, 0)).toBe(true)
    expect(taken?.work.jobId).toBe(jobId)
    // Outside it still runs, because its input is still there.
    expect((await service.poll(jobId)).status).toBe('processing')
    expect(await service.filesIn('in')).toContain(jobId)

    let runs = 0
    start(async (run) => {
      runs++
      return copies(run)
    })
    await lapse(1)
    const job = await service.ended(jobId)
    expect(job.status).toBe('done')
    expect(runs).toBe(0)
    expect(await service.filesIn('in')).not.toContain(jobId)
    expect(await (await fetch(String(job.downloadUrl))).text()).toBe('made once')
  }, 60_000)

  test('by a signal hands its running job back, and another worker finishes it', async () => {
    start(
      ({ signal }) =>
        new Promise((_resolve, reject) =>
          signal.addEventListener('abort', () => reject(signal.reason), { once: true }),
        ),
    )
    const jobId = await service.convert('x')
    await expect.poll(() => worker?.running()).toBe(1)
    await worker?.drain(0)
    expect((await service.poll(jobId)).status).toBe('processing')
    start(copies)
    expect((await service.ended(jobId)).status).toBe('done')
  })
})

describe('a lane', () => {
  test('runs as many jobs at once as it has slots, and no more', async () => {
    const { promise: held, resolve: release } = Promise.withResolvers<void>()
    let peak = 0
    let now = 0
    start(async (run) => {
      peak = Math.max(peak, ++now)
      await held
      now--
      return copies(run)
    })
    const jobs = await Promise.all(Array.from({ length: 5 }, () => service.convert('x')))
    await expect.poll(() => now).toBe(2)
    release()
    for (const jobId of jobs) expect((await service.ended(jobId)).status).toBe('done')
    expect(peak).toBe(2)
  })
})
