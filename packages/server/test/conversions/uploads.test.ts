import { createHash } from 'node:crypto'
import { connect } from 'node:net'
import { PassThrough, Readable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { createAcceptUpload } from '../../src/conversions/accept-upload.ts'
import { inputObject } from '../../src/storage/object-names.ts'
import { noTracing } from '../../src/telemetry/tracing.ts'
import { useService } from '../support/service.ts'

const service = useService()
const submit = async (bytes: number) => {
  const answer = await service.call('/v1/conversions', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ pair: 'md-to-html', bytes }),
  })
  return (await answer.json()) as { jobId: string; uploadUrl: string }
}
const statusOf = async (jobId: string) => (await service.poll(jobId)).status

/** Opens a PUT over a new socket and sends a part of the body. */
async function beginPut(url: string, length: number, part: string) {
  const { hostname, port, pathname, search } = new URL(url)
  const socket = connect(Number(port), hostname)
  let answer = ''
  socket.on('data', (data) => {
    answer += data
  })
  socket.on('error', () => {})
  socket.write(
    `PUT ${pathname}${search} HTTP/1.1\r\nhost: ${hostname}\r\ncontent-length: ${length}\r\n\r\n${part}`,
  )
  return { socket, answer: () => answer }
}

describe('uploads of one job', () => {
  test('are taken one at a time; the body of the second is read when the first has ended', async () => {
    const size = 4 * 1024 * 1024
    const { jobId, uploadUrl } = await submit(size)
    const first = await beginPut(uploadUrl, size, 'a'.repeat(1000))
    await expect.poll(() => service.filesIn('part')).toHaveLength(1)
    const others = await Promise.all(
      Array.from({ length: 8 }, () => beginPut(uploadUrl, size, 'b'.repeat(size))),
    )
    await delay(500)
    expect(await service.filesIn('part')).toHaveLength(1)
    first.socket.destroy()
    // The first broke off; one of the others is taken.
    await expect.poll(() => service.storage.size(inputObject(jobId)), { timeout: 15_000 }).toBe(size)
    await expect
      .poll(() => others.every((other) => other.answer().startsWith('HTTP/1.1 200')), { timeout: 15_000 })
      .toBe(true)
    expect(await service.filesIn('part')).toEqual([])
    for (const { socket } of others) socket.destroy()
  }, 40_000)

  test('that break off leave the job waiting for another, and no word of the database', async () => {
    const { jobId, uploadUrl } = await submit(1000)
    const put = await beginPut(uploadUrl, 1000, 'half')
    await expect.poll(() => service.filesIn('part')).toHaveLength(1)
    put.socket.resetAndDestroy()
    await expect.poll(() => service.filesIn('part')).toEqual([])
    expect(await statusOf(jobId)).toBe('queued')
    const text = createHash('sha512').update('x').digest('hex').repeat(8).slice(0, 1000)
    expect((await fetch(uploadUrl, { method: 'PUT', body: text })).status).toBe(200)
  })
})

describe('an upload that trickles', () => {
  const accept = (pace = { bytes: 100, milliseconds: 200 }) =>
    createAcceptUpload({
      database: service.database,
      queue: service.queue,
      reserve: service.storage.reserve,
      tracing: noTracing,
      pace,
    })

  test('is ended with 408 once it is below the least pace; the job waits for another', async () => {
    const { jobId } = await submit(10_000)
    const body = new PassThrough()
    const trickle = setInterval(() => body.write('x'), 20)
    const upload = { jobId, declaredBytes: 10_000, contentLength: 10_000, openBody: () => body }
    await expect(accept()(upload)).rejects.toMatchObject({ code: 'request-timeout' })
    clearInterval(trickle)
    expect(body.destroyed).toBe(false)
    expect(await service.filesIn('part')).toEqual([])
    expect(await statusOf(jobId)).toBe('queued')
  })

  test('is ended with 408, too, while its bytes are being written', async () => {
    const { jobId } = await submit(10_000)
    const body = new Readable({ read: () => body.push(Buffer.alloc(64 * 1024)) })
    const upload = { jobId, declaredBytes: 10_000, contentLength: 10_000, openBody: () => body }
    const neverFastEnough = { bytes: Number.MAX_SAFE_INTEGER, milliseconds: 20 }
    await expect(accept(neverFastEnough)(upload)).rejects.toMatchObject({ code: 'request-timeout' })
    body.destroy()
    expect(await service.filesIn('part')).toEqual([])
  })

  test('is taken when it is slow but moves', async () => {
    const { jobId } = await submit(3000)
    const body = Readable.from(
      (async function* () {
        for (let n = 0; n < 30; n++) {
          yield Buffer.alloc(100, 'y')
          await delay(30)
        }
      })(),
      { objectMode: false },
    )
    const upload = { jobId, declaredBytes: 3000, contentLength: 3000, openBody: () => body }
    expect(await accept()(upload)).toMatchObject({ tag: expect.any(String) })
    expect(await service.storage.size(inputObject(jobId))).toBe(3000)
  })
})
