import { sql } from 'kysely'
import { afterEach, describe, expect, test } from 'vitest'
import { cookieOf, originOf } from '../support/page-client.ts'
import { useService } from '../support/service.ts'
import { clientWith, invite, joinAs, post, userPassword } from './web-client.ts'

const service = useService()
afterEach(() => sql`delete from operator_failures`.execute(service.database.kysely))

describe('an invitation', () => {
  test('creates one user, once, with a session that no script and no other site can use', async () => {
    const token = await invite(service, service.customer.accountId)
    expect(await (await post(service, '/invitation', { token })).json()).toMatchObject({
      accountName: expect.any(String),
    })
    const accepted = await post(service, '/accept', { token, name: 'Ada' })
    expect(accepted.status).toBe(200)
    const cookie = String(accepted.headers.get('set-cookie'))
    expect(cookie).toMatch(/^kiln_session=[\w-]{43}; Path=\/app; HttpOnly; SameSite=Strict; Max-Age=\d+$/)
    const again = await post(service, '/accept', { token, name: 'Eve' })
    expect(again.status).toBe(404)
    expect(await again.json()).toMatchObject({ error: expect.stringContaining('new one') })
    const session = await clientWith(service, cookieOf(accepted)).get('/session')
    expect(session).toMatchObject({ visitor: { isGuest: false, userName: 'Ada' } })
  })

  test('used by two at once creates one user', async () => {
    const token = await invite(service, service.customer.accountId)
    const answers = await Promise.all(
      ['first', 'second'].map((name) => post(service, '/accept', { token, name })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404])
  })

  test('of a name that is taken stays valid', async () => {
    await joinAs(service, 'Grace', service.customer.accountId)
    const token = await invite(service, service.customer.accountId)
    const taken = await post(service, '/accept', { token, name: 'GRACE' })
    expect([taken.status, await taken.json()]).toEqual([
      400,
      expect.objectContaining({ error: expect.stringContaining('taken') }),
    ])
    const accepted = await post(service, '/accept', { token, name: 'Hopper' })
    expect(accepted.status).toBe(200)
  })

  test('that has expired, or was never given, is refused', async () => {
    const token = await invite(service, service.customer.accountId)
    await sql`update web_invitations set ends_at = now()`.execute(service.database.kysely)
    for (const tried of [token, 'x'.repeat(43)])
      expect((await post(service, '/invitation', { token: tried })).status).toBe(404)
  })
})

describe('a session', () => {
  test('is opened by the password, and ends with signing out and with its time', async () => {
    await joinAs(service, 'Linus', service.customer.accountId, userPassword)
    const wrong = await post(service, '/sign-in', { name: 'Linus', password: 'not the password' })
    expect(wrong.status).toBe(401)
    expect(wrong.headers.get('set-cookie')).toBeNull()
    const unknown = await post(service, '/sign-in', { name: 'nobody', password: userPassword })
    expect(await unknown.json()).toEqual(await wrong.json())
    const right = await post(service, '/sign-in', { name: 'linus', password: userPassword })
    expect(right.status).toBe(200)
    const client = clientWith(service, cookieOf(right))
    expect((await client.call('/account')).status).toBe(200)
    const out = await client.call('/sign-out', { method: 'POST' })
    expect(out.headers.get('set-cookie')).toContain('Max-Age=0')
    expect((await client.call('/account')).status).toBe(401)
    const other = clientWith(
      service,
      cookieOf(await post(service, '/sign-in', { name: 'Linus', password: userPassword })),
    )
    await sql`update web_sessions set ends_at = now()`.execute(service.database.kysely)
    expect((await other.call('/account')).status).toBe(401)
  })

  test('cannot be guessed: attempts are limited per address, also those that come at once', {
    timeout: 180_000,
    tags: 'slow',
  }, async () => {
    const tries = await Promise.all(
      Array.from({ length: 12 }, () => post(service, '/sign-in', { name: 'x', password: 'guess' })),
    )
    const statuses = tries.map(({ status }) => status)
    expect(statuses.filter((status) => status === 401)).toHaveLength(10)
    expect(statuses.filter((status) => status === 429)).toHaveLength(2)
    // Each attempt is slow on purpose.
  })

  test('is needed for everything; another site can do nothing with it', async () => {
    for (const path of ['/formats', '/account', '/account/jobs', '/account/webhook', '/passkeys'])
      expect([path, (await fetch(`${originOf(service)}/app/api${path}`)).status]).toEqual([path, 401])
    for (const path of ['/jobs', '/jobs/look', '/account/keys', '/password', '/passkeys/options'])
      expect([path, (await post(service, path, {})).status]).toEqual([path, 401])
    const client = await joinAs(service, 'Barbara', service.customer.accountId)
    for (const headers of [
      { origin: 'https://evil.example' },
      { origin: 'null', 'sec-fetch-site': 'same-origin' },
      { 'sec-fetch-site': 'cross-site' },
    ] as Record<string, string>[]) {
      const answer = await client.call('/account/keys', { method: 'POST', headers })
      expect([headers, answer.status]).toEqual([headers, 403])
    }
    const read = await client.call('/account', { headers: { origin: 'https://evil.example' } })
    expect(read.headers.get('access-control-allow-origin')).toBeNull()
  })

  test('is stored as a hash, the password as a slow one', async () => {
    const client = await joinAs(service, 'Alan', service.customer.accountId, userPassword)
    const { rows } = await sql<{ text: string }>`
      select string_agg(u::text, '') || (select string_agg(s::text, '') from web_sessions s) as text
      from web_users u`.execute(service.database.kysely)
    expect(rows[0]?.text).toMatch(/scrypt:32768:8:3:/)
    expect(rows[0]?.text).not.toContain(userPassword)
    expect(rows[0]?.text).not.toContain(client.cookie.split('=')[1])
  })

  test('survives a change of the password, which ends the others', { tags: 'slow' }, async () => {
    const first = await joinAs(service, 'Edsger', service.customer.accountId, userPassword)
    const signedIn = await post(service, '/sign-in', { name: 'Edsger', password: userPassword })
    const second = clientWith(service, cookieOf(signedIn))
    await expect(first.post('/password', { current: 'wrong', next: 'another password' })).rejects.toThrow(
      /current password is wrong/,
    )
    await first.post('/password', { current: userPassword, next: 'another password' })
    expect((await first.call('/account')).status).toBe(200)
    expect((await second.call('/account')).status).toBe(401)
  })
})
