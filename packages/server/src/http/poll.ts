import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { JobView, Read } from '../conversions/read.ts'
import type { Settlements } from '../conversions/wait-for-end.ts'
import { admit } from './admit.ts'
import { unknownKey } from './authenticate.ts'
import { errorResponses, rateLimited } from './error-responses.ts'
import type { Rate } from './rate-limit.ts'
import { reportLink } from './report.ts'

// GET /v1/conversions/{id}. One round trip. With `Prefer: wait=N` the response is delayed until the job ends or the
// time is over; a database notification ends the wait, and the job is read a second time.

const longestWaitSeconds = 25

export interface PollRouteParts {
  read: Read
  settlements: Settlements
  rate: Rate
  prefix: string
}

export function pollRoute(app: FastifyInstance, { read, settlements, rate, prefix }: PollRouteParts): void {
  const look = async (keyHash: Buffer, id: string): Promise<JobView> => {
    const view = await read.job(keyHash, id)
    if (!view) throw unknownKey()
    return view
  }

  const lookAgainAtTheEnd = async (request: FastifyRequest, keyHash: Buffer, id: string, seconds: number) => {
    const gone = new AbortController()
    request.raw.once('close', () => gone.abort())
    const watch = settlements.watch(id, seconds * 1000, gone.signal)
    try {
      // The job may have ended between the first read and the subscription.
      const view = await look(keyHash, id)
      if (hasEnded(view)) return view
      await watch.ended
    } finally {
      watch.cancel()
    }
    return look(keyHash, id)
  }

  app.get<{ Params: { id: string } }>(
    '/v1/conversions/:id',
    {
      schema: {
        operationId: 'getConversion',
        summary: 'Read a job',
        tags: ['Conversions'],
        params: Type.Object({ id: Type.String({ description: 'The `jobId`.' }) }),
        headers: Type.Object({
          prefer: Type.Optional(
            Type.String({
              description: '`wait=N` holds the answer until the job ends or N seconds (25 at most) are over.',
            }),
          ),
        }),
        response: {
          200: Type.Ref('Job', {
            description: 'The job.',
            headers: {
              ...rateLimited.headers,
              'Kiln-Progress': {
                type: 'number',
                minimum: 0,
                maximum: 1,
                description: 'The progress of a job in `processing`, where the engine reports it.',
              },
              Link: {
                type: 'string',
                description: 'Of a job that has ended: its report, `rel="describedby"`.',
              },
              'Preference-Applied': { type: 'string', description: 'The wait that `Prefer` asked for.' },
            },
          }),
          ...errorResponses('unauthenticated', 'forbidden', 'not-found', 'rate-limited'),
        },
      },
    },
    async (request, reply) => {
      const { keyHash, headers } = await admit(request, rate)
      request.jobId = request.params.id
      let view = await look(keyHash, request.params.id)
      const seconds = waitSeconds(request.headers.prefer)
      if (seconds > 0) {
        reply.header('preference-applied', `wait=${seconds}`)
        if (!hasEnded(view)) view = await lookAgainAtTheEnd(request, keyHash, request.params.id, seconds)
      }
      if (hasEnded(view)) reply.header('link', reportLink(prefix, view.job.jobId))
      return sendJob(reply.headers(headers), view)
    },
  )
}

function sendJob(reply: FastifyReply, view: JobView) {
  if (view.progress !== null) reply.header('kiln-progress', view.progress.toFixed(2))
  return reply.header('cache-control', 'no-store').send(view.job)
}

const hasEnded = (view: JobView) => view.job.status === 'done' || view.job.status === 'failed'

function waitSeconds(prefer: string | string[] | undefined): number {
  const match = /(?:^|[,;\s])wait\s*=\s*"?(\d{1,6})"?\s*(?:[,;]|$)/i.exec(String(prefer ?? ''))
  return match ? Math.min(Number(match[1]), longestWaitSeconds) : 0
}
