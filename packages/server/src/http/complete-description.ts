import { adviceOnCode, type ErrorCode, errorCodes } from '@kiln/contract'
import { optionsSchema, type Pair } from '@kiln/converter/catalog'
import { errorResponses } from './error-responses.ts'
import { eventExample, operationExamples } from './examples.ts'
import { describePair } from './formats.ts'

// Parts of the description that are not in the route schemas: examples, the upload to a presigned link, and the
// webhook.

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
