import { scryptSync } from 'node:crypto'
import { Agent, request } from 'node:http'
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { createAccounts } from '../../src/accounts/accounts.ts'
import { writePasswordHash } from '../../src/db/operator.ts'
import { beginCall, firstOf } from '../support/agent-call.ts'
import { createCustomer } from '../support/database.ts'
import { useService } from '../support/service.ts'

// The cost of a flood of refused requests for the database, and the response to each.

const service = useService({
  submitRatePerMinute: 5,
  pollRatePerMinute: 60,
  freeJobsPerMonth: 1000,
  operatorPassword: 'correct-horse-battery',
  trustedProxies: ['127.0.0.1'],
})
afterEach(() => vi.restoreAllMocks())

interface Sent {
  key: string
  headers?: Record<string, string>
  pair?: string
}
const submit = ({ key, headers, pair = 'md-to-html' }: Sent) =>
  service.call('/v1/conversions', {
    key,
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ pair, bytes: 1 }),
  })
/** Twenty at a time: more would wait for a connection to the database, and be refused. */
async function many<Value>(count: number, make: () => Promise<Value>): Promise<Value[]> {
  const made: Value[] = []
  while (made.length < count)
    made.push(...(await Promise.all(Array.from({ length: Math.min(20, count - made.length) }, make))))
  return made
}
const statusesOf = (answers: readonly Response[]) => [...new Set(answers.map(({ status }) => status))]
/** Round trips of the hot paths to the database while the work is done, past one for each second of it. */
async function roundTrips(work: () => Promise<unknown>): Promise<number> {
  const asked = vi.spyOn(service.database, 'prepared')
  const began = performance.now()
  await work()
  const seconds = Math.ceil((performance.now() - began) / 1000)
  return asked.mock.calls.filter(([name]) => !/waiting|notify|load/.test(name)).length - seconds
}

describe('past the rate', () => {
  test('submits without an idempotency key cost the database a question a second at most', async () => {
    const { key } = await createCustomer(service.database)
    expect(statusesOf(await many(5, () => submit({ key })))).toEqual([201])
    const trips = await roundTrips(async () => {
      expect(statusesOf(await many(200, () => submit({ key })))).toEqual([429])
    })
    expect(trips).toBeLessThanOrEqual(1)
  })

  test('polls and usage calls cost as little', async () => {
    const { key } = await createCustomer(service.database)
    const usage = () => service.call('/v1/usage', { key })
    await many(60, usage)
    const trips = await roundTrips(async () => expect(statusesOf(await many(200, usage))).toEqual([429]))
    expect(trips).toBeLessThanOrEqual(1)
  })

  test('a replay is answered, without Retry-After; a flood of keys is not looked up for ever', async () => {
    const { key } = await createCustomer(service.database)
    const headers = { 'idempotency-key': 'earlier' }
    await submit({ key, headers })
    await many(4, () => submit({ key }))
    const replay = await submit({ key, headers })
    expect([replay.status, replay.headers.get('retry-after')]).toEqual([200, null])
    let n = 0
    const unseen = () => submit({ key, headers: { 'idempotency-key': `unseen ${n++}` } })
    const trips = await roundTrips(async () => expect(statusesOf(await many(300, unseen))).toEqual([429]))
    expect(trips).toBeLessThanOrEqual(61)
  })

  test('a key that was revoked is 401, not 429', async () => {
    const { key, accountId } = await createCustomer(service.database)
    await many(10, () => submit({ key }))
    expect((await submit({ key })).status).toBe(429)
    const accounts = createAccounts(service.database)
    const [record] = await accounts.listKeys(accountId)
    await accounts.revokeKey(String(record?.id))
    await expect.poll(async () => (await submit({ key })).status, { timeout: 3000 }).toBe(401)
    expect(statusesOf(await many(20, () => submit({ key })))).toEqual([401])
    expect((await service.call('/v1/usage', { key })).status).toBe(401)
  })

  test('requests that are wrong in themselves are no flood of questions either', async () => {
    const { key } = await createCustomer(service.database)
    const trips = await roundTrips(async () =>
      expect(statusesOf(await many(200, () => submit({ key, pair: 'no-to-pair' })))).toEqual([400]),
    )
    expect(trips).toBeLessThanOrEqual(1)
  })
})

describe('what anybody may ask', () => {
  test.each(['/readyz', '/status'])('%s asks the database once a second at most', async (path) => {
    const origin = new URL(service.base).origin
    const version = vi.spyOn(service.database, 'version')
    const began = performance.now()
    const answers = await many(300, () => fetch(origin + path))
    expect(statusesOf(answers)).toEqual([200])
    const seconds = Math.ceil((performance.now() - began) / 1000)
    expect(version.mock.calls.length).toBeLessThanOrEqual(seconds + 1)
  })
})

describe('sign-ins behind a trusted proxy', () => {
  // The counting does not depend on the cost of a password check; session.test.ts uses the real cost.
  beforeAll(async () => {
    const hash = scryptSync('correct-horse-battery', 'salt', 32, { N: 1024, r: 8, p: 1 })
    const quick = [
      'scrypt',
      1024,
      8,
      1,
      Buffer.from('salt').toString('base64url'),
      hash.toString('base64url'),
    ]
    await writePasswordHash(service.database.kysely, quick.join(':'))
  })
  const signIn = (from: string, password = 'wrong') => {
    const origin = new URL(service.base).origin
    return fetch(`${origin}/console/api/sign-in`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin, 'x-forwarded-for': from },
      body: JSON.stringify({ password }),
    })
  }

  test('are counted per forwarded address: another client does not lock the operator out', async () => {
    const guesses = await many(20, () => signIn('198.51.100.9'))
    expect(statusesOf(guesses).sort()).toEqual([401, 429])
    expect((await signIn('198.51.100.9', 'correct-horse-battery')).status).toBe(429)
    expect((await signIn('203.0.113.5', 'correct-horse-battery')).status).toBe(200)
  })

  test('count only what the proxy itself added: what the client wrote before it is not believed', async () => {
    let n = 0
    const spoofed = await many(20, () => signIn(`10.0.0.${n++}, 198.51.100.10`))
    expect(spoofed.filter(({ status }) => status === 429)).toHaveLength(10)
  })

  test('of one IPv6 network count together', async () => {
    let n = 0
    const answers = await many(20, () => signIn(`2001:db8::${(n++).toString(16)}`))
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(10)
  })
})

describe('bodies for the agent tools', () => {
  const mega = 1024 * 1024
  test('are bounded per account and in all, and what ends makes room', async () => {
    const keys = await Promise.all(
      Array.from({ length: 5 }, async (_, n) => (await createCustomer(service.database, `agent ${n}`)).key),
    )
    const [one = '', two = '', three = '', four = '', five = ''] = keys
    const open = [beginCall(service, one, 12 * mega), beginCall(service, one, 12 * mega)]
    expect(await firstOf(open[1]?.status as Promise<number>, 'held')).toBe('held')
    expect(await beginCall(service, one, 1000).status).toBe(429)
    open.push(
      beginCall(service, two, 12 * mega),
      beginCall(service, two, 12 * mega),
      beginCall(service, three, 12 * mega),
    )
    open.push(beginCall(service, four, 12 * mega))
    expect(await firstOf(open[5]?.status as Promise<number>, 'held')).toBe('held')
    expect(await beginCall(service, five, 1000).status).toBe(503)
    await Promise.all(open.map((call) => call.end()))
    const last = beginCall(service, five, 12 * mega)
    expect(await firstOf(last.status, 'held')).toBe('held')
    expect(await beginCall(service, three, 13 * mega).status).toBe(413)
    // The service would wait for it when it stops.
    await last.end()
  })

  test('leave nothing behind on a connection that serves many calls', async () => {
    const { key } = await createCustomer(service.database, 'a patient agent')
    const warnings: Error[] = []
    const note = (warning: Error) => void warnings.push(warning)
    process.on('warning', note)
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const call = () =>
      new Promise<number | undefined>((resolve, reject) => {
        const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
        request(`${service.base}/mcp`, { method: 'POST', agent, headers }, (answer) => {
          answer.resume().once('end', () => resolve(answer.statusCode))
        })
          .once('error', reject)
          .end('{}')
      })
    for (let n = 0; n < 12; n++) expect(await call()).toBeLessThan(500)
    agent.destroy()
    process.off('warning', note)
    expect(warnings).toEqual([])
  })
})
