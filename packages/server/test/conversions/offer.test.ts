import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { offerOf } from '../../src/config/setting-pairs.ts'
import { useService } from '../support/service.ts'

// A service whose operator has chosen the pairs, and their prices.

const service = useService({ freeJobsPerMonth: 0 }, offerOf(['md-to-html', 'md-to-rst'], { 'md-to-rst': 7 }))

const submit = (pair: string) =>
  service.call('/v1/conversions', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ pair, bytes: 5 }),
  })
const credits = (amount: number) =>
  sql`update accounts set credits = ${amount}`.execute(service.database.kysely)

test('only what is offered is listed and taken', async () => {
  const { pairs } = (await (await service.call('/v1/formats')).json()) as { pairs: object[] }
  expect(pairs).toMatchObject([
    { pair: 'md-to-html', costCredits: 1 },
    { pair: 'md-to-rst', costCredits: 7 },
  ])
  const refused = await submit('docx-to-pdf')
  expect([refused.status, await refused.json()]).toMatchObject([400, { code: 'unknown-pair' }])
  expect((await service.call('/v1/formats/docx-to-pdf')).status).toBe(404)
})

test('the price is the operator’s', async () => {
  await credits(8)
  expect((await submit('md-to-rst')).status).toBe(201)
  expect((await submit('md-to-rst')).status).toBe(402)
  expect((await submit('md-to-html')).status).toBe(201)
  expect((await submit('md-to-html')).status).toBe(402)
})

test('a job whose pair is not offered any more says so, and costs nothing', async () => {
  await credits(1)
  const id = await service.convert('hello')
  await sql`update jobs set pair = 'md-to-docx' where id = ${id}`.execute(service.database.kysely)
  const worker = service.startWorker(async () => 'never')
  const ended = await service.ended(id)
  await worker.drain(5)
  expect(ended).toMatchObject({ status: 'failed', error: 'unsupported: This pair is no longer offered.' })
  const { rows } = await sql<{ credits: number }>`select credits from accounts`.execute(
    service.database.kysely,
  )
  expect(rows).toEqual([{ credits: 1 }])
})
