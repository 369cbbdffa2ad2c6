import type { AddressInfo } from 'node:net'
import { ConversionFailed, type InThread, type WorkerPool } from '@kiln/converter/worker-pool'
import type { openBody } from '@kiln/mcp/call-body'
import type { McpHttp } from '@kiln/mcp/http'
import type { LargeInput } from '@kiln/mcp/large-input'
import type { readPage } from '@kiln/mcp/text-pages'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { memoize } from '../caches.ts'
import { refused } from '../errors.ts'
import type { Log } from '../log/log.ts'
import { bearerHash, unknownKey } from './authenticate.ts'
import { createBodyBudget } from './body-budget.ts'
import type { CpuBudget } from './cpu-budget.ts'
import type { KeyCache } from './key-cache.ts'
import { overRate, type Rate } from './rate-limit.ts'

// {base_url}/mcp: the agent tool server over streamable HTTP, with the account's bearer key. It is an ordinary client
// of the interface: its calls come back over the loopback address, with the same key, limits and refusals. Its code is
// loaded with the first call.

// A file of 8 MB as base64, and room for the other fields of the call. The tool server reads no more than that.
const longestBody = 12 * 1024 * 1024
const maxBytesPerAccount = 2 * longestBody
const maxBytesInAll = 6 * longestBody
// CPU time outside the worker pool, measured: requests to the service itself, and forwarding of bytes.
const secondsPerCall = 0.02
const secondsPerByte = 0.01 / (1024 * 1024)
// A body that arrives slowly would hold its share of the budget without using it.
const bodyWithinMilliseconds = 30_000

export interface AgentToolsParts {
  log: Log
  keys: KeyCache
  rate: Rate
  cpuBudget: CpuBudget
  publicUrl: string
  prefix: string
  workers: WorkerPool
}

export function agentToolsRoute(app: FastifyInstance, parts: AgentToolsParts): void {
  const { log, keys, rate, cpuBudget, publicUrl, prefix, workers } = parts
  const bodies = createBodyBudget(maxBytesPerAccount, maxBytesInAll)
  let opened: McpHttp | null = null
  const openTools = memoize(async () => {
    const { createMcpHttp } = await import('@kiln/mcp/http')
    const own = ownAddress(app.server.address() as AddressInfo)
    // Links contain the public address, which this machine may not be able to reach.
    const fetchHere = (url: string, init: RequestInit) =>
      fetch(url.startsWith(`${publicUrl}/`) ? own + url.slice(publicUrl.length) : url, init)
    opened = createMcpHttp({ baseUrl: own + prefix, fetch: fetchHere })
    return opened
  })

  // The tool server reads the body itself.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _payload, done) => done(null))
  app.addHook('preClose', async () => opened?.hurry())
  app.route({
    method: ['GET', 'POST', 'DELETE'],
    url: '/mcp',
    schema: { hide: true },
    handler: async (request, reply) => {
      const keyHash = bearerHash(request)
      const account = await keys.workingAccountOf(keyHash)
      const taken = account === null ? null : await rate.take(keyHash)
      if (account === null || taken === null) throw unknownKey()
      if (!taken.within) throw overRate(taken)
      const bytes = lengthOf(request)
      const owner = account.familyId
      cpuBudget.admit(owner)
      const held = bodies.take(owner, bytes)
      cpuBudget.charge(owner, secondsPerCall + bytes * secondsPerByte)
      // A connection serves many calls: it must not keep a listener of each.
      const { socket } = request.raw
      let late: NodeJS.Timeout | undefined
      const release = () => {
        socket.off('close', release)
        clearTimeout(late)
        held.giveBack()
      }
      socket.once('close', release)
      reply.raw.once('close', release)
      const { handle } = await openTools()
      const key = request.headers.authorization?.replace(/^Bearer +/i, '').trim() ?? ''
      reply.raw.setHeader('request-id', request.id)
      reply.hijack()
      late = setTimeout(() => {
        if (!request.raw.complete) socket.destroy()
      }, bodyWithinMilliseconds)
      await handle(request.raw, reply.raw, key, largeInputOf(workers, cpuBudget, owner)).catch((error) => {
        log.error({ err: error, requestId: request.id }, 'agent tools failed')
        reply.raw.destroy()
      })
    },
  })
}

const bodyModule = import.meta.resolve('@kiln/mcp/call-body')
const pagesModule = import.meta.resolve('@kiln/mcp/text-pages')

/** Bodies and outputs of an account are read in the worker pool; the CPU time is charged to the account's budget. */
function largeInputOf(workers: WorkerPool, cpuBudget: CpuBudget, owner: string): LargeInput {
  const budgeted = <T>(
    signal: AbortSignal,
    load: () => Promise<Uint8Array>,
    run: (inThread: InThread, input: Uint8Array) => Promise<T>,
  ) =>
    cpuBudget.run(owner, signal, async () => {
      const input = await load()
      const charge = (seconds: number) => cpuBudget.charge(owner, seconds)
      try {
        return await run(workers.forFile({ bytes: input.length, owner, signal, charge }), input)
      } catch (error) {
        if (error instanceof ConversionFailed) return null
        throw error
      }
    })
  return {
    openBody: (body, signal) =>
      budgeted(
        signal,
        async () => body,
        (inThread, input) => inThread<typeof openBody>(bodyModule, 'openBody', input),
      ),
    readPage: (load, wanted, signal) =>
      budgeted(signal, load, (inThread, input) =>
        inThread<typeof readPage>(pagesModule, 'readPage', input, wanted),
      ),
  }
}

/** A body without Content-Length counts as one of the maximum length. */
function lengthOf({ method, headers }: FastifyRequest): number {
  const bytes = headers['content-length'] === undefined ? longestBody : Number(headers['content-length'])
  if (bytes > longestBody && headers['content-length'] !== undefined)
    throw refused('too-large', `A call has at most ${longestBody} bytes. Upload larger files yourself.`)
  return method === 'POST' ? bytes : 0
}

function ownAddress({ address, family, port }: AddressInfo): string {
  const anywhere: Record<string, string> = { '0.0.0.0': '127.0.0.1', '::': '[::1]' }
  return `http://${anywhere[address] ?? (family === 'IPv6' ? `[${address}]` : address)}:${port}`
}
