import { readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Account, createAccount, describeLocally } from './accounts.ts'
import { localAdmin } from './admin.ts'
import { expectError, expectJob } from './expectations.ts'
import { requirement } from './requirements.ts'
import { type Answer, bytesOf, upload } from './service.ts'
import { type RunningService, startService } from './start-service.ts'

const text = bytesOf('# Away\n')

const expectUnavailable = (answer: Answer): void => {
  expectError(answer, 'unavailable')
  expect(answer.headers.get('retry-after')).toMatch(/^[1-9]\d*$/)
}

describeLocally('a service that has lost', () => {
  let service: RunningService
  let account: Account

  beforeAll(async () => {
    service = await startService({ settings: { KILN_SUBMIT_RATE_PER_MINUTE: '1000000' } })
    account = await createAccount({ baseUrl: service.baseUrl, admin: localAdmin(service.settings) })
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
