// @module-tag slow

import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { askAdmin, localAdmin } from '@kiln/test-support/admin-command.ts'
import { type RunningService, startService } from '@kiln/test-support/start-service.ts'
import { unzip } from '@kiln/test-support/zip.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Account, createAccount, describeLocally, operated } from './accounts.ts'
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
    // The process has ended.
    return false
  }
}

describeLocally('a service that is ended in the middle of a conversion', () => {
  let service: RunningService
  let account: Account
  beforeAll(async () => {
    service = await startService()
    account = await createAccount(await operated(service))
  })
  afterAll(async () => {
    await service?.stop()
    await service?.remove()
  })
  /** On the same data, at another address. */
  const startAgain = async (): Promise<Client> => {
    service = await startService({ folder: service.dataDir })
    return clientOf(service.baseUrl, account.key)
  }
  const startSlowJob = async (client: Client, slow: Uint8Array<ArrayBuffer>): Promise<string> => {
    const { jobId, uploadUrl } = await client.job('md-to-docx', slow.length)
    await upload(uploadUrl, slow)
    while ((await client.readJob(jobId)).status === 'queued') await sleep(20)
    return jobId
  }

  test(`${requirement('state.dead-worker', 'state.transitions', 'retention.input')} by a kill runs the job again after its next start, and charges once`, async () => {
    const mark = crypto.randomUUID()
    const slow = bytesOf(`${mark}\n\n${new TextDecoder().decode(slowMarkdown(4000))}`)
    const waiting = await account.client.job('md-to-html', 8)
    const jobId = await startSlowJob(account.client, slow)
    expectJob(await account.client.poll(jobId), 'processing')
    await service.kill()

    const client = await startAgain()
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
      async () => (await filesHolding(service.dataDir, bytesOf(mark))).length === 0,
      5000,
    )
    expect(gone).toBe(true)

    // The other job still waits for its upload; its old link names the old address.
    expectJob(await client.poll(waiting.jobId), 'queued')
    const moved = new URL(waiting.uploadUrl)
    const link = service.origin + moved.pathname + moved.search
    expect((await upload(link, bytesOf('# Later\n'))).status).toBe(200)
    expect((await client.ended(waiting.jobId)).status).toBe('done')
    expect(await client.readUsage()).toMatchObject({
      freeTier: { jobsRemaining: 48 },
      currentWindow: { account: { jobs: 2, bytes: slow.length + 8 } },
    })
    const { entries } = await askAdmin<{ entries: unknown[] }>(
      localAdmin(service.settings),
      'credits',
      'ledger',
      '--account',
      account.id,
    )
    expect(entries.length).toBe(2)
  }, 180_000)

  test('as it is asked to finishes the job, and leaves no process behind', async () => {
    const database = await databasePid(service.dataDir)
    expect(isAlive(database)).toBe(true)
    const jobId = await startSlowJob(clientOf(service.baseUrl, account.key), slowMarkdown(1500))
    expect(await service.stop()).toBe(0)
    expect(isAlive(service.pid)).toBe(false)
    // Its parent has ended, and the system may take a moment to reap it.
    expect(await untilTrue(async () => !isAlive(database), 3000)).toBe(true)
    const client = await startAgain()
    expectJob(await client.poll(jobId), 'done')
    await expectUnhinderedStop(service, client)
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
