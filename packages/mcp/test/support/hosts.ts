import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { baseUrl } from '@kiln/test-support/client-service.ts'
import { compileCache } from '@kiln/test-support/compile-cache.ts'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { onTestFinished } from 'vitest'

// Hosts: the official client, over both transports, in the protocol of 2025 and in that of 2026.

const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url))

export type Era = 'legacy' | { pin: string }
export const eras: [year: string, era: Era][] = [
  ['2025', 'legacy'],
  ['2026', { pin: '2026-07-28' }],
]

export interface Host {
  client: Client
  /** Progress notifications as they arrived: the client drops one that arrives in the same chunk as the response. */
  progress: Progress[]
  /** Calls a tool; text is all that a model would read. */
  call(name: string, args: Record<string, unknown>, options?: CallOptions): Promise<Answer>
}

interface Progress {
  progress: number
  total?: number
  message?: string
}

export interface CallOptions {
  onprogress?: () => void
  signal?: AbortSignal
}

export interface Answer {
  text: string
  isError: boolean
  structured: Record<string, unknown>
}

/** A host that starts the tool server itself. */
export const stdioHost = (
  key: string,
  folder: string,
  era: Era = 'legacy',
  ...args: string[]
): Promise<Host> =>
  connect(
    era,
    new StdioClientTransport({
      command: process.execPath,
      args: [main, '--dir', folder, ...args],
      env: { PATH: process.env.PATH ?? '', ...compileCache, KILN_URL: baseUrl, KILN_API_KEY: key },
      stderr: 'inherit',
    }),
  )

/** A host that talks to a tool server over HTTP. */
export const httpHost = (url: string, key: string, era: Era = 'legacy'): Promise<Host> =>
  connect(
    era,
    new StreamableHTTPClientTransport(new URL(url), {
      requestInit: { headers: { authorization: `Bearer ${key}` } },
    }),
  )

async function connect(
  era: Era,
  transport: StdioClientTransport | StreamableHTTPClientTransport,
): Promise<Host> {
  const client = new Client({ name: 'test-host', version: '1.0.0' }, { versionNegotiation: { mode: era } })
  await client.connect(transport)
  onTestFinished(() => client.close())
  const progress: Progress[] = []
  const deliver = transport.onmessage
  transport.onmessage = (message) => {
    if ('method' in message && message.method === 'notifications/progress')
      progress.push(message.params as unknown as Progress)
    deliver?.(message)
  }
  return {
    client,
    progress,
    async call(name, args, options = {}) {
      const result = await client.callTool({ name, arguments: args }, options)
      const [first] = result.content
      return {
        text: first?.type === 'text' ? first.text : '',
        isError: result.isError === true,
        structured: (result.structuredContent ?? {}) as Record<string, unknown>,
      }
    },
  }
}

/** The tool server on its own port. */
export const startHttpServer = (...args: string[]): Promise<string> => startHttpServerWith({}, ...args)

export async function startHttpServerWith(env: Record<string, string>, ...args: string[]): Promise<string> {
  const child = spawn(process.execPath, [main, '--http', '--port', '0', ...args], {
    env: { PATH: process.env.PATH, ...compileCache, KILN_URL: baseUrl, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const ended = new Promise((resolve) => child.once('close', resolve))
  onTestFinished(async () => {
    child.kill('SIGTERM')
    await ended
  })
  let said = ''
  for await (const text of child.stderr) {
    said += text
    const url = /listening at (\S+),/.exec(said)?.[1]
    if (url) {
      child.stderr.resume()
      return url
    }
  }
  throw new Error(`the tool server ended: ${said}`)
}

export async function testFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'kiln-mcp-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}
