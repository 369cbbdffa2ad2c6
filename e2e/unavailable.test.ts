import { readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type RunningService, startService } from '@kiln/test-support/start-service.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Account, createAccount, describeLocally, operated } from './accounts.ts'
import { slowMarkdown } from './documents.ts'
import { expectError, expectJob } from './expectations.ts'
import { requirement } from './requirements.ts'
import { type Answer, bytesOf, upload } from './service.ts'

const text = bytesOf('# Away\n')

const expectUnavailable = (answer: Answer): void => {
  expectError(answer, 'unavailable')
  expect(answer.headers.get('retry-after')).toMatch(/^[1-9]\d*$/)
}

async function start(bytes: Uint8Array<ArrayBuffer>, { client }: Account) {
  const { jobId, uploadUrl } = await client.job('md-to-docx', bytes.length)
  expect((await upload(uploadUrl, bytes)).status).toBe(200)
  return { ended: () => client.ended(jobId) }
}

describeLocally('a service that has lost', () => {
  let service: RunningService
  let account: Account
  let newAccount: () => Promise<Account>
  beforeAll(async () => {
    service = await startService({
      settings: {
        KILN_SUBMIT_RATE_PER_MINUTE: '1000000',
        KILN_MOST_WAITING_JOBS: '8',
        KILN_SLOTS_DOCUMENT: '1',
      },
    })
    const instance = await operated(service)
    newAccount = () => createAccount(instance, { credits: 100 })
    account = await newAccount()
  })
  afterAll(async () => {
    await service.stop()
    await service.remove()
  })

  test(`${requirement('server-error.unavailable-503', 'server-error.error-body', 'errors.request-id')} its storage says so, and goes on when it is back`, async () => {
    const { client } = account
    const { jobId, uploadUrl } = await client.job('md-to-html', text.length)
    const files = join(service.dataDir, 'files')
    await rename(files, `${files}-away`)
    try {
      expectUnavailable(await upload(uploadUrl, text))
      expectJob(await client.poll(jobId), 'queued')
    } finally {
      await rename(`${files}-away`, files)
    }
    expect((await upload(uploadUrl, text)).status).toBe(200)
    expect((await client.ended(jobId)).status).toBe('done')
  })

  test(`${requirement('server-error.queue-full-503', 'order.refusal-moves-no-meter')} its patience with a long queue says so, and takes jobs again when it is shorter`, {
    tags: 'slow',
  }, async () => {
    const { client } = account
    const key = { 'idempotency-key': 'before-the-queue-was-full' }
    await client.job('md-to-html', text.length, key)
    // No account can fill the queue alone. There is more than fills it, so that it stays full for a while.
    const others = await Promise.all(Array.from({ length: 6 }, newAccount))
    const slow = slowMarkdown(1000)
    const jobs = await Promise.all([...others, ...others].map((other) => start(slow, other)))

    let refusal: Answer | null = null
    for (let tries = 0; tries < 40 && refusal === null; tries++) {
      const answer = await client.submit({ pair: 'md-to-html', bytes: text.length })
      if (answer.status !== 201) refusal = answer
      else await sleep(100)
    }
    expect(refusal).not.toBeNull()
    if (refusal !== null) expectUnavailable(refusal)
    const before = await client.readUsage()
    expectUnavailable(await client.submit({ pair: 'md-to-html', bytes: text.length }))
    expect(await client.readUsage()).toEqual(before)
    // A replay of an accepted submit is still answered.
    expect((await client.submit({ pair: 'md-to-html', bytes: text.length }, key)).status).toBe(200)
    for (const { ended } of jobs) expect((await ended()).status).toBe('done')
    const submit = () => client.submit({ pair: 'md-to-html', bytes: text.length })
    await expect.poll(async () => (await submit()).status, { timeout: 60_000 }).toBe(201)
  })

  test(`${requirement('server-error.unavailable-503', 'server-error.error-body', 'errors.request-id')} its database says so, and heals by itself`, async () => {
    const { client } = account
    // The submit is a replay each time, so that no limit is reached.
    const key = { 'idempotency-key': 'again' }
    const { jobId } = await client.job('md-to-html', text.length, key)
    const pid = await readFile(join(service.dataDir, 'postgres', 'postmaster.pid'), 'utf8')
    process.kill(Number(pid.split('\n')[0]), 'SIGKILL')

    const refusals: Answer[] = []
    let healedAt = 0
    const start = Date.now()
    const calls = [
      () => client.poll(jobId),
      () => client.usage(),
      () => client.submit({ pair: 'md-to-html', bytes: text.length }, key),
    ]
    while (Date.now() - start < 30_000 && (healedAt === 0 || Date.now() - healedAt < 1500)) {
      const answers = await Promise.all(calls.map((call) => call()))
      const bad = answers.filter(({ status }) => status >= 400)
      refusals.push(...bad)
      if (bad.length > 0) healedAt = 0
      else if (healedAt === 0) healedAt = Date.now()
      await sleep(10)
    }
    expect(healedAt).toBeGreaterThan(0)
    expect(refusals.length).toBeGreaterThan(0)
    for (const answer of refusals) expectUnavailable(answer)
    expect((await client.formats()).status).toBe(200)
    const done = await client.run('md-to-html', text)
    expect(done.status).toBe('done')
  }, 120_000)
})
