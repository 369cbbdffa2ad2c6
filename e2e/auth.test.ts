import { randomBytes } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { anonymous, main, someClient } from './accounts.ts'
import { expectError, expectUsage } from './expectations.ts'
import { requirement } from './requirements.ts'
import { type Client, clientOf, send } from './service.ts'

let client: Client
let key: string

beforeAll(async () => {
  client = someClient()
  key = client.key ?? ''
})

const usageWith = (authorization: string) => anonymous.get('/v1/usage', { authorization })

describe('the key', () => {
  test(`${requirement('auth.bearer')} goes into the Authorization header`, async () => {
    expectUsage(await usageWith(`Bearer ${key}`))
  })

  test(`${requirement('auth.bearer')} works whatever the case of the scheme`, async () => {
    expectUsage(await usageWith(`bearer ${key}`))
    expectUsage(await usageWith(`BEARER ${key}`))
  })

  test(`${requirement('auth.fixed-prefix', 'keys.shape')} begins with its prefix and is base62 after it`, () => {
    expect(key).toMatch(/^kiln_live_[0-9A-Za-z]{30,}$/)
  })

  test.each([
    '',
    'Bearer',
    'Bearer ',
    'Basic dXNlcjpwYXNz',
    'Bearer kiln_live_',
    'Bearer nonsense',
    `Bearer kiln_live_${'0'.repeat(40)}`,
    `Bearer kiln_live_${'0'.repeat(4000)}`,
    'Bearer ü',
    'Bearer a b',
  ])(`${requirement('auth.unauthenticated-401')} "%s" is refused`, async (authorization) => {
    const answer = await usageWith(authorization)
    expectError(answer, 'unauthenticated')
    expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer\b/)
  })

  test(`${requirement('auth.unauthenticated-401')} is refused in any other place`, async () => {
    expectError(await anonymous.get(`/v1/usage?api_key=${key}&access_token=${key}`), 'unauthenticated')
    expectError(await anonymous.get('/v1/usage', { 'x-api-key': key }), 'unauthenticated')
    expectError(await anonymous.get('/v1/usage', { cookie: `key=${key}` }), 'unauthenticated')
  })

  test(`${requirement('keys.shape', 'auth.unauthenticated-401')} with one letter wrong is refused as mistyped`, async () => {
    const at = key.length - 12
    const swapped = key.slice(0, at) + (key[at] === 'a' ? 'b' : 'a') + key.slice(at + 1)
    const typo = expectError(await clientOf(main.baseUrl, swapped).usage(), 'unauthenticated')
    expect(typo).toMatch(/mistyp|typo|checksum|copied|complete|typed/i)
    expect(typo).not.toContain(swapped)
  })

  test(`${requirement('auth.all-but-formats', 'submit.unauthenticated-401')} is needed for every operation but the formats`, async () => {
    expectError(await anonymous.submit({ pair: 'md-to-html', bytes: 1 }), 'unauthenticated')
    expectError(await anonymous.poll(crypto.randomUUID()), 'unauthenticated')
    expectError(await anonymous.usage(), 'unauthenticated')
    expect((await anonymous.formats()).status).toBe(200)
  })

  test(`${requirement('auth.backend-only')} opens nothing to pages of other origins`, async () => {
    const origin = 'https://page.example'
    const asked = await send(`${main.baseUrl}/v1/usage`, {
      headers: { origin, authorization: `Bearer ${key}` },
    })
    expect(asked.headers.get('access-control-allow-origin')).toBeNull()
    const preflight = await send(`${main.baseUrl}/v1/conversions`, {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization',
      },
    })
    expect(preflight.headers.get('access-control-allow-origin')).toBeNull()
    expect(preflight.headers.get('access-control-allow-headers')).toBeNull()
  })

  test('is never repeated in an answer', async () => {
    const wrong = `kiln_live_${randomBytes(20).toString('hex')}`
    const answers = [
      await clientOf(main.baseUrl, wrong).usage(),
      await client.submit('{'),
      await client.usage(),
    ]
    for (const { text } of answers) {
      expect(text).not.toContain(wrong)
      expect(text).not.toContain(key)
    }
  })
})
