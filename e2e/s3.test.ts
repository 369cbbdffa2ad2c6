// @module-tag slow

import { ListObjectsV2Command, PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { localAdmin } from '@kiln/test-support/admin-command.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Account, createAccount, describeLocally } from './accounts.ts'
import { slowMarkdown } from './documents.ts'
import { expectJob } from './expectations.ts'
import { requirement } from './requirements.ts'
import { bytesOf, upload } from './service.ts'
import { type ServiceApart, startApart } from './start-apart.ts'

const text = bytesOf('# Shared *clay*\n')

describeLocally('a service whose API and worker share a database and a bucket', () => {
  let service: ServiceApart
  let account: Account
  beforeAll(async () => {
    service = await startApart()
    account = await createAccount({ baseUrl: service.baseUrl, admin: localAdmin(service.settings) })
  })
  afterAll(() => service?.stop())

  const openStore = () => {
    const store = new S3Client({
      endpoint: service.settings.KILN_S3_ENDPOINT ?? '',
      region: 'us-east-1',
      forcePathStyle: true,
      credentials: {
        accessKeyId: service.settings.KILN_S3_ACCESS_KEY_ID ?? '',
        secretAccessKey: service.settings.KILN_S3_SECRET_ACCESS_KEY ?? '',
      },
    })
    return Object.assign(store, { [Symbol.dispose]: () => store.destroy() })
  }
  const placeOf = (uploadUrl: string) => {
    const [, bucket = '', ...key] = new URL(uploadUrl).pathname.split('/')
    return { bucket, key: key.join('/') }
  }

  test('converts; the upload goes to the store itself, the download through the service', async () => {
    const { client } = account
    const { jobId, uploadUrl } = await client.job('md-to-html', text.length)
    expect(new URL(uploadUrl).origin).toBe(service.settings.KILN_S3_ENDPOINT)
    const put = await upload(uploadUrl, text)
    expect(put.status).toBe(200)
    expect(put.headers.get('etag')).toBeTruthy()
    const { downloadUrl } = await client.ended(jobId)
    expect(new URL(downloadUrl ?? '').origin).toBe(new URL(service.baseUrl).origin)
    const head = await fetch(downloadUrl ?? '', { method: 'HEAD' })
    expect(head.status).toBe(200)
    const output = await fetch(downloadUrl ?? '')
    expect(output.headers.get('x-content-type-options')).toBe('nosniff')
    expect(output.headers.get('content-length')).toBe(head.headers.get('content-length'))
    expect(output.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(output.headers.get('content-disposition')).toMatch(/^attachment; filename=/)
    expect(await output.text()).toContain('<em>clay</em>')
  })

  test(`${requirement('upload.s3-signs-length', 'upload.refused-stays-queued', 'upload.url-again')} refuses another length at the store, and the link still works`, async () => {
    const { client } = account
    const { jobId, uploadUrl } = await client.job('md-to-html', text.length)
    for (const other of [text.slice(1), bytesOf('# Something longer than that was declared\n')]) {
      expect((await upload(uploadUrl, other)).status).toBe(403)
      expectJob(await client.poll(jobId), 'queued')
    }
    expect((await upload(uploadUrl, text)).status).toBe(200)
    expect((await client.ended(jobId)).status).toBe('done')
  })

  test(`${requirement('delete.cancels', 'delete.files-gone')} deletes input and output from the bucket with the answer`, async () => {
    const { client } = account
    using store = openStore()
    const slow = slowMarkdown(3000)
    const running = await client.job('md-to-docx', slow.length)
    const { bucket } = placeOf(running.uploadUrl)
    const keys = async () =>
      ((await store.send(new ListObjectsV2Command({ Bucket: bucket }))).Contents ?? []).map(({ Key }) => Key)
    await upload(running.uploadUrl, slow)
    await expect.poll(async () => (await client.readJob(running.jobId)).status).toBe('processing')
    const done = await client.job('md-to-html', text.length)
    await upload(done.uploadUrl, text)
    const { downloadUrl } = await client.ended(done.jobId)
    expect((await keys()).join()).toMatch(new RegExp(`in/${running.jobId}[\\s\\S]*out/${done.jobId}`))
    for (const { jobId } of [running, done]) expect((await client.delete(jobId)).status).toBe(204)
    expect((await keys()).join()).not.toMatch(new RegExp(`${running.jobId}|${done.jobId}`))
    expect((await client.readJob(running.jobId)).error).toMatch(/^cancelled: /)
    expect((await fetch(downloadUrl ?? '')).status).toBe(404)
  })

  test(`${requirement('upload.s3-other-size-fails-job', 'failed.refund')} fails a job whose object has another size all the same, and gives the charge back`, async () => {
    const { client } = account
    const before = await client.readUsage()
    const { jobId, uploadUrl } = await client.job('md-to-html', text.length)
    // With the bucket's own key, past the link.
    const { bucket, key } = placeOf(uploadUrl)
    using store = openStore()
    await store.send(new PutObjectCommand({ Bucket: bucket, Key: key, Body: 'sly' }))
    const job = await client.ended(jobId)
    expect(job.status).toBe('failed')
    expect(job.error).toMatch(/^corrupt-input: .*3 bytes/)
    const after = await client.readUsage()
    expect(after.freeTier).toEqual(before.freeTier)
    expect(after.creditsBalance).toBe(before.creditsBalance)
  })
})
