import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { lazySerializers } from './lazy-serializers.ts'

const app = Fastify({ schemaController: { compilersFactory: { buildSerializer: lazySerializers } } })
app.addSchema({ $id: 'Job', type: 'object', properties: { id: { type: 'string' } } })
app.get('/job', { schema: { response: { 200: { $ref: 'Job#' } } } }, async () => ({ id: 'a', secret: 'b' }))
app.get('/broken', { schema: { response: { 200: { $ref: 'Missing#' } } } }, async () => ({}))

test('each response is serialized by its schema, compiled with the first use', async () => {
  for (let use = 0; use < 2; use++) expect((await app.inject('/job')).body).toBe('{"id":"a"}')
  expect((await app.inject('/broken')).statusCode).toBe(500)
})
