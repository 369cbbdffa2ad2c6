import { describe, expect, test } from 'vitest'
import { ownClient, someClient } from './accounts.ts'
import { slowMarkdown } from './documents.ts'
import { expectError, expectJob } from './expectations.ts'
import { requirement } from './requirements.ts'
import { bytesOf, send, upload } from './service.ts'

const client = someClient()

const text = bytesOf('# Upload me\n')

describe('PUT to the upload URL', () => {
  test(`${requirement('upload.answer', 'upload.put-bytes', 'upload.no-credentials')} answers 200, empty, with an ETag`, async () => {
    const { uploadUrl } = await client.job('md-to-html', text.length)
    const answer = await upload(uploadUrl, text)
    expect(answer.status).toBe(200)
    expect(answer.text).toBe('')
    expect(answer.headers.get('etag')).toMatch(/^(W\/)?"[^"]+"$/)
    expect(answer.headers.get('request-id')).toMatch(/^\S+$/)
  })

  test.each([
    'text/markdown',
    'application/octet-stream',
    'application/json',
    'multipart/form-data; boundary=x',
    'application/x-www-form-urlencoded',
    'rubbish',
  ])(
    `${requirement('upload.any-content-type', 'upload.only-length-matters')} takes content type %s`,
    async (type) => {
      const { jobId, uploadUrl } = await client.job('md-to-html', text.length)
      expect((await upload(uploadUrl, text, { 'content-type': type })).status).toBe(200)
      expect((await client.ended(jobId)).status).toBe('done')
    },
  )

  test(`${requirement('upload.only-length-matters')} does not mind other headers, a wrong key among them`, async () => {
    const { uploadUrl } = await client.job('md-to-html', text.length)
    const headers = { authorization: 'Bearer nonsense', 'content-encoding': 'gzip', 'x-amz-acl': 'public' }
    expect((await upload(uploadUrl, text, headers)).status).toBe(200)
  })

  test.each([1, text.length - 1, text.length + 1, 100_000])(
    `${requirement('upload.wrong-length-400', 'upload.refused-stays-queued', 'upload.url-again')} refuses %d bytes and takes the right ones later`,
    async (length) => {
      const { jobId, uploadUrl } = await client.job('md-to-html', text.length)
      const message = expectError(await upload(uploadUrl, new Uint8Array(length)), 'size-mismatch')
      expect(message).toContain(String(text.length))
      expectJob(await client.poll(jobId), 'queued')
      expect((await upload(uploadUrl, text)).status).toBe(200)
      expect((await client.ended(jobId)).status).toBe('done')
    },
  )

  test(`${requirement('upload.wrong-length-400')} refuses an empty body`, async () => {
    const { jobId, uploadUrl } = await client.job('md-to-html', text.length)
    const answer = await send(uploadUrl, { method: 'PUT' })
    expect(['size-mismatch', 'length-required']).toContain((answer.body as { code: string }).code)
    expectJob(await client.poll(jobId), 'queued')
  })
})

describe('the signature of the upload URL', () => {
  test(`${requirement('base.presigned-urls')} is bound to the whole URL`, async () => {
    const mine = await client.job('md-to-html', text.length)
    const other = await client.job('md-to-html', text.length)
    expectError(await upload(mine.uploadUrl.replace(mine.jobId, other.jobId), text), 'forbidden')
    expectError(await upload(`${mine.uploadUrl}0`, text), 'forbidden')
    expectError(await upload(mine.uploadUrl.split('?')[0] ?? '', text), 'forbidden')
    expectJob(await client.poll(mine.jobId), 'queued')
    expectJob(await client.poll(other.jobId), 'queued')
  })

  test(`${requirement('base.presigned-urls')} is no leave to read`, async () => {
    const { uploadUrl } = await client.job('md-to-html', text.length)
    await upload(uploadUrl, text)
    for (const method of ['GET', 'HEAD', 'POST', 'DELETE', 'PATCH']) {
      const { status } = await fetch(uploadUrl, { method })
      expect(status).toBeGreaterThanOrEqual(400)
      expect(status).toBeLessThan(500)
    }
  })
})

describe('a second PUT', () => {
  test(`${requirement('upload.second-ignored', 'upload.second-no-error')} after the work began is 200 and changes nothing`, async () => {
    const first = bytesOf('# The first text\n')
    const { jobId, uploadUrl } = await client.job('md-to-html', first.length)
    expect((await upload(uploadUrl, first)).status).toBe(200)
    const done = await client.ended(jobId)
    const again = await upload(uploadUrl, bytesOf('# Another text!!\n').slice(0, first.length))
    expect(again.status).toBe(200)
    expect(again.text).toBe('')
    expect((await client.readJob(jobId)).status).toBe('done')
    const output = await (await fetch(done.downloadUrl ?? '')).text()
    expect(output).toContain('The first text')
  })

  test(`${requirement('upload.second-replaces', 'upload.second-no-error')} before the work began replaces the first`, async () => {
    // Other jobs fill every slot, so that this one waits.
    const client = await ownClient()
    const slow = slowMarkdown(1000)
    const busy = await Promise.all(Array.from({ length: 8 }, () => client.job('md-to-docx', slow.length)))
    await Promise.all(busy.map(({ uploadUrl }) => upload(uploadUrl, slow)))
    const [first, second] = [bytesOf('# Old words\n'), bytesOf('# New words\n')]
    const { jobId, uploadUrl } = await client.job('md-to-html', first.length)
    expect((await upload(uploadUrl, first)).status).toBe(200)
    expect((await upload(uploadUrl, second)).status).toBe(200)
    expectJob(await client.poll(jobId), 'queued')
    const done = await client.ended(jobId, 150_000)
    expect(done.status).toBe('done')
    const output = await (await fetch(done.downloadUrl ?? '')).text()
    expect(output).toContain('New words')
    expect(output).not.toContain('Old words')
    for (const job of busy) expect((await client.ended(job.jobId, 150_000)).status).toBe('done')
  }, 180_000)

  test(`${requirement('upload.second-no-error')} sent many times at once is never an error`, async () => {
    const { jobId, uploadUrl } = await client.job('md-to-html', text.length)
    const answers = await Promise.all(Array.from({ length: 12 }, () => upload(uploadUrl, text)))
    expect(answers.map(({ status }) => status)).toEqual(Array(12).fill(200))
    const done = await client.ended(jobId)
    expect(done.status).toBe('done')
    expect(await (await fetch(done.downloadUrl ?? '')).text()).toContain('Upload me')
  })
})
