import fc from 'fast-check'
import { changed, headerText, methods, oddHeaders, queries, segments } from './fuzz-parts.ts'
import { almostFitting, fitting, junkBodies } from './fuzz-values.ts'
import type { ApiDescription } from './openapi.ts'

// Requests of every kind, as data: fuzz.test.ts sends them and checks the responses.

export interface FuzzRequest {
  kind: 'submit' | 'other'
  /** The request is as it should be: it must be accepted, or refused for a limit. */
  sound: boolean
  /** The only answers that the request may get, where that is known. */
  answers?: readonly number[]
  method: string
  /** From the root of the origin, already escaped. */
  path: string
  headers: [string, string][]
  body: string | Uint8Array | null
}

export interface Ground {
  description: ApiDescription
  prefix: string
  key: string
  pairs: readonly { pair: string; freeMaxBytes: number }[]
  /** Paths with query of real upload and download links. */
  links: readonly string[]
  jobIds: readonly string[]
}

export const fuzzRequests = (ground: Ground): fc.Arbitrary<FuzzRequest> => {
  const { description, prefix, key } = ground
  const schema =
    description.paths['/v1/conversions']?.post?.requestBody?.content?.['application/json']?.schema
  if (schema === undefined) throw new Error('the description has no body for the submit')
  const known = {
    pair: fc.constantFrom(...ground.pairs.map(({ pair }) => pair)),
    // Which ones there are depends on the pair.
    options: fc.constant({}),
    bytes: fc.integer({ min: 1, max: Math.min(...ground.pairs.map(({ freeMaxBytes }) => freeMaxBytes)) }),
  }
  const submitPath = `${prefix}/v1/conversions`
  const credentials: [string, string] = ['authorization', `Bearer ${key}`]
  const json: [string, string] = ['content-type', 'application/json']
  const knownPaths = [
    submitPath,
    `${prefix}/v1/formats`,
    `${prefix}/v1/usage`,
    `${prefix}/openapi.json`,
    ...ground.jobIds.map((id) => `${submitPath}/${id}`),
  ]

  const submit = (
    sound: boolean,
    bodies: fc.Arbitrary<string | Uint8Array>,
    more: fc.Arbitrary<[string, string][]> = fc.constant([]),
    type: fc.Arbitrary<[string, string]> = fc.constant(json),
    who: fc.Arbitrary<[string, string][]> = fc.constant([credentials]),
  ): fc.Arbitrary<FuzzRequest> =>
    fc.tuple(bodies, more, type, who).map(([body, headers, contentType, by]) => ({
      kind: 'submit',
      sound,
      method: 'POST',
      path: submitPath,
      headers: [...by, contentType, ...headers],
      body,
    }))

  const sound = fitting(description, schema, known).map((value) => JSON.stringify(value))
  const tooLarge = fc
    .tuple(fc.constantFrom(...ground.pairs), fc.integer({ min: 1, max: 2 ** 40 }))
    .map(([{ pair, freeMaxBytes }, over]) => JSON.stringify({ pair, bytes: freeMaxBytes + over }))
  const almost = almostFitting(description, schema, known).map((value) => JSON.stringify(value))
  const soundKeys = fc
    .constantFrom('k1', 'k2', 'k3', 'k4')
    .map((text): [string, string][] => [['idempotency-key', text]])
  const oddKeys = headerText.map((text): [string, string][] => [['idempotency-key', text]])
  const oddTypes = headerText.map((text): [string, string] => ['content-type', text])
  const oddCredentials = fc
    .oneof(
      changed(credentials[1]),
      headerText,
      headerText.map((text) => `Bearer ${text}`),
    )
    .map((text): [string, string][] => [['authorization', text]])
  const twiceCredentials = headerText.map((text): [string, string][] => [
    credentials,
    ['authorization', text],
  ])

  /** A sound submit with one of its headers twice, the second time in another place, spelling or value. */
  const twice = fc
    .tuple(
      sound,
      fc.constantFrom(
        credentials,
        json,
        ['host', 'elsewhere.example'] as const,
        ['idempotency-key', 'k1'] as const,
      ),
      fc.option(headerText),
      fc.boolean(),
      fc.boolean(),
    )
    .map(([body, [name, value], other, first, upper]): FuzzRequest => {
      const keyed: [string, string][] = [credentials, json, ['idempotency-key', 'k1']]
      const again: [string, string] = [upper ? name.toUpperCase() : name, other ?? value]
      const headers = first ? [again, ...keyed] : [...keyed, again]
      return {
        kind: 'submit',
        sound: false,
        answers: [400, 401],
        method: 'POST',
        path: submitPath,
        headers,
        body,
      }
    })

  /** A link with one of its fields duplicated, or with an additional field, in any position and spelling. */
  const widened = fc
    .tuple(
      fc.constantFrom(...ground.links),
      fc.constantFrom('bytes', 'expires', 'name', 'type', 'signature', 'more'),
      fc.oneof(fc.constantFrom('1', '4000000', '99999999999', 'evil.exe', '%0a', '%ff', '+', ''), headerText),
      fc.nat(6),
      fc.constantFrom('&', '?', ';'),
      fc.boolean(),
    )
    .map(([link, name, value, at, separator, escaped]): FuzzRequest => {
      const [address = '', query = ''] = link.split('?')
      const spelt = escaped ? name.replace(/^./, (c) => `%${c.charCodeAt(0).toString(16)}`) : name
      const fields = query.split('&')
      const place = Math.min(at, fields.length)
      const before = fields.slice(0, place).join('&')
      const after = fields.slice(place).join('&')
      const added = `${spelt}=${encodeURI(value)}`
      const whole = [before, added].filter((part) => part !== '').join(separator)
      const path = `${address}?${[whole, after].filter((part) => part !== '').join('&')}`
      const isUpload = address.includes('/in/')
      return {
        kind: 'other',
        sound: false,
        answers: [403],
        method: isUpload ? 'PUT' : 'GET',
        path,
        headers: [],
        body: isUpload ? 'x'.repeat(50) : null,
      }
    })

  /** The same JSON in bytes that are not UTF-8, or that declare another encoding. */
  const oddlyEncoded = sound.chain((text) =>
    fc.constantFrom<Uint8Array>(
      Buffer.from(text, 'utf16le'),
      Buffer.from(`\ufeff${text}`, 'utf16le').swap16(),
      Buffer.from(text.replace('{', '{"naïve":1,'), 'latin1'),
      Buffer.from(text.replace('{', '{"ż":"\ud800",')),
      Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text)]),
      Buffer.concat([Buffer.from(text), Buffer.from([0])]),
    ),
  )
  const oddCharsets = fc
    .constantFrom('utf-16', 'utf-8; charset=latin1', 'iso-8859-1', '"utf-8"', '', 'x'.repeat(300))
    .map((name): [string, string] => ['content-type', `application/json; charset=${name}`])
  const oddContentEncodings = fc
    .constantFrom('gzip', 'br', 'identity', 'deflate, gzip', 'x-what')
    .map((name): [string, string][] => [['content-encoding', name]])

  const other = (
    method: fc.Arbitrary<string>,
    path: fc.Arbitrary<string>,
    body: fc.Arbitrary<string | null> = fc.constant(null),
  ): fc.Arbitrary<FuzzRequest> =>
    fc
      .tuple(method, path, queries, oddHeaders, fc.boolean(), body)
      .filter(([verb, where]) => !(verb === 'POST' && where === submitPath))
      .map(([verb, where, query, headers, known, text]) => ({
        kind: 'other',
        sound: false,
        method: verb,
        path: where.includes('?') ? where : where + query,
        headers: [...(known ? [credentials] : []), ...(text === null ? [] : [json]), ...headers],
        body: text,
      }))

  const bodies = fc.option(junkBodies)
  const id = fc.oneof(fc.constantFrom(...ground.jobIds), segments, changed(ground.jobIds[0] ?? 'x'))
  return fc.oneof(
    { weight: 10, arbitrary: submit(true, sound) },
    { weight: 6, arbitrary: submit(true, sound, soundKeys) },
    { weight: 5, arbitrary: submit(false, sound, oddKeys) },
    { weight: 5, arbitrary: submit(false, sound, oddHeaders, oddTypes) },
    { weight: 5, arbitrary: submit(false, sound, oddHeaders, fc.constant(json), oddCredentials) },
    { weight: 2, arbitrary: submit(false, sound, oddHeaders, fc.constant(json), twiceCredentials) },
    { weight: 3, arbitrary: submit(false, tooLarge, oddKeys) },
    { weight: 5, arbitrary: twice },
    { weight: 7, arbitrary: widened },
    { weight: 4, arbitrary: submit(false, oddlyEncoded, oddContentEncodings, oddCharsets) },
    { weight: 2, arbitrary: submit(false, sound, oddContentEncodings, oddCharsets) },
    { weight: 22, arbitrary: submit(false, almost, oddHeaders) },
    { weight: 12, arbitrary: submit(false, junkBodies, oddHeaders) },
    {
      weight: 10,
      arbitrary: other(
        fc.constant('GET'),
        id.map((text) => `${submitPath}/${text}`),
      ),
    },
    { weight: 8, arbitrary: other(fc.constantFrom(...methods), fc.constantFrom(...knownPaths), bodies) },
    {
      weight: 8,
      arbitrary: other(
        fc.constantFrom('GET', 'POST', 'PUT'),
        fc
          .tuple(fc.constantFrom('', prefix), fc.array(segments, { maxLength: 5 }))
          .map(([start, parts]) => `${start}/${parts.join('/')}`),
        bodies,
      ),
    },
    {
      weight: 7,
      arbitrary: other(
        fc.constantFrom('GET', 'HEAD', 'PUT', 'POST', 'DELETE'),
        fc.constantFrom(...ground.links).chain((link) => changed(link.slice(1)).map((text) => `/${text}`)),
        bodies,
      ),
    },
  )
}
