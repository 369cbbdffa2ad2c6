import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import Fastify from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { requireBodyPace } from './body-pace.ts'

const app = Fastify()
beforeAll(async () => {
  requireBodyPace(app, (url) => url.startsWith('/files/'), { bytes: 10, milliseconds: 200 })
  for (const path of ['/call', '/files/one']) app.post(path, async (request) => request.body)
  app.post('/refused', { onRequest: async (_request, reply) => reply.code(401).send({}) }, async () => ({}))
  await app.listen({ port: 0 })
})
afterAll(() => app.close())

/** Sends the body in two parts, and returns everything that is received. */
async function send(
  path: string,
  body: string,
  first: number,
  pauseMilliseconds: number,
  connection = 'close',
): Promise<string> {
  const socket = connect((app.server.address() as AddressInfo).port)
  let answer = ''
  socket.on('data', (chunk) => {
    answer += chunk
  })
  const ended = once(socket, 'close')
  socket.write(
    `POST ${path} HTTP/1.1\r\nhost: a\r\nconnection: ${connection}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n`,
  )
  socket.write(body.slice(0, first))
  await Promise.race([ended, delay(pauseMilliseconds)])
  if (!socket.destroyed && socket.writable) socket.write(body.slice(first))
  await ended
  return answer
}

const body = JSON.stringify({ words: 'x'.repeat(100) })

test('a body that comes is taken', async () => {
  expect(await send('/call', body, 50, 0)).toMatch(/^HTTP\/1.1 200/)
})

test('one that does not is answered with 408, and the connection is closed', async () => {
  expect(await send('/call', body, 1, 60_000)).toMatch(/^HTTP\/1.1 408[\s\S]*request-timeout/)
})

test('nor does a refused request keep its connection with a body that does not come', async () => {
  const start = performance.now()
  expect(await send('/refused', body, 1, 60_000, 'keep-alive')).toMatch(/^HTTP\/1.1 401/)
  expect(performance.now() - start).toBeLessThan(30_000)
})

test('a file has its own pace', async () => {
  expect(await send('/files/one', body, 1, 500)).toMatch(/^HTTP\/1.1 200/)
})
