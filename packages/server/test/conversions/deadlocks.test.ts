import { sql } from 'kysely'
import pg from 'pg'
import { expect, test } from 'vitest'
import { createEndJob } from '../../src/conversions/end-job.ts'
import { findLedgerDrift } from '../../src/db/accounts.ts'
import { beginJob, recordOutcome } from '../../src/db/jobs.ts'
import { deleteWebhook, putWebhook } from '../../src/db/webhooks.ts'
import { createCustomer } from '../support/database.ts'
import { useService } from '../support/service.ts'
import { untilLockWait } from '../support/until-lock-wait.ts'

// Two transactions that wait for each other's locks. PostgreSQL aborts the one that first checks for a deadlock, after
// a second of waiting. That is ours, unless the machine was stalled during that second; then the two deadlock again.

const service = useService({ freeJobsPerMonth: 1000 })
const lockJob = 'select from jobs where id = $1 for update'
const lockWork = 'select from pgboss.job where id = $1 for update'

interface Meeting<T> {
  /** The lock that the other transaction holds, the one that it requests next, and the row. */
  holds: string
  wants: string
  id: string
  /** Our concurrent action. */
  act: () => Promise<T>
}

async function untilUndone<T>(prepare: () => Promise<Meeting<T>>): Promise<{ id: string; result: T }> {
  for (;;) {
    const { holds, wants, id, act } = await prepare()
    const other = new pg.Client({ connectionString: service.database.connectionString })
    await other.connect()
    try {
      await other.query('begin')
      await other.query(holds, [id])
      const acted = act()
      await Promise.race([untilLockWait(other), acted])
      const otherWasUndone = await other.query(wants, [id]).then(
        () => false,
        ({ code }) => code === '40P01',
      )
      await other.query('rollback')
      const result = await acted
      if (!otherWasUndone) return { id, result }
    } finally {
      await other.end()
    }
  }
}

const takeDocument = () => service.queue.take('document', (trx, { jobId }) => beginJob(trx, jobId))

test('a job that is deleted while a worker takes it is deleted', async () => {
  const { id, result } = await untilUndone(async () => {
    const id = await service.convert('hello')
    const act = () => service.call(`/v1/conversions/${id}`, { method: 'DELETE' })
    return { holds: lockWork, wants: lockJob, id, act }
  })
  expect([result.status, await result.text()]).toEqual([204, ''])
  expect(await service.poll(id)).toMatchObject({
    status: 'failed',
    error: expect.stringMatching(/^cancelled/),
  })
  expect(await takeDocument()).toBeNull()
  expect(await findLedgerDrift(service.database.kysely)).toEqual([])
})

test('a job that is taken while another process ends it is taken', async () => {
  const { id, result } = await untilUndone(async () => {
    const id = await service.convert('hello')
    const act = async () => {
      // Rows that the other transaction has locked are skipped.
      for (;;) {
        const taken = await takeDocument()
        if (taken) return taken
      }
    }
    return { holds: lockJob, wants: lockWork, id, act }
  })
  expect(result.begun).toMatchObject({ id, attempt: 1 })
})

test('a job that gets its end while its work is given to another gets it', async () => {
  const { database, storage, queue } = service
  const endJob = createEndJob({ database, storage, queue, outputTtlSeconds: 60 })
  const { id, result } = await untilUndone(async () => {
    const id = await service.convert('hello')
    const taken = await takeDocument()
    if (!taken?.begun) throw new Error('no work')
    const { work, begun } = taken
    await recordOutcome(
      database.kysely,
      id,
      begun.attempt,
      { kind: 'done', outputObject: 'none', outputBytes: 1, report: null },
      0,
    )
    return { holds: lockWork, wants: lockJob, id, act: () => endJob.settle(work, begun) }
  })
  expect(result).toMatchObject({ status: 'done' })
  expect(await service.poll(id)).toMatchObject({ status: 'done' })
})

test('a webhook that is removed while its deliveries go is removed', async () => {
  const { kysely } = service.database
  const { result } = await untilUndone(async () => {
    const { accountId, job } = await createCustomer(service.database)
    await putWebhook(kysely, { accountId, url: 'https://example.com/', secret: 'sealed' })
    const jobId = await job()
    await sql`insert into webhook_deliveries (account_id, job_id) values (${accountId}, ${jobId})`.execute(
      kysely,
    )
    return {
      holds: 'select from webhook_deliveries where account_id = $1 for update',
      wants: 'select from webhooks where account_id = $1 for update',
      id: accountId,
      act: () => deleteWebhook(kysely, accountId),
    }
  })
  expect(result).toBe(true)
})
