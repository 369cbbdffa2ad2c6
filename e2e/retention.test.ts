import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { createAccount, describeHurried, describeLocally, main, someClient } from './accounts.ts'
import { picture, slowMarkdown } from './documents.ts'
import { expectError, expectJob, expectSubmitResult, failureText, timestamp } from './expectations.ts'
import { hurriedLimits } from './instances.ts'
import { filesHolding, untilTrue } from './leftovers.ts'
import { head, openRaw } from './raw-http.ts'
import { requirement } from './requirements.ts'
import { bytesOf, type Client, type Job, send, upload } from './service.ts'

// The input is deleted when the job ends: a poll that shows the end may be slightly earlier.
const moment = 1000
const sweep = 3000

const finish = async (client: Client, pair: string, bytes: Uint8Array<ArrayBuffer>): Promise<Job> => {
  const { jobId, uploadUrl } = await client.job(pair, bytes.length)
  expect((await upload(uploadUrl, bytes)).status).toBe(200)
  return expectJob(await client.poll(jobId, { prefer: 'wait=25' }))
}

describeLocally('the input', () => {
  const folder = main.dataDir ?? ''

  test(`${requirement('retention.input', 'limits.input-retention')} is on disk while it waits, and gone once the job is done`, async () => {
    const client = someClient()
    const mark = randomUUID()
    const text = bytesOf(`${mark}\n\n${new TextDecoder().decode(slowMarkdown(2500))}`)
    const { jobId, uploadUrl } = await client.job('md-to-docx', text.length)
    await upload(uploadUrl, text)
    expect((await filesHolding(folder, bytesOf(mark))).length).toBeGreaterThan(0)
    expect((await client.ended(jobId)).status).toBe('done')
    const gone = await untilTrue(async () => (await filesHolding(folder, bytesOf(mark))).length === 0, moment)
    expect(gone).toBe(true)
  })

  test(`${requirement('retention.input', 'limits.input-retention')} is gone once the job has failed`, async () => {
    const client = someClient()
    const mark = bytesOf(randomUUID())
    const bytes = new Uint8Array([...picture(), ...mark])
    expect((await finish(client, 'docx-to-html', bytes)).status).toBe('failed')
    expect(await untilTrue(async () => (await filesHolding(folder, mark)).length === 0, moment)).toBe(true)
  })

  test(`${requirement('upload.refused-stores-nothing')} is not kept when the upload is refused`, async () => {
    const client = someClient()
    const mark = bytesOf(randomUUID())
    const { uploadUrl } = await client.job('md-to-html', mark.length + 1)
    expectError(await upload(uploadUrl, mark), 'size-mismatch')
    expect(await filesHolding(folder, mark)).toEqual([])
  })
})

describeHurried('what expires', (hurried) => {
  const folder = hurried.dataDir ?? ''

  describe.concurrent('one after the other', () => {
    test(`${requirement('expired.still-done', 'expired.past-expires-at', 'expired.record-then-404', 'retention.output', 'limits.output-retention', 'poll.download-url-an-hour', 'poll.expires-at', 'idempotency.kept-a-day')} output, then record`, async () => {
      const { client } = await createAccount(hurried)
      const mark = randomUUID()
      const text = bytesOf(`# ${mark}\n`)
      const key = { 'idempotency-key': 'long-lived' }
      const body = { pair: 'md-to-html', bytes: text.length }
      const { jobId, uploadUrl } = expectSubmitResult(await client.submit(body, key), 201)
      await upload(uploadUrl, text)
      const done = expectJob(await client.poll(jobId, { prefer: 'wait=25' }), 'done')
      const expires = Date.parse(done.expiresAt ?? '')
      expect(expires - Date.now()).toBeLessThanOrEqual(hurriedLimits.outputTtlSeconds * 1000)
      expect(await (await fetch(done.downloadUrl ?? '')).text()).toContain(mark)
      expect((await filesHolding(folder, bytesOf(mark))).length).toBeGreaterThan(0)

      await sleep(expires - Date.now() + 200)
      expectError(await send(done.downloadUrl ?? ''), 'forbidden')
      const expired = expectJob(await client.poll(jobId), 'done')
      expect(expired).toEqual({
        jobId,
        status: 'done',
        downloadUrl: null,
        error: null,
        expiresAt: done.expiresAt,
      })
      expect(expired.expiresAt).toMatch(timestamp)
      // The idempotency key outlives the output.
      expect(expectSubmitResult(await client.submit(body, key), 200).jobId).toBe(jobId)

      const swept = await untilTrue(
        async () => (await filesHolding(folder, bytesOf(mark))).length === 0,
        5 * sweep,
      )
      expect(swept).toBe(true)

      await sleep(Math.max(0, expires - Date.now() + (hurriedLimits.recordTtlSeconds + 1) * 1000 + sweep))
      expectError(await client.poll(jobId), 'not-found')
      const { currentWindow, freeTier } = await client.readUsage()
      expect(currentWindow.account).toEqual({ jobs: 1, bytes: text.length })
      expect(freeTier.jobsRemaining).toBe(hurriedLimits.freeJobs - 1)
    })

    test(`${requirement('upload.never-came', 'upload.never-came-text', 'upload.never-came-refund', 'state.queued-to-failed', 'failed.closed-words')} a job whose upload never came`, async () => {
      const { client } = await createAccount(hurried)
      const { jobId, uploadUrl } = await client.job('md-to-html', 10)
      expect((await client.readUsage()).freeTier.jobsRemaining).toBe(hurriedLimits.freeJobs - 1)
      await sleep(hurriedLimits.uploadTtlSeconds * 500)
      expectJob(await client.poll(jobId), 'queued')
      await sleep(hurriedLimits.uploadTtlSeconds * 500 + 500)
      expectError(await upload(uploadUrl, new Uint8Array(10)), 'forbidden')
      await sleep(sweep)
      const job = expectJob(await client.poll(jobId), 'failed')
      expect(job.error).toMatch(failureText)
      expect(job.error).toMatch(/upload not received/i)
      expect(job.downloadUrl).toBeNull()
      expect(await client.readUsage()).toMatchObject({
        freeTier: { jobsRemaining: hurriedLimits.freeJobs },
        currentWindow: { account: { jobs: 1 } },
      })
    })

    test(`${requirement('upload.url-again', 'upload.never-came-refund')} an upload that was refused until the URL expired`, async () => {
      const { client } = await createAccount(hurried, { credits: 3 })
      for (let free = 0; free < hurriedLimits.freeJobs; free++)
        await finish(client, 'md-to-html', bytesOf('# x\n'))
      const { jobId, uploadUrl } = await client.job('md-to-html', 10)
      const { creditsBalance } = await client.readUsage()
      expect(creditsBalance).toBeLessThan(3)
      expectError(await upload(uploadUrl, new Uint8Array(9)), 'size-mismatch')
      await sleep(hurriedLimits.uploadTtlSeconds * 1000 + sweep)
      expectJob(await client.poll(jobId), 'failed')
      expect((await client.readUsage()).creditsBalance).toBe(3)
    })

    test(`${requirement('upload.url-again', 'upload.never-came')} an upload that began in time and is slow`, async () => {
      const { client } = await createAccount(hurried)
      const text = bytesOf('# Slowly\n')
      const { jobId, uploadUrl } = await client.job('md-to-html', text.length)
      const connection = await openRaw(uploadUrl)
      await connection.write(head('PUT', uploadUrl, { 'content-length': text.length }))
      await connection.write(text.slice(0, 4))
      await sleep(hurriedLimits.uploadTtlSeconds * 1000 + sweep)
      await connection.write(text.slice(4))
      const answer = await connection.answer()
      connection.destroy()
      // Either it counts, or the client gets an error. It is never dropped silently.
      const job = expectJob(await client.poll(jobId, { prefer: 'wait=25' }))
      if (answer?.status === 200) expect(job.status).toBe('done')
      else {
        expect(answer?.body).toMatchObject({ code: 'forbidden' })
        expect(job).toMatchObject({ status: 'failed', error: expect.stringMatching(/upload not received/) })
      }
    })

    test(`${requirement('wait.until-the-end', 'upload.never-came')} ends a wait for a job whose upload never came`, async () => {
      const { client } = await createAccount(hurried)
      const { jobId } = await client.job('md-to-html', 10)
      expectJob(await client.poll(jobId, { prefer: 'wait=25' }), 'failed')
    })
  })
})

describeHurried('another prefix', (hurried) => {
  test(`${requirement('prefix.configurable', 'prefix.in-poll-url', 'submit.poll-url-shape')} is carried by every path`, async () => {
    const { client } = await createAccount(hurried)
    const { jobId, pollUrl } = await client.job('md-to-html', 10)
    expect(pollUrl).toBe(`${hurriedLimits.prefix}/v1/conversions/${jobId}`)
    const authorization = `Bearer ${client.key}`
    expectJob(await send(client.origin + pollUrl, { headers: { authorization } }), 'queued')
    expectError(await send(`${client.origin}/api/v1/formats`), 'not-found')
  })
})

describeLocally('the prefix', () => {
  test(`${requirement('prefix.default')} is /api when nothing is set`, async () => {
    expect(new URL(main.baseUrl).pathname).toBe('/api')
    expect((await send(`${new URL(main.baseUrl).origin}/api/v1/formats`)).status).toBe(200)
  })
})
