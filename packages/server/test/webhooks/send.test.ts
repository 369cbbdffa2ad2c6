import { once } from 'node:events'
import { createServer } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createSend } from '../../src/webhooks/send.ts'
import { startReceiver } from './receiver.ts'

const send = createSend({ allowPrivate: true, withinMilliseconds: 1000 })
const toPublic = createSend({ allowPrivate: false, withinMilliseconds: 1000 })

describe('a request to a receiver', () => {
  test('brings headers and body, and the answer', async () => {
    const receiver = await startReceiver((response) =>
      response.writeHead(201).end('thank\u0000 you\u001b[31m'),
    )
    const answer = await send(receiver.url, { 'webhook-id': 'one' }, '{"ü":1}')
    expect(answer).toEqual({
      isTaken: true,
      status: 201,
      text: 'thank  you [31m',
      milliseconds: expect.any(Number),
    })
    expect(receiver.received).toMatchObject([{ body: '{"ü":1}', headers: { 'webhook-id': 'one' } }])
  })

  test('follows no redirect', async () => {
    const target = await startReceiver()
    const receiver = await startReceiver((response) =>
      response.writeHead(307, { location: target.url }).end(),
    )
    expect(await send(receiver.url, {}, '{}')).toMatchObject({
      isTaken: false,
      status: 307,
      text: 'Redirects are not followed.',
    })
    expect(target.received).toEqual([])
  })

  test('reads only the beginning of an endless answer', async () => {
    let written = 0
    const receiver = await startReceiver((response) => {
      response.writeHead(200)
      const piece = 'x'.repeat(65_536)
      const more = () => {
        while (!response.destroyed && response.write(piece)) written += piece.length
      }
      response.on('drain', more)
      more()
    })
    const answer = await send(receiver.url, {}, '{}')
    expect(answer).toMatchObject({ isTaken: true, status: 200, text: 'x'.repeat(500) })
    await expect.poll(receiver.closed).toBe(1)
    expect(written).toBeLessThan(20_000_000)
  })

  test('refuses headers without end', async () => {
    const receiver = await startReceiver((response) =>
      response.writeHead(200, { 'x-long': 'x'.repeat(100_000) }).end(),
    )
    expect(await send(receiver.url, {}, '{}')).toMatchObject({
      isTaken: false,
      status: null,
      text: expect.stringMatching(/./),
    })
  })

  test('is given up when no answer comes in time, and not when only its end does not', async () => {
    const silent = await startReceiver(() => {})
    expect(await send(silent.url, {}, '{}')).toMatchObject({
      isTaken: false,
      status: null,
      text: 'There was no answer within 1 seconds.',
    })
    await expect.poll(silent.closed).toBe(1)
    const slow = await startReceiver((response) => response.writeHead(200).write('taken'))
    expect(await send(slow.url, {}, '{}')).toMatchObject({ isTaken: true, status: 200, text: 'taken' })
  })

  test('says why there was no answer', async () => {
    const closes = createServer((socket) => socket.once('data', () => socket.destroy())).listen(
      0,
      '127.0.0.1',
    )
    onTestFinished(() => void closes.close())
    await once(closes, 'listening')
    const { port } = closes.address() as { port: number }
    const closed = await send(`http://127.0.0.1:${port}/`, {}, '{}')
    expect(closed).toMatchObject({
      isTaken: false,
      status: null,
      text: expect.stringMatching(/closed the connection/),
    })
    const gone = await startReceiver()
    await gone.close()
    expect(await send(gone.url, {}, '{}')).toMatchObject({
      status: null,
      text: expect.stringMatching(/refused/),
    })
    const plain = await startReceiver()
    const secure = plain.url.replace('http:', 'https:')
    expect(await send(secure, {}, '{}')).toMatchObject({
      isTaken: false,
      status: null,
      text: expect.stringMatching(/./),
    })
  })

  test.each([
    ['an upgrade', 'HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n'],
    ['only promises', 'HTTP/1.1 102 Processing\r\n\r\n'.repeat(100)],
    ['no HTTP', 'hello\r\n\r\n'],
    ['half a head', 'HTTP/1.1 200 OK\r\nx: '],
  ])(
    'ends in time when the answer is %s',
    async (_, bytes) => {
      const odd = createServer((socket) => {
        socket.on('error', () => {})
        socket.once('data', () => socket.write(bytes))
      }).listen(0, '127.0.0.1')
      onTestFinished(() => void odd.close())
      await once(odd, 'listening')
      const { port } = odd.address() as { port: number }
      const quick = createSend({ allowPrivate: true, withinMilliseconds: 300 })
      const answer = await quick(`http://127.0.0.1:${port}/`, {}, '{}')
      expect(answer).toMatchObject({ isTaken: false, status: null, text: expect.stringMatching(/\w/) })
      expect(answer.milliseconds).toBeLessThan(3000)
    },
    10_000,
  )

  test('never reaches this machine, by address or by name, unless that is allowed', async () => {
    const receiver = await startReceiver()
    const { port } = receiver
    for (const host of ['127.0.0.1', 'localhost', '0x7f.1', '2130706433', '[::ffff:127.0.0.1]', '0.0.0.0']) {
      expect(await toPublic(`http://${host}:${port}/`, {}, '{}'), host).toMatchObject({
        isTaken: false,
        status: null,
        text: expect.stringMatching(/KILN_WEBHOOKS_TO_PRIVATE/),
      })
    }
    expect(receiver.received).toEqual([])
  })

  test('goes to the address that was judged, whatever the name says a moment later', async () => {
    const receiver = await startReceiver()
    let asked = 0
    const changing = async () => [{ address: asked++ === 0 ? '192.0.2.1' : '127.0.0.1', family: 4 }]
    const url = `http://receiver.example:${receiver.port}/`
    const short = { withinMilliseconds: 300, resolve: changing }
    expect((await createSend({ allowPrivate: false, ...short })(url, {}, '{}')).isTaken).toBe(false)
    asked = 0
    // The first address does not answer. A second look would have found the receiver.
    expect((await createSend({ allowPrivate: true, ...short })(url, {}, '{}')).isTaken).toBe(false)
    expect([asked, receiver.received]).toEqual([1, []])
    const there = createSend({
      allowPrivate: true,
      resolve: async () => [{ address: '127.0.0.1', family: 4 }],
    })
    expect((await there(url, {}, '{}')).isTaken).toBe(true)
    expect(receiver.received[0]?.headers.host).toBe(`receiver.example:${receiver.port}`)
  })

  test('does not wait for a name server beyond its time', async () => {
    const never = createSend({
      allowPrivate: true,
      withinMilliseconds: 200,
      resolve: () => new Promise(() => {}),
    })
    expect(await never('http://receiver.example/', {}, '{}')).toMatchObject({
      status: null,
      text: expect.stringMatching(/within 0.2/),
    })
  })
})
