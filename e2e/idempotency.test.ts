import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Account, createAccount, createKey, describeWithOperator, main, someClient } from './accounts.ts'
import { expectError, expectJob, expectSubmitResult } from './expectations.ts'
import { requirement } from './requirements.ts'
import { bytesOf, clientOf, upload } from './service.ts'

const body = { pair: 'md-to-html', bytes: 8 }
const newKey = () => ({ 'idempotency-key': randomUUID() })

describe('a replay', () => {
  const client = someClient()

  test(`${requirement('replay.answer', 'submit.replay-200', 'submit.idempotent-field', 'submit.retry-same-job')} is 200, says so, and names the same job`, async () => {
    const key = newKey()
    const first = expectSubmitResult(await client.submit(body, key), 201)
    for (let again = 0; again < 3; again++) {
      const replay = expectSubmitResult(await client.submit(body, key), 200)
      expect(replay).toMatchObject({ jobId: first.jobId, pollUrl: first.pollUrl, idempotent: true })
    }
  })

  test(`${requirement('replay.answer')} does not mind how the same body is written`, async () => {
    const key = newKey()
    const { jobId } = expectSubmitResult(await client.submit(body, key), 201)
    const spelt = await client.submit('{ "bytes": 8,\n "pair": "md-to-html" }', key)
    expect(expectSubmitResult(spelt, 200).jobId).toBe(jobId)
  })

  test(`${requirement('replay.fresh-upload-url')} carries a fresh upload URL that works`, async () => {
    const key = newKey()
    const first = expectSubmitResult(await client.submit(body, key), 201)
    await sleep(1100)
    const replay = expectSubmitResult(await client.submit(body, key), 200)
    expect(replay.uploadUrl).not.toBe(first.uploadUrl)
    expect((await upload(replay.uploadUrl, bytesOf('# Hello\n'))).status).toBe(200)
    expectJob({ ...(await client.poll(first.jobId)) })
    expect((await client.ended(first.jobId)).status).toBe('done')
  })

  test(`${requirement('replay.answer')} works after the job has ended`, async () => {
    const key = newKey()
    const { jobId, uploadUrl } = expectSubmitResult(await client.submit(body, key), 201)
    await upload(uploadUrl, bytesOf('# Hello\n'))
    await client.ended(jobId)
    expect(expectSubmitResult(await client.submit(body, key), 200).jobId).toBe(jobId)
  })

  test(`${requirement('idempotency.other-body-422')} with another body is refused`, async () => {
    const key = newKey()
    const { jobId } = expectSubmitResult(await client.submit(body, key), 201)
    expectError(await client.submit({ ...body, bytes: 9 }, key), 'idempotency-mismatch')
    expectError(await client.submit({ ...body, pair: 'md-to-docx' }, key), 'idempotency-mismatch')
    expect(expectSubmitResult(await client.submit(body, key), 200).jobId).toBe(jobId)
  })

  test(`${requirement('replay.refusals-forgotten')} of a refused submit is a new submit`, async () => {
    const key = newKey()
    expectError(await client.submit({ pair: 'foo-to-bar', bytes: 8 }, key), 'unknown-pair')
    expectError(await client.submit({ pair: 'md-to-html', bytes: -8 }, key), 'bad-request')
    expectError(await client.submit({ ...body, bytes: Number.MAX_SAFE_INTEGER }, key), 'too-large')
    expectSubmitResult(await client.submit(body, key), 201)
  })
})

describe('an Idempotency-Key', () => {
  const client = someClient()

  const printable = String.fromCharCode(...Array.from({ length: 94 }, (_, index) => 33 + index))
  test.each([
    randomUUID().slice(0, 1),
    printable,
    'k'.repeat(255),
    '"quoted"',
    'a,b;c=d',
    "';drop--table,jobs;",
    'order of 12 March',
    'tab\there',
    'naïve',
    'a\u00a0b',
    Buffer.from('注文 №7').toString('latin1'),
    'é'.repeat(255),
  ])(`${requirement('submit.key-any-string', 'idempotency.key-length')} may be %s`, async (text) => {
    const key = { 'idempotency-key': text }
    const first = await client.submit(body, key)
    const { jobId } = expectSubmitResult(first, first.status === 200 ? 200 : 201)
    expect(expectSubmitResult(await client.submit(body, key), 200).jobId).toBe(jobId)
  })

  test.each(['', 'k'.repeat(256), 'k'.repeat(2000), 'é'.repeat(256)])(
    `${requirement('idempotency.key-length', 'submit.bad-request-400')} may not be %j`,
    async (text) => {
      expectError(await client.submit(body, { 'idempotency-key': text }), 'bad-request')
    },
  )

  test(`${requirement('submit.key-any-string')} is case-sensitive`, async () => {
    const key = randomUUID()
    const lower = await client.job(body.pair, body.bytes, { 'idempotency-key': `${key}a` })
    const upper = await client.job(body.pair, body.bytes, { 'idempotency-key': `${key}A` })
    expect(lower.jobId).not.toBe(upper.jobId)
  })
})

describeWithOperator('an Idempotency-Key and its account', () => {
  let account: Account
  beforeAll(async () => {
    account = await createAccount(main)
  })

  test(`${requirement('idempotency.per-account')} belongs to one account`, async () => {
    const key = newKey()
    const other = await createAccount(main)
    const mine = expectSubmitResult(await account.client.submit(body, key), 201)
    const theirs = expectSubmitResult(await other.client.submit({ ...body, bytes: 9 }, key), 201)
    expect(theirs.jobId).not.toBe(mine.jobId)
  })

  test(`${requirement('idempotency.per-account')} holds over all API keys of the account`, async () => {
    const key = newKey()
    const second = await createKey(main, account)
    const { jobId } = expectSubmitResult(await account.client.submit(body, key), 201)
    const replay = await clientOf(main.baseUrl, second.key).submit(body, key)
    expect(expectSubmitResult(replay, 200).jobId).toBe(jobId)
  })

  test(`${requirement('submit.retry-charged-once', 'limits.idempotency', 'idempotency.other-body-free')} charges once, and nothing for a mismatch`, async () => {
    const key = newKey()
    const before = await account.client.readUsage()
    expectSubmitResult(await account.client.submit(body, key), 201)
    expectSubmitResult(await account.client.submit(body, key), 200)
    expectError(await account.client.submit({ ...body, bytes: 77 }, key), 'idempotency-mismatch')
    const after = await account.client.readUsage()
    expect(after.freeTier.jobsRemaining).toBe(before.freeTier.jobsRemaining - 1)
    expect(after.currentWindow.account).toEqual({
      jobs: before.currentWindow.account.jobs + 1,
      bytes: before.currentWindow.account.bytes + body.bytes,
    })
  })

  test(`${requirement('idempotency.at-once', 'limits.idempotency')} sent fifty times at once makes one job and one charge`, async () => {
    const { client } = await createAccount(main)
    const key = newKey()
    const answers = await Promise.all(Array.from({ length: 50 }, () => client.submit(body, key)))
    const statuses = answers.map(({ status }) => status).sort()
    expect(statuses).toEqual([...Array(49).fill(200), 201])
    const ids = answers.map((answer) => expectSubmitResult(answer, answer.status === 201 ? 201 : 200).jobId)
    expect(new Set(ids).size).toBe(1)
    const usage = await client.readUsage()
    expect(usage.freeTier.jobsRemaining).toBe(usage.freeTier.jobsPerMonth - 1)
    expect(usage.currentWindow.account).toEqual({ jobs: 1, bytes: body.bytes })
  })

  test(`${requirement('idempotency.at-once', 'idempotency.other-body-422')} sent at once with two bodies makes one job`, async () => {
    const { client } = await createAccount(main)
    const key = newKey()
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => client.submit({ ...body, bytes: 8 + (index % 2) }, key)),
    )
    expect(answers.filter(({ status }) => status === 201).length).toBe(1)
    expect(answers.filter(({ status }) => status === 200).length).toBe(9)
    expect(answers.filter(({ status }) => status === 422).length).toBe(10)
    expect((await client.readUsage()).currentWindow.account.jobs).toBe(1)
  })
})
