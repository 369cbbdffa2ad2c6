import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { readChart, readFailures, readPairs } from '../../src/db/reports/charts.ts'
import { readHoldings, readLanes, readLastMinute, readMonth } from '../../src/db/reports/current-state.ts'
import { rollUp, spans } from '../../src/db/reports/roll-up.ts'
import { createCustomer, useDatabase } from '../support/database.ts'

const context = useDatabase()
const db = () => context.database.kysely
const account = '00000000-0000-4000-8000-000000000001'
beforeEach(async () => {
  await sql`truncate jobs, job_counts, job_counts_progress cascade`.execute(db())
})

/** Jobs that ended so many seconds ago, after running for so many milliseconds. */
async function end(options: { ago: number; ms?: number; count?: number; pair?: string; word?: string }) {
  const { ago, ms = 100, count = 1, pair = 'md-to-html', word = null } = options
  const status = word ? 'failed' : 'done'
  await sql`
    insert into jobs (account_id, pair, lane, bytes, status, failure_word, failure_sentence, upload_expires_at, uploaded_at, attempt, started_at,
                      finished_at, output_bytes)
    select ${account}::uuid, ${pair}, 'document', 1000, ${status}, ${word}, ${word && 'A sentence.'}, now(), t - make_interval(secs => 2), 1,
           t, t + make_interval(secs => ${ms / 1000}::float8), 500
    from generate_series(1, ${count}::integer), (select now() - make_interval(secs => ${ago}) as t) time`.execute(
    db(),
  )
}
const countAll = async () => {
  while (await rollUp(db()));
}
const total = (points: { done: number; failed: number }[]) =>
  points.reduce((sum, point) => ({ done: sum.done + point.done, failed: sum.failed + point.failed }), {
    done: 0,
    failed: 0,
  })

describe('the counts behind the charts', () => {
  test('hold every end once, in all three spans, however often they are counted', async () => {
    await end({ ago: 30, count: 5 })
    await end({ ago: 1800, count: 3 })
    await end({ ago: 1800, count: 2, word: 'timeout' })
    for (let round = 0; round < 3; round++) await countAll()
    for (const span of Object.values(spans)) {
      expect(total(await readChart(db(), span, 30 * 86_400))).toEqual({ done: 8, failed: 2 })
    }
  })

  test('take in what ends later, also within a minute that was counted', async () => {
    await end({ ago: 5, count: 2 })
    await countAll()
    await end({ ago: 5, count: 3 })
    await countAll()
    expect(total(await readChart(db(), spans.minute, 3600))).toEqual({ done: 5, failed: 0 })
  })

  test('are not touched while nothing ends', async () => {
    await end({ ago: 1800 })
    await countAll()
    const written = () => sql`select until from job_counts_progress`.execute(db()).then(({ rows }) => rows)
    const before = await written()
    await countAll()
    expect(await written()).toEqual(before)
    await end({ ago: 1 })
    await countAll()
    expect(await written()).not.toEqual(before)
  })

  test('survive the records: what is deleted stays counted', async () => {
    await end({ ago: 20, count: 4 })
    await countAll()
    await sql`delete from jobs`.execute(db())
    await countAll()
    expect(total(await readChart(db(), spans.sixHours, 86_400))).toEqual({ done: 4, failed: 0 })
  })

  test('of a table that is older than the counts are made step by step', async () => {
    for (const day of [2, 5, 20]) await end({ ago: day * 86_400, count: day })
    let steps = 1
    while (await rollUp(db())) steps++
    expect(steps).toBeGreaterThan(50)
    expect(total(await readChart(db(), spans.sixHours, 30 * 86_400)).done).toBe(27)
    // Fine spans are not kept for so long.
    expect(await readChart(db(), spans.minute, 30 * 86_400)).toEqual([])
  })

  test('by two workers at once are the same', async () => {
    await end({ ago: 90, count: 7 })
    await Promise.all([countAll(), countAll(), countAll()])
    expect(total(await readChart(db(), spans.minute, 3600)).done).toBe(7)
  })

  test('give percentiles per pair within a tenth, and waits', async () => {
    await end({ ago: 60, ms: 200, count: 60 })
    await end({ ago: 60, ms: 1000, count: 40 })
    await end({ ago: 60, ms: 8000, count: 10, pair: 'mov-to-mp4' })
    await countAll()
    const pairs = await readPairs(db(), spans.minute, 3600)
    expect(pairs.map(({ pair, done }) => [pair, done])).toEqual([
      ['md-to-html', 100],
      ['mov-to-mp4', 10],
    ])
    const within = (value: number | null | undefined, wanted: number) => {
      expect(value).toBeGreaterThan(wanted * 0.9)
      expect(value).toBeLessThan(wanted * 1.1)
    }
    within(pairs[0]?.p50, 200)
    within(pairs[0]?.p95, 1000)
    within(pairs[1]?.p50, 8000)
    const points = await readChart(db(), spans.minute, 3600)
    within(points[0]?.wait, 2000)
    within(points[0]?.longestWait, 2000)
  })

  test('group failures by reason; jobs that the operator cancelled are not failures', async () => {
    await end({ ago: 10, count: 3, word: 'corrupt-input' })
    await end({ ago: 10, count: 1, word: 'cancelled' })
    await countAll()
    expect(await readFailures(db(), spans.minute, 3600)).toEqual([
      { reason: 'corrupt-input', jobs: 3 },
      { reason: 'cancelled', jobs: 1 },
    ])
    expect(total(await readChart(db(), spans.minute, 3600))).toEqual({ done: 0, failed: 3 })
  })
})

describe('how things stand', () => {
  test('lanes: how many wait, since when, and how many run', async () => {
    await sql`
      insert into jobs (account_id, pair, lane, bytes, status, upload_expires_at, uploaded_at, started_at, turn)
      values (${account}, 'a', 'video', 10, 'queued', now(), now() - interval '40 seconds', null, 1),
             (${account}, 'a', 'video', 10, 'queued', now(), now() - interval '5 seconds', null, 2),
             (${account}, 'a', 'office', 10, 'processing', now(), now(), now(), 3),
             (${account}, 'a', 'office', 10, 'queued', now() + interval '1 hour', null, null, null)`.execute(
      db(),
    )
    const lanes = await readLanes(db(), ['office', 'video', 'pdf'])
    expect(lanes.find(({ lane }) => lane === 'video')).toMatchObject({ waiting: 2, running: 0 })
    expect(lanes.find(({ lane }) => lane === 'video')?.oldestSeconds).toBeCloseTo(40, 0)
    expect(lanes.find(({ lane }) => lane === 'office')).toMatchObject({ waiting: 0, running: 1 })
    expect(lanes[2]).toEqual({ lane: 'pdf', waiting: 0, oldestSeconds: 0, running: 0 })
    expect(await readHoldings(db())).toMatchObject({
      inputs: 3,
      inputBytes: 30,
      awaitedUploads: 1,
      outputs: 0,
    })
  })

  test('the last minute, what is kept, and the month', async () => {
    await end({ ago: 10, count: 2 })
    await end({ ago: 200, count: 5 })
    expect(await readLastMinute(db())).toEqual({ done: 2, failed: 0 })
    await sql`update jobs set output_object = 'out/x.1', expires_at = now() - interval '5 minutes'`.execute(
      db(),
    )
    expect(await readHoldings(db())).toMatchObject({ outputs: 7, outputBytes: 3500, overdueOutputs: 7 })
    const before = await readMonth(db())
    const customer = await createCustomer(context.database)
    await customer.job({ bytes: 123 })
    expect(await readMonth(db())).toMatchObject({
      accounts: before.accounts + 1,
      jobs: before.jobs + 1,
      bytes: before.bytes + 123,
      freeUsed: before.freeUsed + 1,
    })
  })
})
