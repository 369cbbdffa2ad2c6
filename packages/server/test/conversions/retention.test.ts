import { randomUUID } from 'node:crypto'
import { rm, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { inputObject, outputObject } from '../../src/storage/object-names.ts'
import { useService } from '../support/service.ts'

const service = useService({ outputTtlSeconds: 3600 })
beforeAll(() => {
  service.startWorker(async ({ outFolder }) => {
    await writeFile(join(outFolder, 'out.html'), '<p>made</p>')
    return 'out.html'
  })
})
const update = (jobId: string, change: ReturnType<typeof sql>) =>
  sql`update jobs set ${change} where id = ${jobId}`.execute(service.database.kysely)
const store = async (object: string, age: Date) => {
  const path = join(service.folder, randomUUID())
  await writeFile(path, 'left behind')
  await service.storage.store(path, object)
  await utimes(service.storage.pathOf(object), age, age)
}
const longAgo = new Date(Date.now() - 3_600_000)

describe('the hour of an output', () => {
  test('ends: the file, the link and downloadUrl go, the record stays with its expiresAt', async () => {
    const jobId = await service.convert('x')
    const job = await service.ended(jobId)
    const lasts = new Date(String(job.expiresAt)).getTime() - Date.now()
    expect(lasts).toBeGreaterThan(3_590_000)
    expect(lasts).toBeLessThanOrEqual(3_600_000)

    await update(jobId, sql`expires_at = now() - interval '1 second'`)
    expect(await service.poll(jobId)).toMatchObject({
      status: 'done',
      downloadUrl: null,
      expiresAt: expect.any(String),
    })
    await service.sweeper.sweepExpired()
    expect((await service.filesIn('out')).filter((name) => name.startsWith(jobId))).toEqual([])
    expect((await fetch(String(job.downloadUrl))).status).toBe(404)
    expect(await service.poll(jobId)).toMatchObject({ status: 'done', downloadUrl: null })
  })

  test('ends for all of them in one round, however many there are', { tags: 'slow' }, async () => {
    const db = service.database.kysely
    const { rows } = await sql<{ id: string }>`
      insert into jobs (account_id, pair, lane, bytes, upload_expires_at, status, outcome, output_object, output_bytes,
                        created_at, finished_at, expires_at)
      select ${service.customer.accountId}, 'md-to-html', 'document', 1, now(), 'done', 'done', 'out/' || gen_random_uuid() || '.1', 1,
             now() - interval '40 days', now() - interval '40 days', now() - interval '39 days'
      from generate_series(1, 1201) returning id`.execute(db)
    await sql`insert into jobs (account_id, pair, lane, bytes, upload_expires_at)
      select ${service.customer.accountId}, 'md-to-html', 'document', 1, now() - interval '1 second'
      from generate_series(1, 1201)`.execute(db)
    expect(rows).toHaveLength(1201)
    await service.sweeper.sweepExpired()
    const left = await sql<{ outputs: number; awaited: number; old: number }>`
      select count(*) filter (where output_object is not null and expires_at < now())::int as outputs,
             count(*) filter (where status = 'queued' and upload_expires_at < now())::int as awaited,
             count(*) filter (where created_at < now() - interval '35 days')::int as old
      from jobs`.execute(db)
    expect(left.rows[0]).toEqual({ outputs: 0, awaited: 0, old: 0 })
  })

  test('the record goes after its days', async () => {
    const jobId = await service.convert('x')
    await service.ended(jobId)
    await update(
      jobId,
      sql`created_at = now() - interval '31 days', finished_at = now() - interval '29 days', output_object = null`,
    )
    await service.sweeper.sweepExpired()
    expect((await service.call(`/v1/conversions/${jobId}`)).status).toBe(200)
    await update(jobId, sql`finished_at = now() - interval '31 days'`)
    await service.sweeper.sweepExpired()
    expect((await service.call(`/v1/conversions/${jobId}`)).status).toBe(404)
  })
})

describe('an upload that never comes', () => {
  test('fails the job after its hour and gives the charge back', async () => {
    const jobId = await service.customer.job()
    await update(jobId, sql`upload_expires_at = now() - interval '1 second'`)
    await service.sweeper.sweepExpired()
    const job = await service.poll(jobId)
    expect(job).toMatchObject({ status: 'failed', downloadUrl: null })
    expect(job.error).toMatch(/^timeout: upload not received/)
  })
})

describe('storage against table', () => {
  test('objects that no job counts on are removed, all others are kept', async () => {
    const done = await service.convert('x')
    await service.ended(done)
    const waiting = await service.customer.job()
    const strays = [
      inputObject(randomUUID()),
      outputObject(randomUUID(), 1),
      inputObject(done),
      outputObject(done, 77),
    ]
    const kept = [inputObject(waiting)]
    for (const object of [...strays, ...kept]) await store(object, longAgo)
    // Objects that an ended job does not refer to are removed at once.
    const late = [outputObject(done, 78), outputObject(done, 79)]
    strays.push(...late)
    for (const object of late) await store(object, new Date())
    const young = outputObject(randomUUID(), 1)
    await store(young, new Date())

    expect((await service.sweeper.sweepStrays()).strayObjects).toBe(strays.length)
    for (const object of strays) expect(await service.storage.size(object), object).toBeNull()
    for (const object of [...kept, young]) expect(await service.storage.size(object), object).not.toBeNull()
    expect((await service.poll(done)).downloadUrl).toEqual(expect.any(String))
  })
})

describe('table against storage', () => {
  test('a lost output is no longer promised; its owner sees that, and gets back what it cost', async () => {
    const before = await service.freeJobs()
    const jobId = await service.convert('x')
    await service.ended(jobId)
    expect(await service.freeJobs()).toBe(before - 1)
    const [name] = (await service.filesIn('out')).filter((file) => file.startsWith(jobId))
    await rm(service.storage.pathOf(`out/${name}`))
    expect((await service.sweeper.sweepStrays()).lostObjects).toBe(1)
    expect(await service.poll(jobId)).toMatchObject({
      status: 'done',
      downloadUrl: null,
      error: expect.stringMatching(/^internal: The output was lost/),
    })
    expect(await service.freeJobs()).toBe(before)
    expect((await service.sweeper.sweepStrays()).lostObjects).toBe(0)
    expect(await service.freeJobs()).toBe(before)
  })

  test('a lost upload fails its job and gives the charge back', async () => {
    const jobId = await service.customer.job({ lane: 'video' })
    await update(jobId, sql`uploaded_at = now(), turn = 0`)
    expect((await service.sweeper.sweepStrays()).lostObjects).toBe(1)
    expect((await service.poll(jobId)).error).toMatch(/^internal: /)
  })
})
