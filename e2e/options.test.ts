import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { anonymous, describeLocally, main, someClient } from './accounts.ts'
import { expectError, expectJson, expectSubmitResult } from './expectations.ts'
import { filesHolding } from './leftovers.ts'
import { type ApiDescription, type Schema, validatorOf } from './openapi.ts'
import { requirement } from './requirements.ts'
import { bytesOf, type Pair, upload } from './service.ts'

const client = someClient()

const submit = (options: unknown, pair = 'docx-to-pdf', headers = {}) =>
  client.submit({ pair, bytes: 8, options }, headers)

const described = async (pair: string) => {
  const answer = await anonymous.get(`/v1/formats/${pair}`)
  expect(answer.status, answer.text).toBe(200)
  expectJson(answer)
  return answer.body as Pair & { options: Schema }
}

// Nothing can be asked of these.
const takesNone = /^(?:rtf-to-(?:docx|odt|txt)|(?:epub|odt|fodt)-to-txt)$/

describe('options', () => {
  test(`${requirement('options.none-needed')} may be left out or be empty`, async () => {
    expectSubmitResult(await client.submit({ pair: 'docx-to-pdf', bytes: 8 }), 201)
    const key = { 'idempotency-key': randomUUID() }
    expectSubmitResult(await submit({}, 'docx-to-pdf', key), 201)
    expectSubmitResult(await client.submit({ pair: 'docx-to-pdf', bytes: 8 }, key), 200)
  })

  test.each([[null], ['pages'], [3], [true], [[]], [['pages']]])(
    `${requirement('options.object')} are an object, not %j`,
    async (options) => {
      expect(expectError(await submit(options), 'bad-request')).toContain('options')
    },
  )

  test(`${requirement('options.unknown')} that are unknown are named, with those that are known`, async () => {
    const sentence = expectError(await submit({ pages: '1', colour: 'red' }), 'bad-request')
    expect(sentence).toMatch(/`colour` is not an option of docx-to-pdf/)
    for (const name of Object.keys((await described('docx-to-pdf')).options.properties ?? {}))
      expect(sentence).toContain(`\`${name}\``)
    expect(expectError(await submit({ height: 90 }), 'bad-request')).toContain('`height`')
    const odd = expectError(await submit({ ['x'.repeat(5000)]: 1 }), 'bad-request')
    expect(odd.length).toBeLessThan(600)
    for (const name of ['constructor', 'toString', '', '<b>\n'])
      expectError(await submit({ [name]: '1' }), 'bad-request')
    expectError(await submit({ pages: '1' }, 'foo-to-bar'), 'unknown-pair')
  })

  test(`${requirement('options.wrong-value')} with a wrong value get the sentence of the option`, async () => {
    const { pairs } = (await anonymous.formats()).body as { pairs: Pair[] }
    const seen = new Set<string>()
    for (const { pair } of pairs)
      for (const [name, schema] of Object.entries((await described(pair)).options.properties ?? {})) {
        const isNew = !seen.has(name + schema.description)
        seen.add(name + schema.description)
        if (!isNew) continue
        const wrong = schema.type === 'string' ? 7 : 'wrong'
        const sentence = expectError(await submit({ [name]: wrong }, pair), 'bad-request')
        expect(sentence, pair).toMatch(new RegExp(`^The option \`${name}\` must be \\S.*\\.$`))
      }
    expect(seen.size).toBeGreaterThan(30)
    expect(expectError(await submit({ pages: '3-1' }), 'bad-request')).toContain('rising order')
    const turned = await submit({ start: 3, end: 2 }, 'mp4-to-webm')
    expect(expectError(turned, 'bad-request')).toContain('`end` must be later')
  }, 60_000)

  test(`${requirement('options.other-fields')} do not affect other fields`, async () => {
    const body = { pair: 'docx-to-pdf', bytes: 8, pages: '1', colour: 'red' }
    expectSubmitResult(await client.submit(body), 201)
  })

  test(`${requirement('options.replay')} belong to what a replay must equal`, async () => {
    const key = { 'idempotency-key': randomUUID() }
    const options = { pages: '1-2', pdfa: '2b' }
    const { jobId } = expectSubmitResult(await submit(options, 'docx-to-pdf', key), 201)
    const swapped = await submit({ pdfa: '2b', pages: '1-2' }, 'docx-to-pdf', key)
    expect(expectSubmitResult(swapped, 200).jobId).toBe(jobId)
    for (const other of [undefined, {}, { pages: '1-2' }, { ...options, pages: '1-3' }])
      expectError(await submit(other, 'docx-to-pdf', key), 'idempotency-mismatch')
    const plain = { 'idempotency-key': randomUUID() }
    expectSubmitResult(await submit(undefined, 'docx-to-pdf', plain), 201)
    expectError(await submit(options, 'docx-to-pdf', plain), 'idempotency-mismatch')
  })

  test(`${requirement('options.described')} of every pair are described beside its seven fields`, async () => {
    const { pairs } = (await anonymous.formats()).body as { pairs: Pair[] }
    const check = validatorOf({ openapi: '3.1.0', info: { version: '' }, paths: {}, webhooks: {} })
    for (const listed of pairs) {
      const { options, ...fields } = await described(listed.pair)
      expect(fields).toEqual(listed)
      expect(options).toMatchObject({ type: 'object', additionalProperties: false })
      const entries = Object.entries(options.properties ?? {})
      expect(entries.length > 0, listed.pair).toBe(!takesNone.test(listed.pair))
      for (const [name, schema] of entries) {
        expect(schema.description, name).toMatch(/^\S.*\.$/)
        for (const example of (schema.examples as unknown[] | undefined) ?? [])
          expect(check(options, { [name]: example }), `${listed.pair} ${name}`).toEqual([])
      }
    }
  })

  test(`${requirement('options.described')} are taken as their examples say, all of a pair at once`, async () => {
    const kinds = [
      'docx-to-pdf',
      'pptx-to-pdf',
      'html-to-pdf',
      'md-to-pdf',
      'docx-to-md',
      'pdf-to-md',
      'mp4-to-webm',
      'mp4-to-gif',
    ]
    for (const pair of kinds) {
      const entries = Object.entries((await described(pair)).options.properties ?? {})
      const examples = entries.map(([name, { examples }]) => [
        name,
        (examples as unknown[] | undefined)?.[0] ?? 'x',
      ])
      const { maxBytes: _, ...options } = Object.fromEntries(examples) as Record<string, unknown>
      expectSubmitResult(await submit(options, pair), 201)
    }
  })

  test(`${requirement('options.pair-404')} of a pair that is not offered are not there`, async () => {
    for (const pair of ['png-to-jpg', 'foo-to-bar', 'md', 'constructor', '%00', 'docx-to-pdf%2F'])
      expectError(await anonymous.get(`/v1/formats/${pair}`), 'not-found')
  })

  test(`${requirement('options.in-openapi')} are in the description of the interface`, async () => {
    const description = (await anonymous.get('/openapi.json')).body as ApiDescription
    const { Options, SubmitRequest } = description.components?.schemas ?? {}
    expect(SubmitRequest?.properties?.options).toEqual({ $ref: '#/components/schemas/Options' })
    const { pairs } = (await anonymous.formats()).body as { pairs: Pair[] }
    const all = new Set<string>()
    for (const { pair } of pairs)
      for (const name of Object.keys((await described(pair)).options.properties ?? {})) all.add(name)
    expect(new Set(Object.keys(Options?.properties ?? {}))).toEqual(all)
  })
})

describeLocally('a password', () => {
  test(`${requirement('options.secret-sealed', 'options.secret-unseen')} is in no file of the service, nor in an answer`, async () => {
    const password = `horse ${randomUUID()}`
    const file = bytesOf('%PDF-')
    const answer = await submit({ password }, 'pdf-to-md')
    const { jobId, uploadUrl } = expectSubmitResult(answer, 201)
    const holding = () => filesHolding(main.dataDir ?? '', bytesOf(password), 'everywhere')
    expect(await holding()).toEqual([])
    await upload(uploadUrl, new Uint8Array([...file, 1, 2, 3]))
    const job = await client.ended(jobId)
    expect(job.status).toBe('failed')
    expect(answer.text + JSON.stringify(job)).not.toContain(password)
    expect(await holding()).toEqual([])
  })
})
