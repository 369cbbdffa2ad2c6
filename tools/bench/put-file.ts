import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'

const chunk = Buffer.alloc(256 * 1024, 'All work and no play makes a dull file.\n')

/** PUTs this many bytes over a new connection; returns the milliseconds until the end of the response. */
export async function putFile(url: string, bytes: number): Promise<number> {
  const started = performance.now()
  const call = request(url, { method: 'PUT', agent: false, headers: { 'content-length': bytes } })
  const answered = once(call, 'response') as Promise<[IncomingMessage]>
  for (let left = bytes; left > 0; left -= chunk.length) {
    if (!call.write(left >= chunk.length ? chunk : chunk.subarray(0, left))) {
      await Promise.race([once(call, 'drain'), answered])
    }
  }
  call.end()
  const [answer] = await answered
  answer.resume()
  await once(answer, 'end')
  if (answer.statusCode !== 200) throw new Error(`PUT answered ${answer.statusCode}`)
  return performance.now() - started
}
