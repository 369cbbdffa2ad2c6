import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { someClient } from './accounts.ts'
import { expectError, expectJob } from './expectations.ts'
import { exchange, head, openRaw } from './raw-http.ts'
import { requirement } from './requirements.ts'
import { bytesOf, upload } from './service.ts'

const client = someClient()

const text = bytesOf('# Upload me\n')

const refused = async (answer: Awaited<ReturnType<typeof exchange>>, code: string): Promise<void> => {
  expect(answer, 'the connection closed without an answer').not.toBeNull()
  if (answer !== null) expectError(answer, code)
}

/** After a failed upload the job still waits, and the same URL still accepts the right bytes. */
const stillUsable = async (jobId: string, uploadUrl: string): Promise<void> => {
  expectJob(await client.poll(jobId), 'queued')
  expect((await upload(uploadUrl, text)).status).toBe(200)
  const done = await client.ended(jobId)
  expect(done.status).toBe('done')
  expect(await (await fetch(done.downloadUrl ?? '')).text()).toContain('Upload me')
}

describe('an upload by hand', () => {
  test(`${requirement('upload.any-content-type', 'upload.answer')} needs no content type`, async () => {
    const { jobId, uploadUrl } = await client.job('md-to-html', text.length)
    const answer = await exchange(uploadUrl, head('PUT', uploadUrl, { 'content-length': text.length }), text)
    expect(answer?.status).toBe(200)
    expect(answer?.text).toBe('')
    expect((await client.ended(jobId)).status).toBe('done')
  })

  test(`${requirement('upload.no-length-411', 'upload.refused-stays-queued')} without a length is refused`, async () => {
    const { jobId, uploadUrl } = await client.job('md-to-html', text.length)
    await refused(await exchange(uploadUrl, head('PUT', uploadUrl)), 'length-required')
    await stillUsable(jobId, uploadUrl)
  })

  test(`${requirement('upload.no-length-411', 'upload.cut-off', 'upload.refused-stores-nothing')} in chunks has no length and is refused at once`, async () => {
    const { jobId, uploadUrl } = await client.job('md-to-html', text.length)
    const chunk = `${text.length.toString(16)}\r\n${new TextDecoder().decode(text)}\r\n`
    const connection = await openRaw(uploadUrl)
    await connection.write(head('PUT', uploadUrl, { 'transfer-encoding': 'chunked' }) + chunk)
    // The last chunk is never sent: the answer must not wait for it.
    await refused(await connection.answer(5000), 'length-required')
    connection.destroy()
    await stillUsable(jobId, uploadUrl)
  })

  test(`${requirement('upload.wrong-length-400', 'upload.cut-off')} that announces too much is refused before its bytes are read`, async () => {
    const { jobId, uploadUrl } = await client.job('md-to-html', text.length)
    const connection = await openRaw(uploadUrl)
    await connection.write(head('PUT', uploadUrl, { 'content-length': 50_000_000_000 }))
    await refused(await connection.answer(5000), 'size-mismatch')
    const megabyte = new Uint8Array(1024 * 1024)
    for (let sent = 0; sent < 64 && !(await connection.closes(10)); sent++)
      await Promise.race([connection.write(megabyte), sleep(200)])
    expect(await connection.closes(10_000)).toBe(true)
    connection.destroy()
    await stillUsable(jobId, uploadUrl)
  })

  test(`${requirement('upload.cut-off')} with more bytes than it announced stores the announced ones only`, async () => {
    const { jobId, uploadUrl } = await client.job('md-to-html', text.length)
    const more = bytesOf('# And this was not announced\n')
    const answer = await exchange(
      uploadUrl,
      head('PUT', uploadUrl, { 'content-length': text.length, connection: 'close' }),
      text,
      more,
    )
    expect(answer === null || answer.status === 200 || answer.status === 400).toBe(true)
    if (answer?.status !== 200) return stillUsable(jobId, uploadUrl)
    const done = await client.ended(jobId)
    expect(await (await fetch(done.downloadUrl ?? '')).text()).not.toContain('not announced')
  })

  test.each([0, 1, text.length - 1])(
    `${requirement('upload.refused-stores-nothing', 'upload.refused-stays-queued', 'upload.url-again')} that breaks off after %d bytes leaves the job waiting`,
    async (sent) => {
      const { jobId, uploadUrl } = await client.job('md-to-html', text.length)
      const connection = await openRaw(uploadUrl)
      await connection.write(head('PUT', uploadUrl, { 'content-length': text.length }))
      await connection.write(text.slice(0, sent))
      await sleep(100)
      connection.destroy()
      await sleep(300)
      await stillUsable(jobId, uploadUrl)
    },
  )

  test.each(['-1', '12abc', '1e3', '0x0c', '', '12, 13'])(
    `${requirement('upload.wrong-length-400')} with the length "%s" is refused`,
    async (length) => {
      const { jobId, uploadUrl } = await client.job('md-to-html', text.length)
      const answer = await exchange(uploadUrl, head('PUT', uploadUrl, { 'content-length': length }), text)
      expect(answer?.status).toBeGreaterThanOrEqual(400)
      expect(answer?.status).toBeLessThan(500)
      expect(Object.keys(answer?.body as object).sort()).toEqual(['code', 'error'])
      expectJob(await client.poll(jobId), 'queued')
    },
  )

  test('asks to go on before it sends, and is refused at once when it may not', async () => {
    const { uploadUrl } = await client.job('md-to-html', text.length)
    const expecting = { expect: '100-continue' }
    const wrong = await openRaw(uploadUrl)
    await wrong.write(head('PUT', uploadUrl, { 'content-length': text.length + 1, ...expecting }))
    const refusal = await wrong.answer(5000)
    await refused(refusal, 'size-mismatch')
    expect(refusal?.interim).toEqual([])
    wrong.destroy()

    const right = await openRaw(uploadUrl)
    await right.write(head('PUT', uploadUrl, { 'content-length': text.length, ...expecting }))
    await sleep(200)
    await right.write(text)
    const answer = await right.answer()
    expect(answer?.status).toBe(200)
    expect(answer?.interim).toEqual([100])
    right.destroy()
  })

  test('that comes slowly, byte by byte, is taken', async () => {
    const { jobId, uploadUrl } = await client.job('md-to-html', text.length)
    const connection = await openRaw(uploadUrl)
    await connection.write(head('PUT', uploadUrl, { 'content-length': text.length }))
    for (const byte of text) {
      await connection.write(new Uint8Array([byte]))
      await sleep(20)
    }
    expect((await connection.answer())?.status).toBe(200)
    connection.destroy()
    expect((await client.ended(jobId)).status).toBe('done')
  })
})
