import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ConversionFailed, type Engine } from '@kiln/converter'
import { sql } from 'kysely'
import { afterEach, describe, expect, test } from 'vitest'
import type { LanesWorker } from '../../src/conversions/work-lanes.ts'
import { findJob } from '../../src/db/find-job.ts'
import { queryRow } from '../../src/db/query.ts'
import { type Customer, createCustomer } from '../support/database.ts'
import { useService } from '../support/service.ts'

// One account fills a lane with work that does not end. What others have there goes on.

const service = useService({ slots: { office: 1, document: 2, pdf: 1, video: 1 } })
let worker: LanesWorker | null = null
afterEach(async () => {
  await worker?.drain(0)
  worker = null
  await sql`delete from jobs`.execute(service.database.kysely)
  await sql`delete from pgboss.job`.execute(service.database.kysely)
})
const never: Engine['convert'] = ({ signal }) =>
  new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
const made: Engine['convert'] = async ({ outFolder }) => {
  await writeFile(join(outFolder, 'out.html'), '<p>made</p>')
  return 'out.html'
}
const statusOf = async (jobId: string) => (await findJob(service.database.kysely, jobId))?.status
type EngineRun = Parameters<Engine['convert']>[0]
const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

/** Submits and uploads as this customer. */
async function convert(customer: Customer, pair = 'md-to-html'): Promise<string> {
  const submitted = await service.call('/v1/conversions', {
    key: customer.key,
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ pair, bytes: 1 }),
  })
  const { jobId, uploadUrl } = (await submitted.json()) as { jobId: string; uploadUrl: string }
  expect((await fetch(uploadUrl, { method: 'PUT', body: 'x' })).status).toBe(200)
  return jobId
}

describe.each([
  ['md-to-html', 2],
  // A lane with a single slot.
  ['txt-to-pdf', 1],
])('the lane of %s', (pair, slots) => {
  test('is not closed to another account by one that fills it', async () => {
    const [crowd, single] = [
      await createCustomer(service.database, 'crowd'),
      await createCustomer(service.database, 'single'),
    ]
    const crowdJobs = new Set<string>()
    worker = service.startWorker(never)
    for (let n = 0; n < slots + 2; n++) crowdJobs.add(await convert(crowd, pair))
    await expect.poll(() => worker?.running()).toBe(slots)
    const jobId = await convert(single, pair)
    await expect.poll(() => statusOf(jobId)).toBe('processing')
    // Its further jobs wait for their turn, and so do those of the crowd.
    const second = await convert(single, pair)
    await pause(2500)
    expect(await statusOf(second)).toBe('queued')
    expect(worker.running()).toBe(slots + 1)
  })
})

describe('an account whose failing work has used up its time', () => {
  test('runs one job at a time in a lane', async () => {
    const failing = await createCustomer(service.database, 'failing')
    worker = service.startWorker(never, (accountId) => accountId === failing.accountId)
    for (let n = 0; n < 3; n++) await convert(failing)
    await expect.poll(() => worker?.running()).toBe(1)
    await pause(2500)
    expect(worker.running()).toBe(1)
  })
})

describe('the CPU time of a job', () => {
  const cpuSeconds = async (jobId: string) =>
    (
      await queryRow<{ seconds: number }>(service.database.kysely)`
      select cpu_seconds as seconds from jobs where id = ${jobId}`
    )?.seconds
  /** Computes in the sandbox until it has used so many seconds; the kernel reports them in hundredths, rounded down. */
  const compute = async ({ sandbox, inFolder, outFolder, signal }: EngineRun, seconds: number) =>
    sandbox.run({
      program: 'perl',
      args: ['-e', `do { $_++ for my @a = 1..20000; @t = times } until $t[0] + $t[1] > ${seconds}`],
      inFolder,
      outFolder,
      signal,
      limits: {
        wallSeconds: 120,
        cpuSeconds: 60,
        processes: 8,
        memoryBytes: 2 ** 30,
        fileBytes: 2 ** 20,
        diskBytes: 2 ** 20,
        logBytes: 1024,
      },
    })

  test('counts every attempt that breaks down, and no time that it waits', { tags: 'slow' }, async () => {
    worker = service.startWorker(async (run) => {
      await compute(run, 0.4)
      await pause(1000)
      throw new Error('the opener crashed')
    })
    const jobId = await convert(service.customer)
    expect(await service.ended(jobId)).toMatchObject({ status: 'failed' })
    expect(await cpuSeconds(jobId)).toBeGreaterThan(3 * 0.3)
    expect(await cpuSeconds(jobId)).toBeLessThan(3 * 1)
  })

  test('is recorded, whether the job ends well or badly', async () => {
    let fails = false
    worker = service.startWorker(async (run) => {
      await compute(run, 0.5)
      if (fails) throw new ConversionFailed('too-complex', 'Too much.')
      return made(run)
    })
    const good = await convert(service.customer)
    await service.ended(good)
    fails = true
    const bad = await convert(service.customer)
    await service.ended(bad)
    for (const jobId of [good, bad]) {
      expect(await cpuSeconds(jobId)).toBeGreaterThan(0.4)
      expect(await cpuSeconds(jobId)).toBeLessThan(1.2)
    }
  })

  test('counts for a job that is cancelled while it runs', async () => {
    const { promise: computed, resolve } = Promise.withResolvers<void>()
    worker = service.startWorker(async (run) => {
      await compute(run, 0.5)
      resolve()
      return never(run)
    })
    const jobId = await convert(service.customer)
    await computed
    await service.call(`/v1/conversions/${jobId}`, { method: 'DELETE' })
    await expect.poll(() => cpuSeconds(jobId), { timeout: 10_000 }).toBeGreaterThan(0.4)
  })
})
