import type { ConversionPair, FormatsResponse } from '@kiln/contract'
import type { Pair } from '@kiln/converter/catalog'
import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import { megabytes } from '../conversions/submit.ts'

export const describePairs = (pairs: readonly Pair[]): ConversionPair[] =>
  pairs.map((pair) => ({
    from: pair.from,
    to: pair.to,
    pair: pair.slug,
    label: pair.label,
    freeMaxBytes: pair.maxBytes,
    freeMaxMB: megabytes(pair),
    costCredits: pair.credits,
  }))

/** GET /v1/formats: what the service converts. Public. */
export function formatsRoute(app: FastifyInstance, pairs: readonly Pair[]): void {
  const answer: FormatsResponse = { pairs: describePairs(pairs) }
  // The list changes only with a new version: it is written once.
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
