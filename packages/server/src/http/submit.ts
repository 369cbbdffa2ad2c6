import type { ErrorCode, SubmitRequest } from '@kiln/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { AccountLoadWatch } from '../conversions/account-load.ts'
import type { Submit } from '../conversions/submit.ts'
import { KilnError, refused, unavailable } from '../errors.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import type { SpanOptions, Tracing } from '../telemetry/tracing.ts'
import { bearerHash, unknownKey } from './authenticate.ts'
import { errorResponses, rateLimited } from './error-responses.ts'
import type { KeyCache } from './key-cache.ts'
import { overRate, type Rate } from './rate-limit.ts'

// POST /v1/conversions. The order of refusals is part of the interface:
// 401, 400, unknown-pair or client-pair, 413, replay, 429, 503 when the queue is full, 402.
// A good request costs one round trip, in which the key is checked too. Only a request that is
// refused before that needs a round trip of its own for the key, so that 401 comes first.

export interface SubmitRouteParts {
  submit: Submit
  keys: KeyCache
  rate: Rate
  replayRate: Rate
  load: AccountLoadWatch
  metrics: Metrics
  tracing: Tracing
}

export function submitRoute(
  app: FastifyInstance,
  { submit, keys, rate, replayRate, load, metrics, tracing }: SubmitRouteParts,
): void {
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
        summary: 'Declare a conversion and get an upload URL',
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
        // Whatever was wrong with the request: a wrong key is said first, if that was not looked at already.
        if (!(error instanceof KilnError) || beforeTheKey.has(error.code)) await requireKnownKey(request)
        throw error
      },
    },
    async (request, reply) => {
      const keyHash = bearerHash(request)
      // Its length is the schema's to judge. Each character stands for one byte of the header.
      const idempotencyKey = request.headers['idempotency-key'] ?? null
      const taken = await rate.take(keyHash)
      if (!taken) throw unknownKey()
      // Past the rate a replay is still answered. Looking for one costs a round trip, so that has a rate as well.
      const mayBeReplay = taken.within || (await replayRate.take(keyHash))?.within
      const { pair, bytes, options } = request.body
      const refusal = taken.within ? load.refusalOf(taken.accountId) : 'rate-limited'
      const answer = await tracing
        .span('submit', spanOptions(request), (traceParent) =>
          submit({
            ...{ keyHash, pair, bytes, options, refusal, traceParent },
            idempotencyKey: mayBeReplay ? idempotencyKey : null,
          }),
        )
        .catch(async (error) => {
          await taken.putBack()
          throw error
        })
      metrics.submitted(pair, answer.outcome)
      // Only what could have become a job counts against the rate.
      if (answer.outcome !== 'created' && answer.outcome !== 'no-credits') await taken.putBack()
      reply.headers(taken.headers)
      switch (answer.outcome) {
        case 'unknown-key':
          throw unknownKey()
        case 'mismatch':
          throw refused(
            'idempotency-mismatch',
            'This Idempotency-Key was used with another pair or size, or with other options. Use a new key for another request.',
          )
        case 'rate-limited':
          throw overRate(taken)
        case 'account-busy':
          throw tryLater(
            'This account has as many jobs waiting and running as it may. Wait until some have ended.',
          )
        case 'account-failing':
          throw tryLater(
            'The conversions of this account, or of its parent account, that ended without an output within the last hour took as long as such conversions may. Look at what failed, and go on later.',
          )
        case 'queue-full':
          throw unavailable('Too many jobs are waiting just now. Try again later.', undefined, 30)
        case 'no-credits':
          throw refused(
            'require-credits',
            'The free conversions of this month are used up, and the account has too few credits for this pair. Add credits.',
          )
        case 'created':
        case 'replay':
          request.jobId = answer.result.jobId
          return reply.code(answer.outcome === 'created' ? 201 : 200).send(answer.result)
      }
    },
  )
}

/** Refusals that are made without a look at the key. */
const beforeTheKey: ReadonlySet<ErrorCode> = new Set([
  'bad-request',
  'unknown-pair',
  'client-pair',
  'too-large',
  'expectation-failed',
])

const tryLater = (sentence: string) => refused('rate-limited', sentence, { 'retry-after': '30' })

/** A client that traces its own work finds the job in its trace. */
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
