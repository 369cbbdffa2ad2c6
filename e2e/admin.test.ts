import { randomUUID } from 'node:crypto'
import { type AdminCommand, askAdmin, localAdmin, runAdmin } from '@kiln/test-support/admin-command.ts'
import { startService } from '@kiln/test-support/start-service.ts'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  type Account,
  createAccount,
  describeLocally,
  describeWithOperator,
  main,
  operated,
} from './accounts.ts'
import { picture } from './documents.ts'
import { expectSubmitResult, expectUsage, uuid } from './expectations.ts'
import { bytesOf, clientOf } from './service.ts'

interface Ledger {
  account: { id: string; credits: number }
  entries: { kind: string; credits: number; free: number; jobId: string | null; reason: string }[]
}

const sumOf = (numbers: number[]) => numbers.reduce((sum, each) => sum + each, 0)

describeWithOperator('the command line, while the service runs', () => {
  const admin = main.admin as AdminCommand
  let account: Account
  beforeAll(async () => {
    account = await createAccount(main)
  })

  test('creates accounts and lists them', async () => {
    const name = `Name ${randomUUID()} ünïcode "quoted"`
    const made = await askAdmin<{ account: { id: string; name: string }; key: { id: string; key: string } }>(
      admin,
      'account',
      'create',
      '--name',
      name,
    )
    expect(made.account.id).toMatch(uuid)
    expect(made.account.name).toBe(name)
    expectUsage(await clientOf(main.baseUrl, made.key.key).usage())
    const { accounts } = await askAdmin<{ accounts: { id: string; name: string }[] }>(
      admin,
      'account',
      'list',
    )
    expect(accounts).toContainEqual(expect.objectContaining({ id: made.account.id, name }))
  })

  test('prints for people without --json', async () => {
    const made = await runAdmin(admin, 'account', 'create', '--name', 'For people')
    expect(made.status).toBe(0)
    expect(made.stdout).toMatch(/kiln_live_\w+/)
    expect(made.stdout).toContain('shown once')
    const list = await runAdmin(admin, 'account', 'list')
    expect(list.stdout).toContain('For people')
    expect(() => JSON.parse(list.stdout) as unknown).toThrow()
  })

  test('keeps a ledger whose sum is the balance, whatever happens to the jobs', async () => {
    const { client, id } = await createAccount(main, { credits: 25 })
    for (let free = 0; free < 50; free++) await client.job('md-to-html', 3)
    const failed = await client.run('docx-to-html', picture())
    expect(failed.status).toBe('failed')
    const done = await client.run('md-to-html', bytesOf('# Paid\n'))
    expect(done.status).toBe('done')
    const key = { 'idempotency-key': randomUUID() }
    expectSubmitResult(await client.submit({ pair: 'md-to-html', bytes: 3 }, key), 201)
    expectSubmitResult(await client.submit({ pair: 'md-to-html', bytes: 3 }, key), 200)
    await askAdmin(admin, 'credits', 'grant', '--account', id, '--amount', '-2', '--reason', 'correction')

    const { creditsBalance, freeTier } = await client.readUsage()
    const { account: owner, entries } = await askAdmin<Ledger>(admin, 'credits', 'ledger', '--account', id)
    expect(owner.credits).toBe(creditsBalance)
    expect(sumOf(entries.map(({ credits }) => credits))).toBe(creditsBalance)
    expect(50 + sumOf(entries.map((entry) => entry.free))).toBe(freeTier.jobsRemaining)
    const ofJob = (jobId: string) => entries.filter((entry) => entry.jobId === jobId)
    expect(sumOf(ofJob(failed.jobId).map(({ credits }) => credits))).toBe(0)
    expect(ofJob(failed.jobId).length).toBe(2)
    expect(ofJob(done.jobId).length).toBe(1)
    expect(entries.filter(({ reason }) => reason === 'correction')).toMatchObject([{ credits: -2 }])
  })

  test('shows a job as it is', async () => {
    const done = await account.client.run('md-to-html', bytesOf('# Show me\n'))
    const { job } = await askAdmin<{ job: Record<string, unknown> }>(admin, 'job', 'show', done.jobId)
    expect(job).toMatchObject({ id: done.jobId, pair: 'md-to-html', status: 'done', bytes: 10 })
    expect((await runAdmin(admin, 'job', 'show', done.jobId)).stdout).toContain('md-to-html')
  })

  const faults: [string, string[]][] = [
    ['an account that does not exist', ['key', 'create', '--account', randomUUID()]],
    ['an id that is none', ['key', 'create', '--account', 'nonsense']],
    ['a key that does not exist', ['key', 'revoke', randomUUID()]],
    ['a job that does not exist', ['job', 'show', randomUUID()]],
    [
      'an amount that is none',
      ['credits', 'grant', '--account', randomUUID(), '--amount', 'x', '--reason', 'r'],
    ],
    ['a missing name', ['account', 'create']],
    ['an overlap that is none', ['key', 'rotate', randomUUID(), '--overlap', 'soon']],
    ['a command that does not exist', ['account', 'destroy']],
  ]
  test.concurrent.each(faults)('refuses %s in a sentence', { tags: 'slow' }, async (_, args) => {
    const result = await runAdmin(admin, ...args, '--json')
    expect(result.status).not.toBe(0)
    expect(result.status).not.toBeNull()
    expect(result.stdout).toBe('')
    expect(result.stderr).toMatch(/[a-z]{3,} [a-z]{2,}/)
    expect(result.stderr).not.toMatch(/^\s+at .*:\d+:\d+/m)
  })

  test('examines the machine', async () => {
    const { checks } = await askAdmin<{ checks: { ok: boolean; name: string }[] }>(admin, 'doctor')
    expect(checks.filter(({ ok }) => !ok)).toEqual([])
    for (const name of ['database', 'ledger', 'sandbox', 'catalogue'])
      expect(checks.map((check) => check.name)).toContain(name)
  })
})

describeLocally('the command line, while the service does not run', () => {
  describe('on one data folder', () => {
    test('makes an account that the service then knows, and the other way round', {
      timeout: 120_000,
      tags: 'slow',
    }, async () => {
      const first = await startService()
      const admin = localAdmin(first.settings)
      const before = await createAccount(await operated(first), { credits: 3 })
      expect(await first.stop()).toBe(0)

      const { accounts } = await askAdmin<{ accounts: { id: string }[] }>(admin, 'account', 'list')
      expect(accounts.map(({ id }) => id)).toContain(before.id)
      const between = await createAccount({ baseUrl: first.baseUrl, admin })
      await askAdmin(admin, 'key', 'revoke', before.keyId)
      const fresh = await askAdmin<{ key: { key: string } }>(admin, 'key', 'create', '--account', before.id)

      const second = await startService({ folder: first.dataDir })
      try {
        expectUsage(await clientOf(second.baseUrl, between.key).usage())
        expect((await clientOf(second.baseUrl, before.key).usage()).status).toBe(401)
        expect((await clientOf(second.baseUrl, fresh.key.key).readUsage()).creditsBalance).toBe(3)
        // The first key is made at the first start, and never again.
        expect(first.output()).toMatch(/kiln_live_\w+/)
        expect(second.output()).not.toMatch(/kiln_live_\w+/)
      } finally {
        await second.stop()
        await second.remove()
      }
    })
  })
})
