import { sql } from 'kysely'
import { afterEach, describe, expect, test } from 'vitest'
import { adoptPassword, makeFirstPassword, setOperatorPassword } from '../../src/console/operator.ts'
import { originOf } from '../support/page-client.ts'
import { useService } from '../support/service.ts'
import { openConsole, password, signIn } from './console-client.ts'

const service = useService({ operatorPassword: password })
afterEach(() => sql`delete from operator_failures`.execute(service.database.kysely))

const post = (path: string, headers: Record<string, string>, body = '{}') =>
  fetch(`${originOf(service)}/console/api${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
  })

describe('the password', () => {
  test('opens a session whose cookie no script and no other site can use', async () => {
    const answer = await signIn(service)
    expect(answer.status).toBe(200)
    const cookie = String(answer.headers.get('set-cookie'))
    expect(cookie).toMatch(/^kiln_console=[\w-]{43}; /)
    for (const attribute of ['HttpOnly', 'SameSite=Strict', 'Path=/console', 'Max-Age=4']) {
      expect(cookie).toContain(attribute)
    }
    expect(cookie).not.toContain('Secure')
  })

  test('is stored as a slow hash, and the session as a hash of its token', async () => {
    const answer = await signIn(service)
    const token = /kiln_console=([\w-]+)/.exec(String(answer.headers.get('set-cookie')))?.[1] as string
    const { rows } = await sql<{ text: string }>`
      select coalesce(string_agg(operator::text, ''), '') || coalesce((select string_agg(s::text, '') from operator_sessions s), '') as text
      from operator`.execute(service.database.kysely)
    expect(rows[0]?.text).toMatch(/scrypt:32768:8:3:/)
    expect(rows[0]?.text).not.toContain(password)
    expect(rows[0]?.text).not.toContain(token)
  })

  test('a wrong one opens nothing', async () => {
    const answer = await signIn(service, 'not the password')
    expect(answer.status).toBe(401)
    expect(answer.headers.get('set-cookie')).toBeNull()
    expect(await answer.json()).toMatchObject({ code: 'unauthenticated' })
  })

  test('cannot be guessed quickly, also not by many at once; the right one clears the count', {
    timeout: 180_000,
    tags: 'slow',
  }, async () => {
    const guesses = await Promise.all(Array.from({ length: 20 }, (_, n) => signIn(service, `guess ${n}`)))
    const statuses = guesses.map(({ status }) => status)
    expect(statuses.filter((status) => status === 401)).toHaveLength(10)
    expect(statuses.filter((status) => status === 429)).toHaveLength(10)
    const after = await signIn(service)
    expect(after.status).toBe(429)
    expect(Number(after.headers.get('retry-after'))).toBeGreaterThan(0)
    await sql`delete from operator_failures`.execute(service.database.kysely)
    for (let n = 0; n < 9; n++) await signIn(service, 'wrong')
    expect((await signIn(service)).status).toBe(200)
    expect((await signIn(service, 'wrong')).status).toBe(401)
    // Each look at a password is made slow on purpose.
  })

  test('when it is changed, sessions that it opened end', { tags: 'slow' }, async () => {
    const console = await openConsole(service)
    await setOperatorPassword(service.database, 'another password')
    expect((await console.call('/session')).status).toBe(401)
    expect((await signIn(service)).status).toBe(401)
    await adoptPassword(service.database, password)
    const again = await openConsole(service)
    // The same password in the settings of the next start leaves sessions alone.
    await adoptPassword(service.database, password)
    expect((await again.call('/session')).status).toBe(200)
  })

  test('one that exists is not made again', async () => {
    expect(await makeFirstPassword(service.database)).toBeNull()
  })
})

describe('a session', () => {
  test('is needed for everything', async () => {
    for (const path of ['/session', '/overview', '/charts', '/jobs', '/accounts', '/accounts/x/ledger']) {
      const answer = await fetch(`${originOf(service)}/console/api${path}`)
      expect([path, answer.status]).toEqual([path, 401])
    }
    const { origin } = new URL(service.base)
    for (const path of ['/accounts', '/jobs/x/cancel', '/jobs/x/retry', '/accounts/x/keys/x/revoke']) {
      expect([path, (await post(path, { origin })).status]).toEqual([path, 401])
    }
  })

  test('ends with its time, and with signing out', async () => {
    const console = await openConsole(service)
    expect((await console.call('/session')).status).toBe(200)
    await sql`update operator_sessions set ends_at = now()`.execute(service.database.kysely)
    expect((await console.call('/session')).status).toBe(401)

    const other = await openConsole(service)
    const out = await other.call('/sign-out', { method: 'POST' })
    expect(out.headers.get('set-cookie')).toContain('Max-Age=0')
    expect((await other.call('/session')).status).toBe(401)
  })
})

describe('a page of another site', () => {
  test('cannot change anything, even with the cookie', async () => {
    const console = await openConsole(service)
    const make = (headers: Record<string, string>) =>
      console.call('/accounts', {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: '{"name":"forged"}',
      })
    const own = originOf(service)
    for (const headers of [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { origin: 'null', 'sec-fetch-site': 'same-origin' },
      { origin: own, 'sec-fetch-site': 'cross-site' },
      { origin: own, 'sec-fetch-site': 'same-site' },
      { origin: own, 'sec-fetch-site': 'none' },
      { origin: 'https://evil.example', 'sec-fetch-site': 'same-origin' },
    ]) {
      const answer = await make(headers)
      expect([headers, answer.status]).toEqual([headers, 403])
    }
    const { accounts } = await console.get<{ accounts: { name: string }[] }>('/accounts?search=forged')
    expect(accounts).toEqual([])
    expect((await make({ origin: own, 'sec-fetch-site': 'same-origin' })).status).toBe(200)
  })

  test('a request that says nothing of where it comes from is refused; so is a sign-in from elsewhere', async () => {
    expect((await post('/sign-in', {}, JSON.stringify({ password }))).status).toBe(403)
    const elsewhere = { origin: 'https://evil.example' }
    expect((await post('/sign-in', elsewhere, JSON.stringify({ password }))).status).toBe(403)
  })

  test('may not read: no answer allows another origin', async () => {
    const console = await openConsole(service)
    const answer = await console.call('/accounts', { headers: { origin: 'https://evil.example' } })
    expect(answer.headers.get('access-control-allow-origin')).toBeNull()
    expect(answer.headers.get('cache-control')).toBe('no-store')
  })
})
