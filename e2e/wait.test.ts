import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { someClient } from './accounts.ts'
import { expectError, expectJob } from './expectations.ts'
import { requirement } from './requirements.ts'
import { bytesOf, upload } from './service.ts'

const client = someClient(0)
const other = someClient(1)

const text = bytesOf('# Wait for me\n')

const timed = async <T>(work: Promise<T>): Promise<[T, number]> => {
  const start = performance.now()
  return [await work, (performance.now() - start) / 1000]
}

describe.concurrent('Prefer: wait', () => {
  test(`${requirement('wait.at-most-n', 'wait.same-body')} holds the answer for N seconds`, async () => {
    const { jobId } = await client.job('md-to-html', text.length)
    const [answer, seconds] = await timed(client.poll(jobId, { prefer: 'wait=2' }))
    expect(expectJob(answer, 'queued').jobId).toBe(jobId)
    expect(answer.headers.get('preference-applied')).toBe('wait=2')
    expect(seconds).toBeGreaterThan(1.8)
    expect(seconds).toBeLessThan(5)
  })

  test(`${requirement('wait.until-the-end', 'wait.same-body')} answers as soon as the job ends`, async () => {
    const { jobId, uploadUrl } = await client.job('md-to-html', text.length)
    const waiting = timed(client.poll(jobId, { prefer: 'wait=24' }))
    await sleep(500)
    await upload(uploadUrl, text)
    const [answer, seconds] = await waiting
    expect(expectJob(answer, 'done')).toEqual(
      await client.readJob(jobId).then((job) => ({ ...job, downloadUrl: expect.any(String) })),
    )
    expect(seconds).toBeLessThan(20)
  })

  test(`${requirement('wait.until-the-end')} does not hold a job that has ended`, async () => {
    const { jobId } = await client.run('md-to-html', text)
    const [answer, seconds] = await timed(client.poll(jobId, { prefer: 'wait=20' }))
    expectJob(answer, 'done')
    expect(seconds).toBeLessThan(5)
  })

  test(`${requirement('wait.at-most-25')} never holds longer than 25 seconds`, async () => {
    const { jobId } = await client.job('md-to-html', text.length)
    const [answer, seconds] = await timed(client.poll(jobId, { prefer: 'wait=3600' }))
    expectJob(answer, 'queued')
    expect(answer.headers.get('preference-applied')).toBe('wait=25')
    expect(seconds).toBeGreaterThan(24.5)
    expect(seconds).toBeLessThan(30)
  })

  test.each(['wait=0', 'wait=-5', 'wait=soon', 'wait', 'wait=', 'respond-async', 'return=minimal', ';;;'])(
    `${requirement('wait.at-most-n')} "%s" is answered at once`,
    async (prefer) => {
      const { jobId } = await client.job('md-to-html', text.length)
      const [answer, seconds] = await timed(client.poll(jobId, { prefer }))
      expectJob(answer, 'queued')
      expect(seconds).toBeLessThan(3)
    },
  )

  test.each(['respond-async, wait=1', 'wait="1"', 'Wait=1', 'wait=1; foo=bar', 'return=minimal,wait=1'])(
    `${requirement('wait.at-most-n')} is found in "%s"`,
    async (prefer) => {
      const { jobId } = await client.job('md-to-html', text.length)
      const [answer, seconds] = await timed(client.poll(jobId, { prefer }))
      expectJob(answer, 'queued')
      expect(answer.headers.get('preference-applied')).toBe('wait=1')
      expect(seconds).toBeGreaterThan(0.8)
    },
  )

  test('answers another account, and a poll of an unknown job, at once', async () => {
    const { jobId } = await client.job('md-to-html', text.length)
    const [forbidden, first] = await timed(other.poll(jobId, { prefer: 'wait=20' }))
    expectError(forbidden, 'forbidden')
    const [missing, second] = await timed(client.poll(randomUUID(), { prefer: 'wait=20' }))
    expectError(missing, 'not-found')
    expect(first + second).toBeLessThan(5)
  })

  test(`${requirement('wait.until-the-end')} wakes everyone who waits for the job`, async () => {
    const { jobId, uploadUrl } = await client.job('md-to-html', text.length)
    const waiting = Array.from({ length: 30 }, () => client.poll(jobId, { prefer: 'wait=24' }))
    await sleep(300)
    await upload(uploadUrl, text)
    for (const answer of await Promise.all(waiting)) expectJob(answer, 'done')
  })
})
