import type { ErrorCode, SubmitRequest } from '@kiln/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { KilnError } from '../errors.ts'
import type { SpanOptions } from '../telemetry/tracing.ts'
import type { SubmitJob } from './admission.ts'
import { bearerHash, unknownKey } from './authenticate.ts'
import type { KeyCache } from './key-cache.ts'
import { errorResponses, rateLimited } from './schemas.ts'

// POST /v1/conversions. The order of refusals is part of the interface: 401, 400, unknown-pair or client-pair, 413,
// replay, 429, 503 when the queue is full, 402. A valid request takes one round trip, in which the key is checked too.
// Only a request that is refused before that needs a separate round trip for the key, so that 401 comes first.

export interface SubmitRouteParts {
  submitJob: SubmitJob
  keys: KeyCache
}

export function submitRoute(app: FastifyInstance, { submitJob, keys }: SubmitRouteParts): void {
  const requireKnownKey = async (request: FastifyRequest) => {
    if ((await keys.workingAccountOf(bearerHash(request))) === null) throw unknownKey()
  }

  app.post<{ Body: SubmitRequest; Headers: { 'idempotency-key'?: string } }>(
    '/v1/conversions',
    {
      bodyLimit: 16 * 1024,
      // Before the body is read.
      onRequest: async (request) => void bearerHash(request),
      schema: {
        operationId: 'submitConversion',
        summary: 'Submit a conversion and get an upload URL',
        tags: ['Conversions'],
        headers: Type.Object({
          'idempotency-key': Type.Optional(
            Type.String({
              minLength: 1,
              maxLength: 255,
              description:
                'Any unique string of 1 to 255 bytes. A retry with the same key returns the same job and never charges twice.',
            }),
          ),
        }),
        body: Type.Ref('SubmitRequest'),
        response: {
          201: Type.Ref('SubmitResult', { description: 'Job created.', ...rateLimited }),
          200: Type.Ref('SubmitResult', {
            description: 'Replay of an earlier identical submit.',
            ...rateLimited,
          }),
          ...errorResponses(
            ...(['unknown-pair', 'client-pair', 'unauthenticated', 'require-credits', 'too-large'] as const),
            ...(['idempotency-mismatch', 'rate-limited'] as const),
          ),
        },
      },
      errorHandler: async (error, request) => {
        // Any error of the request: an invalid key is reported first, unless it was checked already.
        if (!(error instanceof KilnError) || beforeTheKey.has(error.code)) await requireKnownKey(request)
        throw error
      },
    },
    async (request, reply) => {
      const keyHash = bearerHash(request)
      // The schema checks its length. Each character represents one byte of the header.
      const idempotencyKey = request.headers['idempotency-key'] ?? null
      const { pair, bytes, options } = request.body
      const { outcome, result, headers } = await submitJob({
        keyHash,
        pair,
        bytes,
        options,
        idempotencyKey,
        span: spanOptions(request),
      })
      request.jobId = result.jobId
      return reply
        .headers(headers)
        .code(outcome === 'created' ? 201 : 200)
        .send(result)
    },
  )
}

/** Refusals that are decided before the key is checked. */
const beforeTheKey: ReadonlySet<ErrorCode> = new Set([
  'bad-request',
  'unknown-pair',
  'client-pair',
  'too-large',
  'expectation-failed',
])

/** The job joins the trace of the client, if it sent one. */
function spanOptions(request: FastifyRequest<{ Body: SubmitRequest }>): SpanOptions {
  const { traceparent } = request.headers
  return {
    parent: typeof traceparent === 'string' ? traceparent : null,
    attributes: {
      'kiln.pair': request.body.pair,
      'kiln.bytes': request.body.bytes,
      'kiln.request': request.id,
    },
  }
}
