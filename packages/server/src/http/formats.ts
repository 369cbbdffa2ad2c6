import type { ConversionPair, FormatsResponse, PairDescription } from '@kiln/contract'
import { optionsSchema, type Pair } from '@kiln/converter/catalog'
import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import { megabytes } from '../conversions/submit.ts'
import { refused } from '../errors.ts'
import { errorResponses } from './schemas.ts'

export const describePairs = (pairs: readonly Pair[]): ConversionPair[] => pairs.map(describePair)

export const describePair = (pair: Pair): ConversionPair => ({
  from: pair.from,
  to: pair.to,
  pair: pair.slug,
  label: pair.label,
  freeMaxBytes: pair.maxBytes,
  freeMaxMB: megabytes(pair),
  costCredits: pair.credits,
})

/** GET /v1/formats/{pair}: a pair with its options. Public. */
export function pairRoute(app: FastifyInstance, pairs: readonly Pair[]): void {
  app.get<{ Params: { pair: string } }>(
    '/v1/formats/:pair',
    {
      schema: {
        operationId: 'describePair',
        summary: 'Read a pair and the options that it takes',
        tags: ['Formats'],
        security: [],
        params: Type.Object({ pair: Type.String({ description: 'The slug.', examples: ['md-to-docx'] }) }),
        response: {
          200: Type.Ref('PairDescription', { description: 'The pair.' }),
          ...errorResponses('not-found'),
        },
      },
    },
    async (request) => {
      const pair = pairs.find(({ slug }) => slug === request.params.pair)
      if (!pair) throw refused('not-found', 'There is no such pair. GET /v1/formats lists the pairs.')
      const answer: PairDescription = { ...describePair(pair), options: optionsSchema(pair) }
      return answer
    },
  )
}

/** GET /v1/formats: the pairs of the service. Public. */
export function formatsRoute(app: FastifyInstance, pairs: readonly Pair[]): void {
  const answer: FormatsResponse = { pairs: describePairs(pairs) }
  // The list changes only with a new version or setting, so it is serialized once.
  const body = JSON.stringify(answer)
  app.get(
    '/v1/formats',
    {
      schema: {
        operationId: 'listFormats',
        summary: 'List the server-side conversion pairs',
        tags: ['Formats'],
        security: [],
        response: { 200: Type.Ref('Formats', { description: 'All pairs that can be submitted.' }) },
      },
    },
    (_request, reply) =>
      reply.header('content-type', 'application/json; charset=utf-8').serializer(asIs).send(body),
  )
}

const asIs = (body: unknown) => body as string
