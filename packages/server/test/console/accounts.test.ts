import { beforeAll, describe, expect, test } from 'vitest'
import type { PageClient } from '../support/page-client.ts'
import { useService } from '../support/service.ts'
import { openConsole, password } from './console-client.ts'

const service = useService({ operatorPassword: password })
let console: PageClient
beforeAll(async () => {
  console = await openConsole(service)
})

interface Account {
  id: string
  name: string
  credits: number
  jobs: number
  freeUsed: number
  keys: number
}
interface NewKey {
  id: string
  key: string
  hint: string
}
interface Details {
  account: Account
  keys: { id: string; hint: string; state: string }[]
}
const usage = (key: string) => service.call('/v1/usage', { key }).then(({ status }) => status)

describe('accounts', () => {
  test('show their use of this month, and are found by name and id', async () => {
    await service.convert('a')
    const { accountId } = service.customer
    const { account } = await console.get<Details>(`/accounts/${accountId}`)
    expect(account).toMatchObject({ name: 'customer', jobs: 1, freeUsed: 1, keys: 1 })
    const find = async (search: string) =>
      (await console.get<{ accounts: Account[] }>(`/accounts?search=${encodeURIComponent(search)}`)).accounts
    expect((await find('CUSTOM')).map(({ id }) => id)).toEqual([accountId])
    expect((await find(accountId.slice(0, 8))).map(({ id }) => id)).toEqual([accountId])
    // Pattern characters are text here.
    expect(await find('%')).toEqual([])
  })

  test('a new one comes with a key that is shown this once', async () => {
    const made = await console.post<{ account: Account; key: NewKey }>('/accounts', { name: ' Ada ' })
    expect(made.account.name).toBe('Ada')
    expect(await usage(made.key.key)).toBe(200)
    const later = JSON.stringify(await console.get(`/accounts/${made.account.id}`))
    expect(later).toContain(made.key.hint)
    expect(later).not.toContain(made.key.key)
  })

  test('keys are made, rotated with an overlap, and revoked at once', async () => {
    const { accountId } = service.customer
    const first = await console.post<NewKey>(`/accounts/${accountId}/keys`)
    const { key: second } = await console.post<{ key: NewKey }>(
      `/accounts/${accountId}/keys/${first.id}/rotate`,
      {
        overlapSeconds: 3600,
      },
    )
    expect([await usage(first.key), await usage(second.key)]).toEqual([200, 200])
    const { key: third } = await console.post<{ key: NewKey }>(
      `/accounts/${accountId}/keys/${second.id}/rotate`,
      {
        overlapSeconds: 0,
      },
    )
    expect([await usage(second.key), await usage(third.key)]).toEqual([401, 200])
    await console.post(`/accounts/${accountId}/keys/${third.id}/revoke`)
    expect(await usage(third.key)).toBe(401)
    const { keys } = await console.get<Details>(`/accounts/${accountId}`)
    const stateOf = (id: string) => keys.find((key) => key.id === id)?.state
    expect([stateOf(first.id), stateOf(second.id), stateOf(third.id)]).toEqual(['ending', 'ended', 'ended'])
  })

  test('credits are granted and taken back, with a reason in the ledger, never below zero', async () => {
    const { accountId } = service.customer
    const grant = (amount: number, reason = 'paid') =>
      console.call(`/accounts/${accountId}/grants`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ amount, reason }),
      })
    expect(await (await grant(100)).json()).toMatchObject({ credits: 100 })
    expect(await (await grant(-30, 'refund')).json()).toMatchObject({ credits: 70 })
    expect((await grant(-71)).status).toBe(400)
    expect((await grant(0)).status).toBe(400)
    expect((await grant(1, '')).status).toBe(400)
    // More than the balance can hold once refunds come on top.
    expect((await grant(999_999_999)).status).toBe(400)
    const { entries } = await console.get<{ entries: { kind: string; credits: number; reason: string }[] }>(
      `/accounts/${accountId}/ledger`,
    )
    expect(entries.slice(0, 2)).toMatchObject([
      { kind: 'grant', credits: -30, reason: 'refund' },
      { kind: 'grant', credits: 100, reason: 'paid' },
    ])
    const taken = await Promise.all([grant(-50), grant(-50)])
    expect(taken.map(({ status }) => status).sort()).toEqual([200, 400])
  })

  test.each(['zero \0 byte', 'half \ud83d', 'two\nlines'])('are not called %j', async (name) => {
    const answer = await console.call('/accounts', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name }),
    })
    expect(answer.status).toBe(400)
  })
})
