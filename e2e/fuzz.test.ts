// @module-tag slow

import { Agent as PlainAgent, request as requestPlain } from 'node:http'
import { request as requestSecure, Agent as SecureAgent } from 'node:https'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { main, ownClient } from './accounts.ts'
import { statusOfCode } from './expectations.ts'
import { type FuzzRequest, fuzzRequests, type Ground } from './fuzz-requests.ts'
import { type ApiDescription, validatorOf } from './openapi.ts'
import { exchange, head, openRaw } from './raw-http.ts'
import { requirement } from './requirements.ts'
import { bytesOf, type Client, type Pair, type Usage } from './service.ts'

// Thousands of valid and invalid requests, generated from the service's API description. For every request: no 5xx,
// every refusal has the error body with a known code and a request id, every response matches its description, and the
// account's usage changes only with accepted submits. The seed is fixed, so a failure can be reproduced; fast-check
// prints it with the smallest case found.
const seed = Number(process.env.KILN_E2E_SEED ?? 20261)
const requests = 2200

const secure = main.baseUrl.startsWith('https:')
const agent = secure ? new SecureAgent({ keepAlive: true }) : new PlainAgent({ keepAlive: true })
afterAll(() => agent.destroy())

interface Plain {
  status: number
  headers: Record<string, string | string[] | undefined>
  text: string
}

const sendFuzz = ({ method, path, headers, body }: FuzzRequest): Promise<Plain> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(main.baseUrl)
    const flat = [['host', new URL(main.baseUrl).host], ...headers].flat()
    if (body !== null) flat.push('content-length', String(Buffer.byteLength(body)))
    const options = { hostname, port, method, path, headers: flat, agent }
    const request = (secure ? requestSecure : requestPlain)(options, (response) => {
      const parts: Buffer[] = []
      response.on('data', (chunk: Buffer) => parts.push(chunk))
      response.on('error', reject)
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text: Buffer.concat(parts).toString(),
        }),
      )
    })
    request.on('error', reject)
    request.end(body ?? undefined)
  })

const expectWellRefused = (answer: Plain, method: string): void => {
  expect(answer.status, answer.text).toBeLessThan(500)
  expect(answer.headers['request-id']).toEqual(expect.stringMatching(/^\S+$/))
  if (answer.status < 400 || method === 'HEAD') return
  expect(answer.headers['content-type']).toMatch(/^application\/json/)
  const body = JSON.parse(answer.text) as { code: string }
  expect(body).toEqual({ error: expect.stringMatching(/\S{2}/), code: expect.any(String) })
  expect(statusOfCode[body.code], body.code).toBe(answer.status)
}

describe('fuzz', () => {
  let client: Client
  let ground: Ground
  let usage: Usage
  let waitingIsDeleted = false

  beforeAll(async () => {
    client = await ownClient()
    const { pairs } = (await client.formats()).body as { pairs: Pair[] }
    const text = bytesOf('# Fuzz\n')
    const done = await client.run('md-to-html', text)
    const waiting = await client.job('md-to-html', text.length)
    const pathOf = (url: string) => new URL(url).pathname + new URL(url).search
    ground = {
      description: (await client.get('/openapi.json')).body as ApiDescription,
      prefix: client.prefix,
      key: client.key ?? '',
      pairs,
      links: [pathOf(waiting.uploadUrl), pathOf(done.downloadUrl ?? '')],
      jobIds: [waiting.jobId, done.jobId],
    }
    usage = await client.readUsage()
  })

  /** Updates the expected usage after a response. */
  const book = ({ method, body, path }: FuzzRequest, answer: Plain): void => {
    // The waiting job was free, and is refunded with its first deletion.
    if (
      answer.status === 204 &&
      method === 'DELETE' &&
      !waitingIsDeleted &&
      path.includes(ground.jobIds[0] ?? '')
    ) {
      waitingIsDeleted = true
      usage.freeTier.jobsRemaining += 1
    }
    if (answer.status !== 201) return
    const text = Buffer.from(body ?? '{}').toString()
    const { pair, bytes } = JSON.parse(text.replace(/^\ufeff/, '')) as { pair: string; bytes: number }
    const cost = (ground.pairs as Pair[]).find((each) => each.pair === pair)?.costCredits ?? Number.NaN
    const free = usage.freeTier.jobsRemaining > 0
    usage.currentWindow.account.jobs += 1
    usage.currentWindow.account.bytes += bytes
    if (free) usage.freeTier.jobsRemaining -= 1
    else usage.creditsBalance -= cost
  }

  test(`${requirement('order.refusal-moves-no-meter', 'errors.exact-body', 'errors.code-to-branch-on', 'errors.request-id', 'server-error.error-body')} ${requests} requests (seed ${seed})`, async () => {
    const check = validatorOf(ground.description)
    const tally = new Map<number, number>()
    const described = ground.description.paths['/v1/conversions']?.post?.responses ?? {}
    await fc.assert(
      fc.asyncProperty(fuzzRequests(ground), async (request) => {
        const answer = await sendFuzz(request)
        tally.set(answer.status, (tally.get(answer.status) ?? 0) + 1)
        expectWellRefused(answer, request.method)
        if (request.answers) expect(request.answers, answer.text).toContain(answer.status)
        book(request, answer)
        if (request.kind !== 'submit') return
        const schema = described[String(answer.status)]?.content?.['application/json']?.schema
        expect(schema, `${answer.status} is not described`).toBeDefined()
        if (schema !== undefined) expect(check(schema, JSON.parse(answer.text))).toEqual([])
        if (request.sound) expect([200, 201, 402, 422, 429]).toContain(answer.status)
        expect(await client.readUsage()).toEqual(usage)
      }),
      { numRuns: requests, seed, markInterruptAsFailure: true, interruptAfterTimeLimit: 280_000 },
    )
    const sent = [...tally.values()].reduce((sum, count) => sum + count, 0)
    expect(sent).toBeGreaterThanOrEqual(2000)
    // The generated requests covered these statuses.
    for (const status of [200, 201, 400, 401, 403, 404, 405, 413, 422])
      expect([...tally.keys()]).toContain(status)
  }, 300_000)

  test(`${requirement('errors.exact-body', 'errors.request-id')} requests with broken bytes in their head (seed ${seed})`, async () => {
    const heads = [
      head('GET', `${main.baseUrl}/v1/formats`, { accept: 'application/json', connection: 'close' }),
      head('POST', `${main.baseUrl}/v1/conversions`, {
        'content-type': 'application/json',
        'content-length': 2,
      }),
      head('PUT', client.origin + (ground.links[0] ?? ''), { 'content-length': 3 }),
    ]
    const broken = fc.tuple(
      fc.constantFrom(...heads),
      fc.array(fc.tuple(fc.nat(400), fc.uint8Array({ maxLength: 3 }), fc.nat(3)), {
        minLength: 1,
        maxLength: 3,
      }),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(broken, { minLength: 1, maxLength: 24, size: 'max' }), async (batch) => {
        await Promise.all(
          batch.map(async ([text, edits]) => {
            let bytes = Buffer.from(text, 'latin1')
            for (const [at, put, cut] of edits) {
              const where = at % bytes.length
              bytes = Buffer.concat([bytes.subarray(0, where), put, bytes.subarray(where + cut)])
            }
            const connection = await openRaw(main.baseUrl)
            await connection.write(bytes)
            // No response is accepted: the service may still wait for the end of the headers.
            const answer = await connection.answer(400)
            connection.destroy()
            if (answer === null) return
            const method = bytes.toString('latin1').split(' ')[0] ?? ''
            expectWellRefused({ ...answer, headers: Object.fromEntries(answer.headers) }, method)
          }),
        )
      }),
      { numRuns: 25, seed },
    )
    const whole = await exchange(main.baseUrl, head('GET', `${main.baseUrl}/v1/formats`))
    expect(whole?.status).toBe(200)
    expect(await client.readUsage()).toEqual(usage)
  }, 120_000)
})
