import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { askAdmin, localAdmin } from '@kiln/test-support/admin-command.ts'
import { type RunningService, startService } from '@kiln/test-support/start-service.ts'
import { unzip } from '@kiln/test-support/zip.ts'
import { expect, test } from 'vitest'
import { createAccount, describeLocally } from './accounts.ts'
import { slowMarkdown } from './documents.ts'
import { expectJob } from './expectations.ts'
import { filesHolding, untilTrue } from './leftovers.ts'
import { head, openRaw } from './raw-http.ts'
import { requirement } from './requirements.ts'
import { bytesOf, type Client, clientOf, isEnded, upload } from './service.ts'

const databasePid = async (folder: string): Promise<number> =>
  Number((await readFile(join(folder, 'postgres', 'postmaster.pid'), 'utf8')).split('\n')[0])

/** A process that has ended and waits for the system to take note of it is not alive. */
const isAlive = (pid: number): boolean => {
  try {
    const [, state] = /\) (\S)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? []
    return state !== 'Z' && state !== 'X'
  } catch {
    return false
  }
}

describeLocally('a service that is killed in the middle of a conversion', () => {
  test(`${requirement('state.dead-worker', 'state.transitions', 'retention.input')} runs the job again after its next start, and charges once`, async () => {
    const first = await startService()
    const account = await createAccount({ baseUrl: first.baseUrl, admin: localAdmin(first.settings) })
    const mark = crypto.randomUUID()
    const slow = bytesOf(`${mark}\n\n${new TextDecoder().decode(slowMarkdown(4000))}`)
    const { jobId, uploadUrl } = await account.client.job('md-to-docx', slow.length)
    const waiting = await account.client.job('md-to-html', 8)
    await upload(uploadUrl, slow)
    while ((await account.client.readJob(jobId)).status === 'queued') await sleep(20)
    expectJob(await account.client.poll(jobId), 'processing')
    await first.kill()

    const second = await startService({ folder: first.dataDir })
    try {
      const client = clientOf(second.baseUrl, account.key)
      const seen = new Set<string>()
      const deadline = Date.now() + 90_000
      let job = await client.readJob(jobId)
      while (!isEnded(job) && Date.now() < deadline) {
        seen.add(job.status)
        await sleep(100)
        job = await client.readJob(jobId)
      }
      expect([...seen]).toEqual(['processing'])
      expect(job).toMatchObject({ status: 'done', error: null })
      const output = new Uint8Array(await (await fetch(job.downloadUrl ?? '')).arrayBuffer())
      expect(unzip(output).get('word/document.xml')?.toString()).toContain(mark)
      const gone = await untilTrue(
        async () => (await filesHolding(second.dataDir, bytesOf(mark))).length === 0,
        5000,
      )
      expect(gone).toBe(true)

      // The other job still waits for its upload; its old link names the old address.
      expectJob(await client.poll(waiting.jobId), 'queued')
      const moved = new URL(waiting.uploadUrl)
      const link = second.origin + moved.pathname + moved.search
      expect((await upload(link, bytesOf('# Later\n'))).status).toBe(200)
      expect((await client.ended(waiting.jobId)).status).toBe('done')
      expect(await client.readUsage()).toMatchObject({
        freeTier: { jobsRemaining: 48 },
        currentWindow: { account: { jobs: 2, bytes: slow.length + 8 } },
      })
      const { entries } = await askAdmin<{ entries: unknown[] }>(
        localAdmin(second.settings),
        'credits',
        'ledger',
        '--account',
        account.id,
      )
      expect(entries.length).toBe(2)
    } finally {
      await second.stop()
      await second.remove()
    }
  }, 180_000)

  test('lets a running conversion finish when it is asked to stop, and leaves no process behind', async () => {
    const service = await startService()
    const database = await databasePid(service.dataDir)
    expect(isAlive(database)).toBe(true)
    const account = await createAccount({ baseUrl: service.baseUrl, admin: localAdmin(service.settings) })
    const slow = slowMarkdown(1500)
    const { jobId, uploadUrl } = await account.client.job('md-to-docx', slow.length)
    await upload(uploadUrl, slow)
    while ((await account.client.readJob(jobId)).status === 'queued') await sleep(20)
    expect(await service.stop()).toBe(0)
    expect(isAlive(service.pid)).toBe(false)
    // Its parent is gone: the system may take a moment to bury it.
    expect(await untilTrue(async () => !isAlive(database), 3000)).toBe(true)
    const again = await startService({ folder: service.dataDir })
    try {
      const client = clientOf(again.baseUrl, account.key)
      expectJob(await client.poll(jobId), 'done')
      await expectUnhinderedStop(again, client)
    } finally {
      await again.stop()
      await again.remove()
    }
  }, 180_000)
})

/** Waiting polls and open connections do not hold a service up when it is asked to stop. */
async function expectUnhinderedStop(service: RunningService, client: Client): Promise<void> {
  const text = bytesOf('# Half\n')
  const { jobId } = await client.job('md-to-html', text.length)
  const { uploadUrl } = await client.job('md-to-html', text.length)
  const waiting = client.poll(jobId, { prefer: 'wait=25' })
  // An upload that is under way is let in, and its connection closed after it.
  const connection = await openRaw(uploadUrl)
  await connection.write(head('PUT', uploadUrl, { 'content-length': text.length }))
  await connection.write(text.slice(0, 3))
  await sleep(500)
  const start = Date.now()
  const stopping = service.stop()
  await sleep(100)
  await connection.write(text.slice(3))
  expect((await connection.answer())?.status).toBe(200)
  expectJob(await waiting, 'queued')
  expect(await stopping).toBe(0)
  expect(Date.now() - start).toBeLessThan(15_000)
  connection.destroy()
}
