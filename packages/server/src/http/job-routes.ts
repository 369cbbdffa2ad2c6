import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Delete } from '../conversions/delete.ts'
import type { JobView, Read } from '../conversions/read.ts'
import type { Settlements } from '../conversions/wait-for-end.ts'
import { admit, unknownKey } from './authenticate.ts'
import type { Rate } from './rate-limit.ts'
import { errorResponses, rateLimited } from './schemas.ts'

// The operations on one job of the account: poll, report, delete. Each takes one round trip to the database.
//
// With `Prefer: wait=N` the response to a poll is delayed until the job ends or the time is over; a database
// notification ends the wait, and the job is read a second time.

const longestWaitSeconds = 25

export interface JobRoutesParts {
  read: Read
  deleteConversion: Delete
  settlements: Settlements
  rate: Rate
  prefix: string
}

type OfJob = { Params: { id: string } }
const params = Type.Object({ id: Type.String({ description: 'The `jobId`.' }) })
const refusals = errorResponses('unauthenticated', 'forbidden', 'not-found', 'rate-limited')

export function pollRoute(app: FastifyInstance, parts: JobRoutesParts): void {
  app.get<OfJob>(
    '/v1/conversions/:id',
    {
      schema: {
        operationId: 'getConversion',
        summary: 'Read a job',
        tags: ['Conversions'],
        params,
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
          ...refusals,
        },
      },
    },
    async (request, reply) => {
      const { keyHash, headers } = await admitForJob(request, parts.rate)
      const look = () => required(parts.read.job(keyHash, request.jobId))
      let view = await look()
      const seconds = waitSeconds(request.headers.prefer)
      if (seconds > 0) {
        reply.header('preference-applied', `wait=${seconds}`)
        if (!hasEnded(view)) view = await lookAtTheEnd(parts.settlements, request, look, seconds)
      }
      if (hasEnded(view)) reply.header('link', reportLink(parts.prefix, view.job.jobId))
      if (view.progress !== null) reply.header('kiln-progress', view.progress.toFixed(2))
      return reply.headers(headers).header('cache-control', 'no-store').send(view.job)
    },
  )
}

async function lookAtTheEnd(
  settlements: Settlements,
  request: FastifyRequest,
  look: () => Promise<JobView>,
  seconds: number,
): Promise<JobView> {
  const gone = new AbortController()
  request.raw.once('close', () => gone.abort())
  const watch = settlements.watch(request.jobId, seconds * 1000, gone.signal)
  try {
    // The job may have ended between the first read and the subscription.
    const view = await look()
    if (hasEnded(view)) return view
    await watch.ended
  } finally {
    watch.cancel()
  }
  return look()
}

const hasEnded = (view: JobView) => view.job.status === 'done' || view.job.status === 'failed'

function waitSeconds(prefer: string | string[] | undefined): number {
  const match = /(?:^|[,;\s])wait\s*=\s*"?(\d{1,6})"?\s*(?:[,;]|$)/i.exec(String(prefer ?? ''))
  return match ? Math.min(Number(match[1]), longestWaitSeconds) : 0
}

/** What the converter detected and did. */
export function reportRoute(app: FastifyInstance, { read, rate }: JobRoutesParts): void {
  app.get<OfJob>(
    '/v1/conversions/:id/report',
    {
      schema: {
        operationId: 'getReport',
        summary: 'Read the report of a job that has ended',
        tags: ['Conversions'],
        params,
        response: {
          200: Type.Ref('Report', { description: 'What was seen and done.', ...rateLimited }),
          ...refusals,
        },
      },
    },
    async (request, reply) => {
      const { keyHash, headers } = await admitForJob(request, rate)
      const report = await required(read.report(keyHash, request.jobId))
      return reply.headers(headers).header('cache-control', 'no-store').send(report)
    },
  )
}

/** The Link header of the poll response that points to the report. */
const reportLink = (prefix: string, jobId: string): string =>
  `<${prefix}/v1/conversions/${jobId}/report>; rel="describedby"; type="application/json"`

/** Cancels a waiting or running job, and deletes its files. */
export function deleteRoute(app: FastifyInstance, { deleteConversion, rate }: JobRoutesParts): void {
  // A body is ignored.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _payload, done) => done(null))
  app.delete<OfJob>(
    '/v1/conversions/:id',
    {
      schema: {
        operationId: 'deleteConversion',
        summary: 'Cancel a job and delete its files',
        description:
          'A job that has not ended becomes `failed` with the word `cancelled`, and what it cost is given back. The output of a job that is done is deleted. Input and output are gone with the answer. Safe to repeat.',
        tags: ['Conversions'],
        params,
        response: {
          204: Type.Null({ description: 'The job has ended, and its files are gone.', ...rateLimited }),
          ...refusals,
        },
      },
    },
    async (request, reply) => {
      const { keyHash, headers } = await admitForJob(request, rate)
      if (!(await deleteConversion(keyHash, request.jobId))) throw unknownKey()
      return reply.headers(headers).code(204).send()
    },
  )
}

async function admitForJob(request: FastifyRequest<OfJob>, rate: Rate) {
  const admitted = await admit(request, rate)
  request.jobId = request.params.id
  return admitted
}

async function required<T>(read: Promise<T | null>): Promise<T> {
  const found = await read
  if (found === null) throw unknownKey()
  return found
}
