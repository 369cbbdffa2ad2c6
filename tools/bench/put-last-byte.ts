import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { monotonicMs } from './statistics.ts'

/** PUTs a body, delays its last byte for a moment, and returns when that byte was sent. */
export async function putLastByte(url: string, body: Buffer): Promise<number> {
  const { hostname, port, pathname, search } = new URL(url)
  const socket = connect(Number(port), hostname).setNoDelay(true)
  await once(socket, 'connect')
  const head = `PUT ${pathname}${search} HTTP/1.1\r\nHost: ${hostname}\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n`
  socket.write(Buffer.concat([Buffer.from(head), body.subarray(0, -1)]))
  await delay(25)
  const sentAt = monotonicMs()
  socket.write(body.subarray(-1))
  const answer = await socket.toArray()
  const text = Buffer.concat(answer).toString()
  if (!text.startsWith('HTTP/1.1 200 ')) throw new Error(`PUT answered ${text.split('\r\n')[0]}`)
  return sentAt
}
