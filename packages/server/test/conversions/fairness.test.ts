// @module-tag slow

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { markUploaded } from '../../src/db/jobs.ts'
import { createCustomer } from '../support/database.ts'
import { useService } from '../support/service.ts'

// One account fills a lane with 5,000 jobs. Another's single job waits for no more than two of them.

const slots = 2
const service = useService({ slots: { office: 1, document: slots, pdf: 1, video: 1 } })
const waiting = 5000

/** As uploads do it, many in one transaction. */
const enqueueAll = (jobIds: readonly string[]) =>
  service.database.kysely.transaction().execute(async (trx) => {
    for (const jobId of jobIds) {
      const marked = await markUploaded(trx, jobId)
      if (!marked) throw new Error(`${jobId} awaits no upload`)
      await service.queue.enqueue(trx, { jobId, ...marked })
    }
  })

/** Only those that get their turn need an input. */
const storeInputs = async (jobIds: readonly string[]) => {
  for (const jobId of jobIds) {
    const path = join(service.folder, jobId)
    await writeFile(path, 'x')
    await service.storage.store(path, `in/${jobId}`)
  }
}

const insertJobs = async (accountId: string, count: number) => {
  const { rows } = await sql<{ id: string }>`
    insert into jobs (account_id, pair, lane, bytes, upload_expires_at)
    select ${accountId}, 'md-to-html', 'document', 1, now() + interval '1 hour' from generate_series(1, ${count}::int)
    returning id`.execute(service.database.kysely)
  return rows.map(({ id }) => id)
}

test('a single job does not wait behind another account’s 5,000', async () => {
  const crowd = await createCustomer(service.database, 'crowd')
  const single = await createCustomer(service.database, 'single')
  const jobs = await insertJobs(crowd.accountId, waiting)
  for (let start = 0; start < waiting; start += 500) await enqueueAll(jobs.slice(start, start + 500))

  await storeInputs(jobs.slice(0, 200))
  const begun: string[] = []
  const gates: (() => void)[] = []
  const worker = service.startWorker(async ({ outFolder, inFolder }) => {
    begun.push(inFolder)
    await new Promise<void>((resolve) => gates.push(resolve))
    await writeFile(join(outFolder, 'out.html'), '<p>made</p>')
    return 'out.html'
  })
  const open = async (until: () => boolean | Promise<boolean>) => {
    while (!(await until())) {
      gates.splice(0).forEach((release) => void release())
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
  }
  // The lane is in full swing, its slots are taken, and thousands wait.
  await open(() => begun.length >= 40)
  await expect.poll(() => worker.running()).toBe(slots)
  const [jobId = ''] = await insertJobs(single.accountId, 1)
  await storeInputs([jobId])
  await enqueueAll([jobId])
  const before = begun.length
  const isRunning = async () => {
    const { rows } = await sql<{ status: string }>`select status from jobs where id = ${jobId}`.execute(
      service.database.kysely,
    )
    return rows[0]?.status !== 'queued'
  }
  await open(isRunning)
  // Those that ran already do not count; of the crowd's next ones at most two go first.
  expect(begun.length - before).toBeLessThanOrEqual(2 + slots)
  const { rows } = await sql<{ ahead: number }>`
    select count(*)::int as ahead from jobs c, jobs s
    where s.id = ${jobId} and c.id <> s.id and c.started_at > s.uploaded_at and c.started_at < s.started_at`.execute(
    service.database.kysely,
  )
  expect(rows[0]?.ahead).toBeLessThanOrEqual(2)
  const drained = worker.drain(1)
  await open(() => worker.running() === 0)
  await drained
}, 240_000)
