import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import {
  type Account,
  anonymous,
  createAccount,
  describeHurried,
  describeWithOperator,
  main,
} from './accounts.ts'
import { expectError, expectSubmitResult } from './expectations.ts'
import { hurriedLimits } from './instances.ts'
import { requirement } from './requirements.ts'

const huge = Number.MAX_SAFE_INTEGER

describeWithOperator('the order of checks at submit', () => {
  let account: Account
  beforeAll(async () => {
    account = await createAccount(main)
  })

  test(`${requirement('order.key-first', 'submit.unauthenticated-401')} looks at the key before anything else`, async () => {
    expectError(await anonymous.submit('{ broken'), 'unauthenticated')
    expectError(await anonymous.submit('{}', { 'content-type': 'text/plain' }), 'unauthenticated')
    expectError(await anonymous.submit({ pair: 'png-to-jpg', bytes: huge }), 'unauthenticated')
    expectError(
      await anonymous.submit({ pair: 'md-to-html', bytes: 1 }, { 'idempotency-key': 'x'.repeat(300) }),
      'unauthenticated',
    )
    expectError(await anonymous.submit('x'.repeat(2_000_000)), 'unauthenticated')
  })

  test(`${requirement('order.shape-before-pair')} looks at the shape before the pair`, async () => {
    const { client } = account
    expectError(await client.submit({ pair: 'foo-to-bar', bytes: '1' }), 'bad-request')
    expectError(await client.submit({ pair: 'png-to-jpg', bytes: -1 }), 'bad-request')
    const longKey = { 'idempotency-key': 'x'.repeat(300) }
    expectError(await client.submit({ pair: 'png-to-jpg', bytes: 1 }, longKey), 'bad-request')
  })

  test(`${requirement('order.pair-before-size')} looks at the pair before the size`, async () => {
    const { client } = account
    expectError(await client.submit({ pair: 'foo-to-bar', bytes: huge }), 'unknown-pair')
    expectError(await client.submit({ pair: 'png-to-jpg', bytes: huge }), 'client-pair')
  })

  test(`${requirement('order.size-before-replay')} looks at the size before the idempotency key`, async () => {
    const { client } = account
    const key = { 'idempotency-key': randomUUID() }
    expectSubmitResult(await client.submit({ pair: 'md-to-html', bytes: 1 }, key), 201)
    expectError(await client.submit({ pair: 'md-to-html', bytes: huge }, key), 'too-large')
    expectError(await client.submit({ pair: 'foo-to-bar', bytes: 1 }, key), 'unknown-pair')
  })
})

describeHurried('the order of checks at the limits', (hurried) => {
  test(`${requirement('order.replay-before-rate', 'order.rate-before-credits', 'order.refusal-moves-no-meter')} replays past the rate limit, and limits the rate before asking for credits`, async () => {
    const { submitsPerWindow, freeJobs } = hurriedLimits
    // Just enough credits to reach the rate limit: the next submit exceeds both limits.
    const { client } = await createAccount(hurried, { credits: submitsPerWindow - freeJobs })
    const first = { 'idempotency-key': 'first' }
    const { jobId } = expectSubmitResult(await client.submit({ pair: 'md-to-html', bytes: 5 }, first), 201)
    // At once: a job whose upload does not come in time is refunded.
    const others = Array.from({ length: submitsPerWindow - 1 }, () =>
      client.submit({ pair: 'md-to-html', bytes: 5 }),
    )
    for (const answer of await Promise.all(others)) expectSubmitResult(answer, 201)

    const before = await client.readUsage()
    expect(before.creditsBalance).toBe(0)
    expect(before.freeTier.jobsRemaining).toBe(0)
    expectError(await client.submit({ pair: 'md-to-html', bytes: 5 }), 'rate-limited')

    const replay = expectSubmitResult(await client.submit({ pair: 'md-to-html', bytes: 5 }, first), 200)
    expect(replay.jobId).toBe(jobId)
    expectError(await client.submit({ pair: 'md-to-html', bytes: 6 }, first), 'idempotency-mismatch')
    expectError(await client.submit({ pair: 'md-to-html', bytes: huge }), 'too-large')
    expect((await client.readUsage()).currentWindow).toEqual(before.currentWindow)
  })
})
