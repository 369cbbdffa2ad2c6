import { askAdmin } from '@kiln/test-support/admin-command.ts'
import { beforeAll, expect, test } from 'vitest'
import {
  type Account,
  anonymous,
  createAccount,
  createKey,
  describeHurried,
  describeWithOperator,
  main,
} from './accounts.ts'
import { picture } from './documents.ts'
import { expectError, expectSubmitResult, expectUsage } from './expectations.ts'
import { hurriedLimits } from './instances.ts'
import { requirement } from './requirements.ts'
import { bytesOf, clientOf, type Pair, upload } from './service.ts'

const startOfMonth = (): string => {
  const now = new Date()
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1)).toISOString()
}

describeWithOperator('GET /v1/usage', () => {
  let account: Account
  beforeAll(async () => {
    account = await createAccount(main)
  })

  test(`${requirement('usage.exact-fields', 'usage.jobs-per-month', 'limits.fifty-a-month', 'usage.window-start', 'window.calendar-month-utc', 'timestamps.iso-utc', 'billing.allowance')} of a new account is all there and all unused`, async () => {
    expect(expectUsage(await account.client.usage())).toEqual({
      freeTier: { jobsPerMonth: 50, jobsRemaining: 50 },
      creditsBalance: 0,
      currentWindow: { windowStart: startOfMonth(), account: { jobs: 0, bytes: 0 } },
    })
  })

  test(`${requirement('usage.no-parameters')} is the same whatever the query`, async () => {
    expect((await account.client.get('/v1/usage?account=other')).body).toEqual(
      await account.client.readUsage(),
    )
  })

  test(`${requirement('auth.all-but-formats')} needs a key`, async () => {
    expectError(await anonymous.usage(), 'unauthenticated')
  })

  test(`${requirement('usage.jobs-remaining', 'usage.window-jobs', 'usage.window-bytes')} counts jobs and bytes as they are accepted`, async () => {
    const { client } = await createAccount(main)
    await client.job('md-to-html', 1000)
    await client.job('md-to-docx', 234)
    expect(await client.readUsage()).toMatchObject({
      freeTier: { jobsRemaining: 48 },
      creditsBalance: 0,
      currentWindow: { account: { jobs: 2, bytes: 1234 } },
    })
  })

  test(`${requirement('order.refusal-moves-no-meter')} is not moved by refusals`, async () => {
    const { client } = await createAccount(main)
    const before = await client.readUsage()
    await client.submit('{')
    await client.submit({ pair: 'foo-to-bar', bytes: 10 })
    await client.submit({ pair: 'png-to-jpg', bytes: 10 })
    await client.submit({ pair: 'md-to-html', bytes: 10 ** 12 })
    expect(await client.readUsage()).toEqual(before)
  })

  test(`${requirement('auth.allowance-across-keys', 'limits.fifty-a-month')} is one for all keys of the account, and apart from other accounts`, async () => {
    const other = await createAccount(main)
    const mine = await createAccount(main)
    const second = clientOf(main.baseUrl, (await createKey(main, mine)).key)
    await mine.client.job('md-to-html', 10)
    await second.job('md-to-html', 20)
    expect(await second.readUsage()).toEqual(await mine.client.readUsage())
    expect(await second.readUsage()).toMatchObject({
      freeTier: { jobsRemaining: 48 },
      currentWindow: { account: { jobs: 2, bytes: 30 } },
    })
    expect((await other.client.readUsage()).currentWindow.account.jobs).toBe(0)
  })

  test(`${requirement('limits.fifty-a-month', 'submit.require-credits-402')} allows fifty, then asks for credits`, async () => {
    const { client } = await createAccount(main)
    const answers = await Promise.all(
      Array.from({ length: 60 }, () => client.submit({ pair: 'md-to-html', bytes: 2 })),
    )
    expect(answers.filter(({ status }) => status === 201).length).toBe(50)
    for (const answer of answers.filter(({ status }) => status !== 201))
      expectError(answer, 'require-credits')
    expect(await client.readUsage()).toMatchObject({
      freeTier: { jobsRemaining: 0 },
      creditsBalance: 0,
      currentWindow: { account: { jobs: 50, bytes: 100 } },
    })
  })
})

describeHurried('credits', (hurried) => {
  const costs = async (): Promise<Map<string, number>> => {
    const { pairs } = (await clientOf(hurried.baseUrl).formats()).body as { pairs: Pair[] }
    return new Map(pairs.map(({ pair, costCredits }) => [pair, costCredits]))
  }

  test(`${requirement('billing.credits', 'limits.cost', 'usage.credits-balance', 'formats.cost', 'submit.require-credits-402')} are charged once the free conversions are used, and run out`, async () => {
    const cost = (await costs()).get('md-to-html') ?? 0
    const { client } = await createAccount(hurried, { credits: 2 * cost })
    for (let free = hurriedLimits.freeJobs; free > 0; free--) {
      expect(await client.readUsage()).toMatchObject({
        freeTier: { jobsRemaining: free },
        creditsBalance: 2 * cost,
      })
      await client.job('md-to-html', 10)
    }
    await client.job('md-to-html', 10)
    expect(await client.readUsage()).toMatchObject({ freeTier: { jobsRemaining: 0 }, creditsBalance: cost })
    await client.job('md-to-html', 10)
    const spent = await client.readUsage()
    expect(spent).toMatchObject({ freeTier: { jobsRemaining: 0 }, creditsBalance: 0 })
    expectError(await client.submit({ pair: 'md-to-html', bytes: 10 }), 'require-credits')
    expect((await client.readUsage()).currentWindow).toEqual(spent.currentWindow)
  })

  test(`${requirement('failed.refund', 'billing.credits')} come back when the job fails`, async () => {
    const cost = (await costs()).get('docx-to-html') ?? 0
    const { client } = await createAccount(hurried, { credits: cost })
    for (let free = 0; free < hurriedLimits.freeJobs; free++) await client.job('md-to-html', 10)
    const { jobId, uploadUrl } = await client.job('docx-to-html', picture().length)
    expect((await client.readUsage()).creditsBalance).toBe(0)
    await upload(uploadUrl, picture())
    expect((await client.ended(jobId)).status).toBe('failed')
    expect((await client.readUsage()).creditsBalance).toBe(cost)
  })

  test(`${requirement('replay.refusals-forgotten', 'submit.require-credits-402')} granted later make a refused submit succeed under its old key`, async () => {
    const account = await createAccount(hurried)
    const { client } = account
    for (let free = 0; free < hurriedLimits.freeJobs; free++) await client.job('md-to-html', 10)
    const key = { 'idempotency-key': 'pay-later' }
    expectError(await client.submit({ pair: 'md-to-html', bytes: 10 }, key), 'require-credits')
    if (hurried.admin === null) throw new Error('needs the admin command')
    const grant = ['--account', account.id, '--amount', '5', '--reason', 'paid']
    await askAdmin(hurried.admin, 'credits', 'grant', ...grant)
    expectSubmitResult(await client.submit({ pair: 'md-to-html', bytes: 10 }, key), 201)
  })

  test(`${requirement('billing.credits', 'auth.allowance-across-keys')} are never overdrawn by submits at the same time`, async () => {
    const cost = (await costs()).get('md-to-html') ?? 0
    const account = await createAccount(hurried, { credits: 4 * cost })
    const second = clientOf(hurried.baseUrl, (await createKey(hurried, account)).key)
    const answers = await Promise.all(
      Array.from({ length: 16 }, (_, each) =>
        (each % 2 === 0 ? account.client : second).submit({ pair: 'md-to-html', bytes: 10 }),
      ),
    )
    const accepted = answers.filter(({ status }) => status === 201).length
    expect(accepted).toBe(hurriedLimits.freeJobs + 4)
    for (const answer of answers.filter(({ status }) => status !== 201))
      expectError(answer, 'require-credits')
    expect(await second.readUsage()).toMatchObject({
      freeTier: { jobsRemaining: 0 },
      creditsBalance: 0,
      currentWindow: { account: { jobs: accepted, bytes: accepted * 10 } },
    })
  })

  test(`${requirement('usage.jobs-per-month', 'billing.allowance')} are not touched while a conversion is free`, async () => {
    const { client } = await createAccount(hurried, { credits: 7 })
    const bytes = bytesOf('# Free\n')
    const { uploadUrl, jobId } = await client.job('md-to-html', bytes.length)
    await upload(uploadUrl, bytes)
    expect((await client.ended(jobId)).status).toBe('done')
    expect(await client.readUsage()).toMatchObject({
      freeTier: { jobsPerMonth: hurriedLimits.freeJobs, jobsRemaining: hurriedLimits.freeJobs - 1 },
      creditsBalance: 7,
    })
  })
})
