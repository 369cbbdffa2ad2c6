import {
  adviceOnCode,
  type ErrorCode,
  errorCodes,
  type Job,
  type Report,
  type SubmitRequest,
  type SubmitResult,
  type UsageSnapshot,
} from '@kiln/contract'
import { optionsSchema, type Pair } from '@kiln/converter/catalog'
import { describePair } from './formats.ts'
import { errorResponses } from './schemas.ts'

// Parts of the description that are not in the route schemas: examples, the upload to a presigned link, and the
// webhook.

// Example bodies of the OpenAPI document and the API reference, by operation and status.

const jobId = '0b1f6c52-3f8e-4d55-9c0e-8f6d0b0f6f11'

const submitRequest: SubmitRequest = { pair: 'md-to-html', bytes: 1024 }

const submitResult = (publicUrl: string, prefix: string): SubmitResult => ({
  jobId,
  uploadUrl: `${publicUrl}/files/in/${jobId}?bytes=1024&expires=1794907800&signature=…`,
  pollUrl: `${prefix}/v1/conversions/${jobId}`,
})

const job = (publicUrl: string): Job => ({
  jobId,
  status: 'done',
  downloadUrl: `${publicUrl}/files/out/${jobId}.1?expires=1794911400&signature=…`,
  error: null,
  expiresAt: '2026-11-17T10:30:00.000Z',
})

const counts = { bytes: null, pages: null, words: null, pictures: null, seconds: null }

const report: Report = {
  jobId,
  status: 'done',
  pair: 'docx-to-pdf',
  engine: { name: 'libreoffice', version: '25.2' },
  seconds: 0.84,
  input: { ...counts, bytes: 48_210, words: 2410, pictures: 3 },
  output: { ...counts, bytes: 91_377, pages: 6, words: 2410, pictures: 3 },
  encoding: null,
  fonts: [{ font: 'Calibri', by: 'Carlito', widths: 'same' }],
  recognized: null,
  leftOut: [{ what: 'macros', count: 1 }],
  streams: [],
  warnings: ['The macros of the document are not in the output.'],
  more: { fonts: 0, leftOut: 0, streams: 0, warnings: 0 },
}

const usage: UsageSnapshot = {
  freeTier: { jobsPerMonth: 50, jobsRemaining: 38 },
  creditsBalance: 120,
  currentWindow: { windowStart: '2026-11-01T00:00:00.000Z', account: { jobs: 12, bytes: 4_812_345 } },
}

const eventExample = {
  type: 'conversion.failed',
  timestamp: '2026-11-17T09:30:00.000Z',
  data: { jobId, pair: 'docx-to-pdf', status: 'failed', error: 'corrupt-input: The file is damaged.' },
}

export interface OperationExamples {
  request?: unknown
  responses: Readonly<Record<string, unknown>>
}

/** By `operationId`. Operations that are missing here have no body, or one that is generated from a table. */
function operationExamples(publicUrl: string, prefix: string): Record<string, OperationExamples> {
  const submitted = submitResult(publicUrl, prefix)
  return {
    submitConversion: {
      request: submitRequest,
      responses: { 201: submitted, 200: { ...submitted, idempotent: true } },
    },
    getConversion: { responses: { 200: job(publicUrl) } },
    getReport: { responses: { 200: report } },
    getUsage: { responses: { 200: usage } },
  }
}

interface Media {
  schema?: unknown
  example?: unknown
  examples?: Record<string, { value: unknown }>
}

interface Message {
  description?: string
  headers?: Record<string, unknown>
  content?: Record<string, Media>
}

export interface Operation {
  operationId: string
  summary: string
  description?: string
  tags: readonly string[]
  security?: readonly object[]
  parameters?: readonly Parameter[]
  requestBody?: Message
  responses: Record<string, Message>
}

export interface Parameter {
  name: string
  in: string
  description?: string
  required?: boolean
  schema: unknown
}

export interface Address {
  publicUrl: string
  prefix: string
}

type Paths = Record<string, Record<string, Operation>>

/** Adds an example to every body. Error responses have one per code. */
export function addExamples(paths: Paths, { publicUrl, prefix }: Address, pairs: readonly Pair[]): void {
  const known = { ...operationExamples(publicUrl, prefix), ...formatExamples(pairs) }
  for (const operation of Object.values(paths).flatMap((methods) => Object.values(methods))) {
    const examples = known[operation.operationId]
    setExample(operation.requestBody, examples?.request)
    for (const [status, response] of Object.entries(operation.responses)) {
      if (Number(status) >= 400) addErrorExamples(response)
      else setExample(response, examples?.responses[status])
    }
  }
}

function formatExamples(pairs: readonly Pair[]): ReturnType<typeof operationExamples> {
  const pair = pairs.find(({ slug }) => slug === 'md-to-html') ?? pairs[0]
  if (!pair) return {}
  const described = describePair(pair)
  return {
    listFormats: { responses: { 200: { pairs: [described] } } },
    describePair: { responses: { 200: { ...described, options: optionsSchema(pair) } } },
  }
}

function setExample(message: Message | undefined, example: unknown): void {
  const media = message?.content?.['application/json']
  if (media && example !== undefined) media.example = example
}

function addErrorExamples(response: Message): void {
  const media = response.content?.['application/json']
  if (!media) return
  const exampleOf = (code: ErrorCode) => ({ value: { error: adviceOnCode[code].meaning, code } })
  media.examples = Object.fromEntries(codesOf(response).map((code) => [code, exampleOf(code)]))
}

/** The error codes that the description of an error response lists. */
const codesOf = ({ description = '' }: Message): ErrorCode[] =>
  errorCodes.filter((code) => description.includes(`\`${code}\``))

/** The upload operation, at the address of the service's own storage. */
export function uploadPath({ publicUrl }: Address): Record<string, unknown> {
  const query = (name: string, type: string) => ({
    name,
    in: 'query',
    required: true,
    description: 'Part of the link.',
    schema: { type },
  })
  const put: Operation = {
    operationId: 'uploadFile',
    summary: 'Upload the file to the presigned link',
    description:
      'Send the bytes of the file to `uploadUrl` of the submit, exactly as given and without the API key. Where the service stores files in a bucket, `uploadUrl` is a link of the bucket and takes the same request.',
    tags: ['Conversions'],
    security: [],
    parameters: [
      { name: 'job', in: 'path', required: true, description: 'The `jobId`.', schema: { type: 'string' } },
      query('bytes', 'integer'),
      query('expires', 'integer'),
      query('signature', 'string'),
    ],
    requestBody: {
      description: 'The file: exactly as many bytes as were declared, of any content type.',
      content: { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } },
    },
    responses: {
      200: {
        description: 'The file is stored, and the job is queued.',
        headers: { ETag: { schema: { type: 'string' }, description: 'Identifies the stored file.' } },
      },
      ...uploadErrors(),
    },
  }
  return { servers: [{ url: publicUrl }], put }
}

function uploadErrors(): Record<string, Message> {
  const responses = errorResponses(
    ...(['size-mismatch', 'forbidden', 'not-found', 'request-timeout', 'length-required'] as const),
  ) as unknown as Record<string, { description: string; headers?: Record<string, object> }>
  return Object.fromEntries(
    Object.entries(responses).map(([status, { description, headers = {} }]) => {
      const described = Object.entries(headers).map(([name, schema]) => [name, { schema }])
      return [
        status,
        {
          description,
          headers: Object.fromEntries(described),
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
        },
      ]
    }),
  )
}

export const webhookEventSchema = {
  type: 'object',
  properties: {
    type: { type: 'string', enum: ['conversion.done', 'conversion.failed'] },
    timestamp: { type: 'string', description: 'When the job ended (ISO 8601, UTC).' },
    data: {
      type: 'object',
      properties: {
        jobId: { type: 'string', description: 'Id of the job.' },
        pair: { type: 'string', description: 'Slug of the pair.' },
        status: { type: 'string', enum: ['done', 'failed'] },
        error: { type: ['string', 'null'], description: 'Why the job failed, as in the job.' },
      },
      required: ['jobId', 'pair', 'status', 'error'],
      additionalProperties: false,
    },
  },
  required: ['type', 'timestamp', 'data'],
  additionalProperties: false,
}

const webhookHeaders: Readonly<Record<string, string>> = {
  'webhook-id': 'The same each time that this event is sent.',
  'webhook-timestamp': 'Seconds since 1970, of this attempt.',
  'webhook-signature':
    '`v1,` and the base64 of HMAC-SHA256 over `id.timestamp.body`, with the bytes behind `whsec_` of the secret. Two, with a space between, while the secret is rotated.',
}

/** The event that an account with a webhook receives. */
export const webhookOperation: Operation = {
  operationId: 'receiveEvent',
  summary: 'Receive the end of a job',
  description:
    'The operator can set a webhook for an account. It receives a POST for each job that ends, at least once, signed after the Standard Webhooks convention. Verify the signature, answer with 2xx, then read the job with your key. An event that is not accepted is sent again, for about a day.',
  tags: ['Webhooks'],
  security: [],
  parameters: Object.entries(webhookHeaders).map(([name, description]) => ({
    name,
    in: 'header',
    required: true,
    description,
    schema: { type: 'string' },
  })),
  requestBody: {
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/WebhookEvent' },
        example: eventExample,
      },
    },
  },
  responses: {
    '2XX': { description: 'The event is accepted.' },
    '4XX': { description: 'The event is not accepted, and is sent again later.' },
  },
}
