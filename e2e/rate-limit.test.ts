import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createAccount, createKey, describeHurried } from './accounts.ts'
import { expectError, expectJob, expectSubmitResult, expectUsage } from './expectations.ts'
import { hurriedLimits } from './instances.ts'
import { requirement } from './requirements.ts'
import { type Answer, clientOf, type SubmitResult } from './service.ts'

const { rateWindowSeconds, submitsPerWindow, pollsPerWindow } = hurriedLimits
const body = { pair: 'md-to-html', bytes: 5 }

const expectLimited = (answer: Answer, quota: number): number => {
  expectError(answer, 'rate-limited')
  const retryAfter = answer.headers.get('retry-after') ?? ''
  expect(retryAfter).toMatch(/^[1-9]\d*$/)
  expect(Number(retryAfter)).toBeLessThanOrEqual(rateWindowSeconds)
  expect(answer.headers.get('ratelimit')).toMatch(/^"[\w-]+";r=0;t=\d+$/)
  expect(answer.headers.get('ratelimit-policy')).toMatch(
    new RegExp(`^"[\\w-]+";q=${quota};w=${rateWindowSeconds}$`),
  )
  return Number(retryAfter)
}

describeHurried('the rate of submits', (hurried) => {
  test(`${requirement('submit.rate-limited-429', 'rate.code', 'rate.retry-after', 'rate.headers', 'rate.per-account', 'rate.polls-apart', 'errors.retry-after-holds', 'order.refusal-moves-no-meter')} is limited per account, over all its keys, until Retry-After has passed`, async () => {
    const account = await createAccount(hurried, { credits: 100 })
    const other = await createAccount(hurried)
    const second = clientOf(hurried.baseUrl, (await createKey(hurried, account)).key)

    const answers = await Promise.all(
      Array.from({ length: submitsPerWindow + 10 }, (_, each) =>
        (each % 2 === 0 ? account.client : second).submit(body),
      ),
    )
    expect(answers.filter(({ status }) => status === 201).length).toBe(submitsPerWindow)
    const limited = answers.filter(({ status }) => status !== 201)
    expect(limited.length).toBe(10)
    for (const answer of limited) expectLimited(answer, submitsPerWindow)

    const usage = expectUsage(await account.client.usage())
    expect(usage.currentWindow.account.jobs).toBe(submitsPerWindow)
    expect(usage.creditsBalance).toBe(100 - (submitsPerWindow - hurriedLimits.freeJobs))

    expectSubmitResult(await other.client.submit(body), 201)
    expectError(await account.client.submit({ pair: 'foo-to-bar', bytes: 1 }), 'unknown-pair')
    const accepted = answers.find(({ status }) => status === 201)?.body as SubmitResult | undefined
    expectJob(await account.client.poll(accepted?.jobId ?? ''))

    const seconds = expectLimited(await second.submit(body), submitsPerWindow)
    await sleep(seconds * 1000 + 100)
    expectSubmitResult(await account.client.submit(body), 201)
  })

  test(`${requirement('rate.polls-apart', 'rate.retry-after', 'rate.headers')} of polls is larger, and apart from the rate of submits`, async () => {
    const { client } = await createAccount(hurried)
    const { jobId } = await client.job(body.pair, body.bytes)
    const answers = await Promise.all(Array.from({ length: pollsPerWindow + 5 }, () => client.poll(jobId)))
    expect(answers.filter(({ status }) => status === 200).length).toBe(pollsPerWindow)
    const limited = answers.filter(({ status }) => status !== 200)
    expect(limited.length).toBe(5)
    for (const answer of limited) expectLimited(answer, pollsPerWindow)
    expectSubmitResult(await client.submit(body), 201)
  })
})
