import Fastify from 'fastify'
import pg from 'pg'
import { answerParent } from '../child.ts'
import { databaseConnections } from './settings.ts'

// The baseline for comparisons: the minimum that does the same work. One route with one INSERT (in its own
// transaction), one with one SELECT by key.

export interface BareSettings {
  databaseUrl: string
  port: number
}

answerParent<BareSettings>(async ({ databaseUrl, port }) => {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: databaseConnections })
  await pool.query(`
    create table if not exists bare_jobs (
      id uuid primary key default gen_random_uuid(),
      pair text not null,
      bytes bigint not null,
      status text not null default 'queued',
      created_at timestamptz not null default now()
    )`)

  const app = Fastify()
  app.post<{ Body: { pair: string; bytes: number } }>('/jobs', async (request, reply) => {
    const { rows } = await pool.query<{ id: string }>({
      name: 'insert',
      text: 'insert into bare_jobs (pair, bytes) values ($1, $2) returning id',
      values: [request.body.pair, request.body.bytes],
    })
    return reply.code(201).send({ id: rows[0]?.id })
  })
  app.get<{ Params: { id: string } }>('/jobs/:id', async (request) => {
    const { rows } = await pool.query<{ id: string }>({
      name: 'select',
      text: 'select id, pair, bytes, status, created_at from bare_jobs where id = $1',
      values: [request.params.id],
    })
    return rows[0]
  })
  await app.listen({ port, host: '127.0.0.1' })

  return {
    handlers: {},
    async close() {
      await app.close()
      await pool.end()
    },
  }
})
