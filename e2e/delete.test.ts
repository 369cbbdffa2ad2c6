import { randomUUID } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { anonymous, describeLocally, main, ownClient, someClient } from './accounts.ts'
import { slowMarkdown } from './documents.ts'
import { expectError, expectJob } from './expectations.ts'
import { requirement } from './requirements.ts'
import { bytesOf, send, upload } from './service.ts'

const text = bytesOf('# Forget me\n')

describe('DELETE /v1/conversions/{id}', () => {
  test(`${requirement('delete.cancels', 'delete.gives-back', 'delete.repeatable')} cancels what waits and what runs, and gives it back once`, async () => {
    const client = await ownClient()
    const before = await client.readUsage()
    const waiting = await client.job('md-to-html', text.length)
    const slow = slowMarkdown(3000)
    const running = await client.job('md-to-docx', slow.length)
    await upload(running.uploadUrl, slow)
    await expect.poll(async () => (await client.readJob(running.jobId)).status).toBe('processing')
    for (const { jobId } of [waiting, running]) {
      const answer = await client.delete(jobId)
      expect([answer.status, answer.text]).toEqual([204, ''])
      const job = expectJob(await client.poll(jobId), 'failed')
      expect(job).toMatchObject({ downloadUrl: null, expiresAt: null })
      expect(job.error).toMatch(/^cancelled: \S.*\.$/)
      expect((await client.delete(jobId)).status).toBe(204)
      expect(await client.readJob(jobId)).toEqual(job)
    }
    const after = await client.readUsage()
    expect([after.freeTier, after.creditsBalance]).toEqual([before.freeTier, before.creditsBalance])
  })

  test(`${requirement('delete.done-stays-done', 'delete.files-gone')} deletes the output of a done job at once`, async () => {
    const client = await ownClient()
    const { jobId, downloadUrl } = await client.run('md-to-html', text)
    const before = await client.readUsage()
    expect((await client.delete(jobId)).status).toBe(204)
    expectError(await send(downloadUrl ?? ''), 'not-found')
    const job = expectJob(await client.poll(jobId), 'done')
    expect(job.downloadUrl).toBeNull()
    expect(Date.parse(job.expiresAt ?? '')).toBeLessThanOrEqual(Date.now())
    expect(await client.readUsage()).toEqual(before)
  })

  test(`${requirement('delete.owner-only')} is refused as the poll is`, async () => {
    const { jobId } = await someClient(0).job('md-to-html', text.length)
    expectError(await someClient(1).delete(jobId), 'forbidden')
    expectError(await someClient(0).delete(randomUUID()), 'not-found')
    expectError(await someClient(0).delete('none'), 'not-found')
    expectError(await anonymous.delete(jobId), 'unauthenticated')
    expectJob(await someClient(0).poll(jobId), 'queued')
  })
})

describeLocally('the files of a deleted job', () => {
  test(`${requirement('delete.files-gone')} are gone from the disk with the answer`, async () => {
    const client = someClient()
    const files = async () => (await readdir(join(main.dataDir ?? '', 'files'), { recursive: true })).join()
    const slow = slowMarkdown(3000)
    const { jobId, uploadUrl } = await client.job('md-to-docx', slow.length)
    await upload(uploadUrl, slow)
    expect(await files()).toContain(jobId)
    expect((await client.delete(jobId)).status).toBe(204)
    expect(await files()).not.toContain(jobId)
  })
})
