import {
  type ErrorCode,
  encodingSources,
  errorCodes,
  jobStatuses,
  leftOutKinds,
  statusOfCode,
  streamFates,
  streamKinds,
  widthFits,
} from '@kiln/contract'
import { Type } from 'typebox'

// The interface's resources as JSON Schema: they validate requests, restrict responses to these fields, and become the
// OpenAPI document.

interface Types {
  string: string
  boolean: boolean
  number: number
  integer: number
}

// A list of types, not a union: the serializer would try the members of a union one after the other.
const nullable = <Name extends keyof Types>(type: Name, description: string) =>
  Type.Unsafe<Types[Name] | null>({ type: [type, 'null'], description })

const strict = { additionalProperties: false }

const CountsSchema = Type.Object(
  {
    bytes: nullable('integer', 'Size of the file.'),
    pages: nullable('integer', 'Pages, or slides.'),
    words: nullable('integer', 'Words, where they were counted.'),
    pictures: nullable('integer', 'Pictures.'),
    seconds: nullable('number', 'Length of a video.'),
  },
  { $id: 'Counts', ...strict },
)

const ReplacedFontSchema = Type.Object(
  {
    font: Type.String({ description: 'The font that the document asks for.' }),
    by: nullable('string', 'What took its place; null where several fonts did.'),
    widths: Type.Enum([...widthFits], {
      description: 'Are the letters as wide? Where they are the same, every line breaks as it did.',
    }),
  },
  { $id: 'ReplacedFont', ...strict },
)

const TextEncodingSchema = Type.Object(
  {
    name: Type.String({ description: 'As in the Encoding Standard, such as `shift_jis`.' }),
    confidence: Type.Number({ description: '0 to 1.' }),
    by: Type.Enum([...encodingSources], { description: 'How the encoding was determined.' }),
  },
  { $id: 'TextEncoding', ...strict },
)

const RecognizedTextSchema = Type.Object(
  {
    pages: Type.String({ description: 'Such as `1-3, 7`.' }),
    count: Type.Integer({ description: 'How many pages.' }),
    languages: Type.Array(Type.String(), {
      description: 'Languages that the pages were read in, such as `eng`.',
    }),
    confidence: nullable('number', 'Mean over the words that were kept, 0 to 1.'),
  },
  { $id: 'RecognizedText', ...strict },
)

const LeftOutSchema = Type.Object(
  { what: Type.Enum([...leftOutKinds]), count: Type.Integer() },
  { $id: 'LeftOut', ...strict },
)

const StreamSchema = Type.Object(
  {
    kind: Type.Enum([...streamKinds]),
    codec: Type.String({ description: 'The codec in the file that was sent.' }),
    fate: Type.Enum([...streamFates]),
    as: nullable('string', 'The codec that it was encoded in.'),
  },
  { $id: 'MediaStreamFate', ...strict },
)

const more = (description: string) => Type.Integer({ description })

const ReportSchema = Type.Object(
  {
    jobId: Type.String({ description: 'Id of the job.' }),
    status: Type.Enum(['done', 'failed']),
    pair: Type.String({ description: 'Slug of the pair.' }),
    engine: Type.Unsafe<{ name: string; version: string | null } | null>({
      type: ['object', 'null'],
      description: 'The program that did the work; null where none has.',
      properties: { name: { type: 'string' }, version: { type: ['string', 'null'] } },
      required: ['name', 'version'],
      ...strict,
    }),
    seconds: nullable('number', 'What the conversion took, without upload, waiting and download.'),
    input: Type.Ref('Counts', { description: 'What was sent.' }),
    output: Type.Ref('Counts', { description: 'What was made.' }),
    encoding: Type.Unsafe<unknown>({
      anyOf: [{ $ref: 'TextEncoding' }, { type: 'null' }],
      description: 'The character encoding that a text file was read in; null for other files.',
    }),
    fonts: Type.Array(Type.Ref('ReplacedFont'), { description: 'Fonts that were replaced.' }),
    recognized: Type.Unsafe<unknown>({
      anyOf: [{ $ref: 'RecognizedText' }, { type: 'null' }],
      description: 'Text that was read from pictures of pages.',
    }),
    leftOut: Type.Array(Type.Ref('LeftOut'), { description: 'What is not in the output.' }),
    streams: Type.Array(Type.Ref('MediaStreamFate'), {
      description: 'What became of the streams of a video.',
    }),
    warnings: Type.Array(Type.String(), {
      description: 'Sentences: what to look at before the output is used.',
    }),
    more: Type.Object(
      {
        fonts: more('Further entries of `fonts`.'),
        leftOut: more('Further entries of `leftOut`.'),
        streams: more('Further entries of `streams`.'),
        warnings: more('Further entries of `warnings`.'),
      },
      { description: 'How many further entries each list had.', ...strict },
    ),
  },
  { $id: 'Report', ...strict },
)

const ConversionPairSchema = Type.Object(
  {
    from: Type.String({ description: 'Source format.' }),
    to: Type.String({ description: 'Target format.' }),
    pair: Type.String({
      description: 'Slug; the value to send as `pair` when submitting.',
      examples: ['md-to-docx'],
    }),
    label: Type.String({ description: 'Label for people.' }),
    freeMaxBytes: Type.Integer({ description: 'Size cap of the pair in bytes.' }),
    freeMaxMB: Type.Integer({ description: 'The same cap in megabytes.' }),
    costCredits: Type.Integer({
      description: 'Credits charged per conversion once the free allowance is used.',
    }),
  },
  { $id: 'ConversionPair', ...strict },
)

const FormatsSchema = Type.Object(
  { pairs: Type.Array(Type.Ref('ConversionPair')) },
  { $id: 'Formats', ...strict },
)

const PairDescriptionSchema = Type.Object(
  {
    ...ConversionPairSchema.properties,
    options: Type.Object(
      {},
      { additionalProperties: true, description: 'The options of the pair, as a JSON Schema.' },
    ),
  },
  { $id: 'PairDescription', ...strict },
)

const SubmitRequestSchema = Type.Object(
  {
    pair: Type.String({
      maxLength: 200,
      description: 'Pair slug from `GET /v1/formats`.',
      examples: ['md-to-docx'],
    }),
    bytes: Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'Exact byte length of the file to be uploaded.',
      examples: [1024],
    }),
    // The valid options depend on the pair and are validated with it.
    options: Type.Optional(
      Type.Object({}, { description: 'Options of the pair; `GET /v1/formats/{pair}` describes them.' }),
    ),
  },
  { $id: 'SubmitRequest' },
)

const SubmitResultSchema = Type.Object(
  {
    jobId: Type.String({ description: 'Id of the job.' }),
    uploadUrl: Type.String({ description: 'Presigned URL; send the file bytes to it with PUT.' }),
    pollUrl: Type.String({ description: 'Path of the job; append it to the origin of the base address.' }),
    idempotent: Type.Optional(nullable('boolean', 'Present on replays of an earlier identical submit.')),
  },
  { $id: 'SubmitResult', ...strict },
)

const JobSchema = Type.Object(
  {
    jobId: Type.String({ description: 'Id of the job.' }),
    status: Type.Enum([...jobStatuses], { description: '`done` and `failed` are final.' }),
    downloadUrl: nullable('string', 'Presigned link to the output while the job is `done` and not expired.'),
    error: nullable('string', 'Why the job failed: a stable word, a colon, and a sentence.'),
    expiresAt: nullable('string', 'When the download link and the output expire (ISO 8601, UTC).'),
  },
  { $id: 'Job', ...strict },
)

const UsageSchema = Type.Object(
  {
    freeTier: Type.Object(
      {
        jobsPerMonth: Type.Integer({ description: 'Free conversions per calendar month (UTC).' }),
        jobsRemaining: Type.Integer({ description: 'Free conversions left this month.' }),
      },
      strict,
    ),
    creditsBalance: Type.Number({ description: 'Credit balance of the account.' }),
    currentWindow: Type.Object(
      {
        windowStart: Type.String({ description: 'Start of the billing window (ISO 8601, UTC).' }),
        account: Type.Object(
          {
            jobs: Type.Integer({ description: 'Jobs of the account in this window.' }),
            bytes: Type.Integer({ description: 'Bytes of the account in this window.' }),
          },
          strict,
        ),
      },
      strict,
    ),
  },
  { $id: 'Usage', ...strict },
)

const ErrorSchema = Type.Object(
  {
    error: Type.String({ description: 'Message for people.' }),
    code: Type.Enum([...errorCodes], { description: 'Stable machine code to branch on.' }),
  },
  { $id: 'Error', ...strict },
)

export const allSchemas = [
  ConversionPairSchema,
  FormatsSchema,
  PairDescriptionSchema,
  SubmitRequestSchema,
  SubmitResultSchema,
  JobSchema,
  UsageSchema,
  ErrorSchema,
  CountsSchema,
  TextEncodingSchema,
  ReplacedFontSchema,
  RecognizedTextSchema,
  LeftOutSchema,
  StreamSchema,
  ReportSchema,
] as const

// Every call can return these: malformed HTTP, or an error of the service.
const always: readonly ErrorCode[] = ['bad-request', 'internal', 'unavailable']

const seconds = { type: 'integer', minimum: 1, description: 'In how many seconds to try again.' }
const rateHeaders = {
  RateLimit: { type: 'string', description: 'What is left of the rate (IETF draft).' },
  'RateLimit-Policy': { type: 'string', description: 'The rate of this call (IETF draft).' },
}
export const rateLimited = { headers: rateHeaders }
const headersOf: Readonly<Record<number, object>> = {
  401: { 'WWW-Authenticate': { type: 'string', description: 'Asks for a bearer key.' } },
  429: { 'Retry-After': seconds, ...rateHeaders },
  503: { 'Retry-After': seconds },
}

/** The error responses of a route for the API description: one per status, with the codes of that route. */
export function errorResponses(...codes: readonly ErrorCode[]): Record<number, ReturnType<typeof Type.Ref>> {
  const all = [...always, ...codes]
  return Object.fromEntries(
    all.map((code) => {
      const status = statusOfCode[code]
      const description = all
        .filter((other) => statusOfCode[other] === status)
        .map((other) => `\`${other}\``)
        .join(', ')
      const headers = headersOf[status]
      return [status, Type.Ref('Error', { description, ...(headers ? { headers } : {}) })]
    }),
  )
}
