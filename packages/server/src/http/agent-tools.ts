import type { AddressInfo } from 'node:net'
import type { McpHttp } from '@kiln/mcp/http'
import type { FastifyInstance } from 'fastify'
import type { Database } from '../db/connect.ts'
import { findKeyAccount } from '../db/keys.ts'
import type { Log } from '../log.ts'
import { bearerHash, unknownKey } from './authenticate.ts'
import { overRate, type Rate } from './rate-limit.ts'

// {base_url}/mcp: the agent tool server over streamable HTTP, with the account's bearer key. It is a
// client of the interface like any other: its calls come back over the loopback address, with the same
// key, the same limits and the same refusals. Its parts are loaded with the first call.

export interface AgentToolsParts {
  database: Database
  log: Log
  rate: Rate
  publicUrl: string
  prefix: string
}

export function agentToolsRoute(app: FastifyInstance, parts: AgentToolsParts): void {
  const { database, log, rate, publicUrl, prefix } = parts
  let tools: Promise<McpHttp> | null = null
  const openTools = async () => {
    const { createMcpHttp } = await import('@kiln/mcp/http')
    const own = ownAddress(app.server.address() as AddressInfo)
    // Links carry the public address, which this machine may not be able to reach.
    const fetchHere = (url: string, init: RequestInit) =>
      fetch(url.startsWith(`${publicUrl}/`) ? own + url.slice(publicUrl.length) : url, init)
    return createMcpHttp({ baseUrl: own + prefix, fetch: fetchHere })
  }

  // The tool server reads the body itself.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _payload, done) => done(null))
  app.addHook('preClose', async () => (await tools)?.hurry())
  app.route({
    method: ['GET', 'POST', 'DELETE'],
    url: '/mcp',
    schema: { hide: true },
    handler: async (request, reply) => {
      const keyHash = bearerHash(request)
      if (!(await findKeyAccount(database, keyHash))) throw unknownKey()
      const taken = await rate.take(keyHash)
      if (!taken?.within) throw taken ? overRate(taken) : unknownKey()
      tools ??= openTools()
      const { handle } = await tools
      const key = request.headers.authorization?.replace(/^Bearer +/i, '').trim() ?? ''
      reply.raw.setHeader('request-id', request.id)
      reply.hijack()
      await handle(request.raw, reply.raw, key).catch((error) => {
        log.error({ err: error, requestId: request.id }, 'agent tools failed')
        reply.raw.destroy()
      })
    },
  })
}

function ownAddress({ address, family, port }: AddressInfo): string {
  const anywhere: Record<string, string> = { '0.0.0.0': '127.0.0.1', '::': '[::1]' }
  return `http://${anywhere[address] ?? (family === 'IPv6' ? `[${address}]` : address)}:${port}`
}
