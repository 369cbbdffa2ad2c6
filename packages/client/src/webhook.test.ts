import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { verifyWebhook, WebhookError } from './webhook.ts'

const secret = `whsec_${Buffer.from('a secret of thirty-two bytes ...').toString('base64')}`
const other = `whsec_${Buffer.from('another one').toString('base64')}`
const body = '{"type":"conversion.done","timestamp":"2026-11-16T00:00:00.000Z","data":{"jobId":"ü"}}'
const now = () => Math.floor(Date.now() / 1000)

const signed = (by: readonly string[], timestamp = String(now()), text = body) => ({
  'webhook-id': 'msg_1',
  'webhook-timestamp': timestamp,
  'webhook-signature': by
    .map((each) => {
      const key = Buffer.from(each.slice(6), 'base64')
      return `v1,${createHmac('sha256', key).update(`msg_1.${timestamp}.${text}`).digest('base64')}`
    })
    .join(' '),
})

describe('verifyWebhook', () => {
  test('gives the event, whatever form body and headers have', async () => {
    const expected = { id: 'msg_1', type: 'conversion.done', data: { jobId: 'ü' } }
    const headers = signed([secret])
    const odd = { 'Webhook-Id': 'msg_1', 'WEBHOOK-TIMESTAMP': headers['webhook-timestamp'] }
    for (const each of [
      headers,
      new Headers(headers),
      { ...odd, 'Webhook-Signature': headers['webhook-signature'] },
    ]) {
      expect(await verifyWebhook(body, each, secret)).toMatchObject(expected)
      expect(await verifyWebhook(new TextEncoder().encode(body), each, [other, secret])).toMatchObject(
        expected,
      )
    }
  })

  test('takes either signature while a secret is rotated', async () => {
    for (const known of [secret, other])
      expect((await verifyWebhook(body, signed([other, secret]), known)).id).toBe('msg_1')
  })

  test('knows the vector of the convention', async () => {
    const headers = {
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    }
    const tolerance = Number.POSITIVE_INFINITY
    const event = await verifyWebhook(
      '{"test": 2432232314}',
      headers,
      'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
      {
        tolerance,
      },
    )
    expect(event).toMatchObject({ test: 2432232314 })
  })

  const good = () => signed([secret])
  test.each<[string, () => Parameters<typeof verifyWebhook>]>([
    ['another body', () => [`${body} `, good(), secret]],
    ['another id', () => [body, { ...good(), 'webhook-id': 'msg_2' }, secret]],
    ['another secret', () => [body, good(), other]],
    ['no secret at all', () => [body, good(), []]],
    [
      'a signature of another version',
      () => [
        body,
        { ...good(), 'webhook-signature': good()['webhook-signature'].replace('v1', 'v2') },
        secret,
      ],
    ],
    [
      'half a signature',
      () => [body, { ...good(), 'webhook-signature': good()['webhook-signature'].slice(0, -8) }, secret],
    ],
    ['a signature that is none', () => [body, { ...good(), 'webhook-signature': 'v1,§ v1, v1' }, secret]],
    ['a header missing', () => [body, { ...good(), 'webhook-id': undefined }, secret]],
    ['a time that is none', () => [body, signed([secret], '1e9'), secret]],
    ['an old request', () => [body, signed([secret], String(now() - 400)), secret]],
    ['a request from the future', () => [body, signed([secret], String(now() + 400)), secret]],
  ])('refuses %s', async (_, call) => {
    await expect(verifyWebhook(...call())).rejects.toBeInstanceOf(WebhookError)
    await expect(verifyWebhook(...call())).rejects.toMatchObject({ code: 'invalid-webhook' })
  })

  test('tolerates clocks as far as the option says', async () => {
    const headers = signed([secret], String(now() - 400))
    expect((await verifyWebhook(body, headers, secret, { tolerance: 600 })).id).toBe('msg_1')
  })

  test.each(['', 'secret', 'whsec_', 'whsec_%%%'])('says what a secret looks like: "%s"', async (wrong) => {
    await expect(verifyWebhook(body, good(), wrong)).rejects.toThrow(/whsec_ followed by base64/)
  })
})
