import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { anonymous, someClient } from './accounts.ts'
import { picture, slowMarkdown } from './documents.ts'
import { expectError, expectJob, failureText, timestamp } from './expectations.ts'
import { requirement } from './requirements.ts'
import { bytesOf, isEnded, upload } from './service.ts'

const client = someClient(0)
const other = someClient(1)

const text = bytesOf('# Poll me\n')

describe('GET /v1/conversions/{id}', () => {
  test(`${requirement('poll.by-id', 'poll.exact-fields', 'poll.job-id', 'state.queued')} shows a job that waits for its upload`, async () => {
    const { jobId } = await client.job('md-to-html', text.length)
    expect(expectJob(await client.poll(jobId))).toEqual({
      jobId,
      status: 'queued',
      downloadUrl: null,
      error: null,
      expiresAt: null,
    })
  })

  test(`${requirement('state.done', 'poll.download-url-when-done', 'poll.expires-at', 'timestamps.iso-utc', 'limits.output-retention', 'poll.download-url-an-hour')} shows a job that is done, with its output for an hour`, async () => {
    const before = Date.now()
    const { jobId } = await client.run('md-to-html', text)
    const after = Date.now()
    const job = expectJob(await client.poll(jobId), 'done')
    expect(job.error).toBeNull()
    expect(URL.canParse(job.downloadUrl ?? '')).toBe(true)
    expect(job.expiresAt).toMatch(timestamp)
    const expires = Date.parse(job.expiresAt ?? '')
    expect(expires).toBeGreaterThanOrEqual(before + 3_600_000 - 5000)
    expect(expires).toBeLessThanOrEqual(after + 3_600_000 + 5000)
  })

  test(`${requirement('state.failed', 'poll.error-text', 'errors.failed-job')} shows a job that failed, with its reason`, async () => {
    const { jobId } = await client.run('docx-to-html', picture())
    const job = expectJob(await client.poll(jobId), 'failed')
    expect(job.error).toMatch(failureText)
    expect(job.downloadUrl).toBeNull()
  })

  test(`${requirement('poll.forbidden-403', 'auth.owner-only')} is closed to another account`, async () => {
    const { jobId } = await client.job('md-to-html', text.length)
    expectError(await other.poll(jobId), 'forbidden')
    const done = await client.run('md-to-html', text)
    expectError(await other.poll(done.jobId), 'forbidden')
  })

  test.each([
    randomUUID(),
    '00000000-0000-0000-0000-000000000000',
    'nonsense',
    '1',
    '%00',
    '%2e%2e',
    "'%20or%20'1'='1",
    `${'a'.repeat(500)}`,
    '%F0%9F%94%A5',
  ])(`${requirement('poll.not-found-404')} has no job %s`, async (id) => {
    expectError(await client.poll(id), 'not-found')
  })

  test(`${requirement('poll.not-found-404')} answers a path that cannot be decoded with an error body`, async () => {
    const answer = await client.poll('%E0%A4%A')
    expect(['not-found', 'bad-request']).toContain((answer.body as { code: string }).code)
  })

  test(`${requirement('auth.all-but-formats')} needs a key, whether or not the job exists`, async () => {
    const { jobId } = await client.job('md-to-html', text.length)
    expectError(await anonymous.poll(jobId), 'unauthenticated')
    expectError(await anonymous.poll(randomUUID()), 'unauthenticated')
  })
})

describe('the states of a job', () => {
  test(`${requirement('state.transitions', 'state.processing', 'state.final', 'poll.status-values', 'progress.header', 'progress.same-body')} follow one another in order, and none comes back`, async () => {
    const slow = slowMarkdown(1500)
    const { jobId, uploadUrl } = await client.job('md-to-docx', slow.length)
    const seen: string[] = []
    let progressOutsideProcessing = 0
    const look = async () => {
      const answer = await client.poll(jobId)
      const job = expectJob(answer)
      const progress = answer.headers.get('kiln-progress')
      if (progress !== null && job.status !== 'processing') progressOutsideProcessing++
      if (progress !== null) expect(progress).toMatch(/^(0(\.\d+)?|1(\.0+)?)$/)
      if (job.status !== 'done') expect(job.downloadUrl).toBeNull()
      if (job.status !== 'failed') expect(job.error).toBeNull()
      if (!isEnded(job)) expect(job.expiresAt).toBeNull()
      if (seen.at(-1) !== job.status) seen.push(job.status)
      return job
    }
    await look()
    await upload(uploadUrl, slow)
    while (!isEnded(await look())) await new Promise((next) => setTimeout(next, 10))
    for (let again = 0; again < 5; again++) await look()
    expect(seen).toEqual(['queued', 'processing', 'done'])
    expect(progressOutsideProcessing).toBe(0)
  })

  test(`${requirement('state.final', 'state.transitions')} stay failed after a failure`, async () => {
    const { jobId, uploadUrl } = await client.job('docx-to-html', picture().length)
    await upload(uploadUrl, picture())
    const failed = await client.ended(jobId)
    expect(failed.status).toBe('failed')
    expect((await upload(uploadUrl, picture())).status).toBe(200)
    expect(await client.readJob(jobId)).toEqual(failed)
  })

  test(`${requirement('state.ends', 'flow.whole', 'download.plain-get')} end for a client that looks every 1.5 s`, async () => {
    const { jobId, uploadUrl } = await client.job('md-to-html', text.length)
    await upload(uploadUrl, text)
    let job = await client.readJob(jobId)
    for (let polls = 0; polls < 20 && !isEnded(job); polls++) {
      await new Promise((next) => setTimeout(next, 1500))
      job = await client.readJob(jobId)
    }
    expect(job.status).toBe('done')
    const download = await fetch(job.downloadUrl ?? '')
    expect(download.status).toBe(200)
    expect(await download.text()).toContain('Poll me')
  })
})
