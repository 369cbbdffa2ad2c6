import { setTimeout as sleep } from 'node:timers/promises'
import { type AdminCommand, askAdmin, runAdmin } from '@kiln/test-support/admin-command.ts'
import { beforeAll, expect, test } from 'vitest'
import {
  type Account,
  createAccount,
  createKey,
  describeLocally,
  describeWithOperator,
  main,
} from './accounts.ts'
import { expectError, expectUsage, timestamp } from './expectations.ts'
import { filesHolding } from './leftovers.ts'
import { requirement } from './requirements.ts'
import { bytesOf, clientOf } from './service.ts'

interface KeyRecord {
  id: string
  accountId: string
  state: string
  endsAt: string | null
}

describeWithOperator('API keys', () => {
  const admin = main.admin as AdminCommand
  let account: Account
  beforeAll(async () => {
    account = await createAccount(main)
  })

  const newKey = () => createKey(main, account)
  const usageWith = (key: string) => clientOf(main.baseUrl, key).usage()

  test(`${requirement('keys.create', 'keys.shape', 'auth.fixed-prefix')} are created, each of its own, all of one shape`, async () => {
    const byCommand = await askAdmin<{ key: { key: string } }>(
      admin,
      'key',
      'create',
      '--account',
      account.id,
    )
    const keys = [account.key, byCommand.key.key, (await newKey()).key]
    expect(new Set(keys).size).toBe(3)
    expect(new Set(keys.map(({ length }) => length)).size).toBe(1)
    for (const key of keys) {
      expect(key).toMatch(/^kiln_live_[0-9A-Za-z]{30,}$/)
      expectUsage(await usageWith(key))
    }
  })

  test(`${requirement('keys.shape', 'keys.typo-distinguished')} hold a checksum that finds every single typo`, async () => {
    const { key, id } = await newKey()
    const prefix = 'kiln_live_'.length
    const typos = new Set<string>()
    for (let at = prefix; at < key.length; at += 5) {
      const wrong = key.slice(0, at) + (key[at] === '7' ? '8' : '7') + key.slice(at + 1)
      typos.add(expectError(await usageWith(wrong), 'unauthenticated'))
    }
    typos.add(expectError(await usageWith(key.slice(0, -1)), 'unauthenticated'))
    await askAdmin(admin, 'key', 'revoke', id)
    const revoked = expectError(await usageWith(key), 'unauthenticated')
    expect(typos.size).toBe(1)
    expect([...typos][0]).not.toBe(revoked)
    expect(revoked).toMatch(/revoked/i)
  })

  test(`${requirement('keys.list', 'keys.shown-once')} are listed without ever being shown again`, async () => {
    const made = await newKey()
    const { keys } = await askAdmin<{ keys: KeyRecord[] }>(admin, 'key', 'list', '--account', account.id)
    expect(keys.map(({ id }) => id)).toContain(made.id)
    expect(keys.map(({ id }) => id)).toContain(account.keyId)
    for (const listed of keys) expect(listed.accountId).toBe(account.id)
    const texts = [
      JSON.stringify(keys),
      (await runAdmin(admin, 'key', 'list')).stdout,
      (await runAdmin(admin, 'account', 'list')).stdout,
    ]
    for (const text of texts)
      for (const key of [made.key, account.key]) {
        expect(text).not.toContain(key)
        expect(text).not.toContain(key.slice(10, 30))
      }
  })

  test(`${requirement('keys.revoke-at-once')} that are revoked stop at once, and only they`, async () => {
    const { key, id } = await newKey()
    expectUsage(await usageWith(key))
    const { key: ended } = await askAdmin<{ key: KeyRecord }>(admin, 'key', 'revoke', id)
    expect(ended.state).toBe('ended')
    const answer = await usageWith(key)
    expectError(answer, 'unauthenticated')
    expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer/)
    expectError(await clientOf(main.baseUrl, key).submit({ pair: 'md-to-html', bytes: 1 }), 'unauthenticated')
    expectError(await clientOf(main.baseUrl, key).poll(crypto.randomUUID()), 'unauthenticated')
    expectUsage(await usageWith(account.key))
  })

  test(`${requirement('keys.rotate-with-overlap')} that are rotated work beside the new one for the overlap, then stop`, async () => {
    const { key: old, id } = await newKey()
    const rotated = await askAdmin<{ key: KeyRecord & { key: string }; old: KeyRecord }>(
      admin,
      'key',
      'rotate',
      id,
      '--overlap',
      '6s',
    )
    expect(rotated.old.endsAt).toMatch(timestamp)
    expectUsage(await usageWith(old))
    expectUsage(await usageWith(rotated.key.key))
    await sleep(Date.parse(rotated.old.endsAt ?? '') - Date.now() + 300)
    expectError(await usageWith(old), 'unauthenticated')
    expectUsage(await usageWith(rotated.key.key))
  })

  test(`${requirement('keys.rotate-with-overlap')} get a day of overlap, as in the documented call`, async () => {
    const { key: old, id } = await newKey()
    const { old: record } = await askAdmin<{ old: KeyRecord }>(admin, 'key', 'rotate', id, '--overlap', '24h')
    const hours = (Date.parse(record.endsAt ?? '') - Date.now()) / 3_600_000
    expect(hours).toBeGreaterThan(23.9)
    expect(hours).toBeLessThanOrEqual(24)
    expectUsage(await usageWith(old))
  })

  test(`${requirement('keys.rotate-with-overlap', 'auth.owner-only')} that replace another read the jobs of the account`, async () => {
    const { key: old, id } = await newKey()
    const { jobId } = await clientOf(main.baseUrl, old).job('md-to-html', 5)
    const rotated = await askAdmin<{ key: { key: string } }>(admin, 'key', 'rotate', id, '--overlap', '0')
    expect((await clientOf(main.baseUrl, rotated.key.key).poll(jobId)).status).toBe(200)
    expectError(await clientOf(main.baseUrl, old).poll(jobId), 'unauthenticated')
  })
})

describeLocally('the data folder', () => {
  test(`${requirement('keys.only-hash-stored')} holds no key in clear, in files, tables or journals`, async () => {
    const account = await createAccount(main)
    expectUsage(await account.client.usage())
    await account.client.job('md-to-html', 5)
    const folder = main.dataDir ?? ''
    expect(await filesHolding(folder, bytesOf(account.key), 'everywhere')).toEqual([])
    expect(await filesHolding(folder, bytesOf(account.key.slice(12, -8)), 'everywhere')).toEqual([])
    // The account itself is found, so the look was not blind.
    const id = Buffer.from(account.id.replaceAll('-', ''), 'hex')
    expect((await filesHolding(folder, id, 'everywhere')).length).toBeGreaterThan(0)
  })
})
