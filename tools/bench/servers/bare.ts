import { createWriteStream } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import Fastify from 'fastify'
import pg from 'pg'
import { answerParent } from '../child.ts'
import { databaseConnections } from './settings.ts'

// The baseline for comparisons: the minimum that does the same work. One route with one INSERT (in its own
// transaction), one with one SELECT by key, and a plain HTTP server that pipes a body to a file.

export interface BareSettings {
  databaseUrl: string
  folder: string
  port: number
  uploadPort: number
}

answerParent<BareSettings>(async ({ databaseUrl, folder, port, uploadPort }) => {
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

  let uploads = 0
  const files = createServer((request, response) => {
    uploads += 1
    const file = createWriteStream(join(folder, `upload-${uploads}`))
    request.pipe(file)
    file.on('finish', () => response.end())
  })
  await new Promise<void>((resolve) => files.listen(uploadPort, '127.0.0.1', resolve))

  return {
    handlers: {},
    async close() {
      await app.close()
      files.close()
      files.closeAllConnections()
      await pool.end()
    },
  }
})
