#!/usr/bin/env node
import { parseArgs } from 'node:util'
import { Kiln } from '@kiln/client'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { type AllowedFolders, openAllowedFolders } from './allowed-folders.ts'
import { createMcpHttp, defaultAnswerWithin } from './http.ts'
import { inThisThread } from './large-input.ts'
import { localTools } from './local-tools.ts'
import { serveHttp } from './serve-http.ts'
import { serverInfo } from './tools.ts'

// `kiln-mcp`: the agent tool server, over stdio for a host that starts it, or over HTTP.

const help = `kiln-mcp ${serverInfo.version}: converts files for agents, over the Model Context Protocol.

  kiln-mcp --dir FOLDER              over stdio; reads and writes in FOLDER only
  kiln-mcp --http [--port 8090]      over HTTP, at http://127.0.0.1:8090/mcp; sees no files
  kiln-mcp --http --dir FOLDER       over HTTP, in FOLDER; accepts no key but KILN_API_KEY

  --dir FOLDER              a folder that the agent may use; may be given several times
  --http                    serve HTTP; every request carries a bearer key
  --host ADDRESS            address to listen on (127.0.0.1)
  --port N                  port to listen on (8090)
  --answer-within SECONDS   answer long conversions with a job to resume after this time (45)

KILN_URL is the base address of the service (http://localhost:8080/api), KILN_API_KEY the account's key.
`

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      dir: { type: 'string', multiple: true },
      http: { type: 'boolean' },
      host: { type: 'string', default: '127.0.0.1' },
      port: { type: 'string', default: '8090' },
      'answer-within': { type: 'string', default: String(defaultAnswerWithin / 1000) },
      help: { type: 'boolean', short: 'h' },
      version: { type: 'boolean', short: 'V' },
    },
  })
  if (values.help) return void process.stdout.write(help)
  if (values.version) return void process.stdout.write(`${serverInfo.version}\n`)
  const answerWithin = Number(values['answer-within']) * 1000
  if (!(answerWithin > 0)) throw new Error('--answer-within must be a number of seconds.')
  const files = values.dir ? await openFolders(values.dir) : null
  if (values.http) return listen(values.host, Number(values.port), answerWithin, files)

  if (files === null) {
    throw new Error('Name the folder that the agent may use: --dir FOLDER.')
  }
  const kiln = new Kiln()
  const createServer = localTools(files)
  serveStdio(() => createServer({ kiln, answerWithin, largeInput: inThisThread }), {
    onerror: (error) => console.error(`kiln-mcp: ${error.message}`),
  })
  // A host that closes stdin has exited; its running work is ended.
  process.stdin.once('close', () => process.exit(0))
}

async function openFolders(paths: readonly string[]): Promise<AllowedFolders> {
  return openAllowedFolders(paths).catch((error: Error) => {
    throw new Error(`The allowed folder cannot be used: ${error.message}`)
  })
}

async function listen(
  host: string,
  port: number,
  answerWithin: number,
  files: AllowedFolders | null,
): Promise<void> {
  const onlyKey = files === null ? undefined : process.env.KILN_API_KEY
  if (files !== null && !onlyKey)
    throw new Error(
      'With --http and --dir set KILN_API_KEY: only requests with this key may read and write in the folder.',
    )
  const { baseUrl } = new Kiln({ apiKey: null })
  const mcp = createMcpHttp({
    baseUrl,
    answerWithin,
    createServer: files === null ? undefined : localTools(files),
  })
  const server = await serveHttp({ host, port, handle: mcp.handle, onlyKey })
  const { port: taken } = server.address() as { port: number }
  console.error(`kiln-mcp: listening at http://${host}:${taken}/mcp, for the service at ${baseUrl}`)
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    process.once(name, () => {
      mcp.hurry()
      server.close()
      setTimeout(() => server.closeAllConnections(), 1000).unref()
    })
  }
}

main().catch((error: unknown) => {
  console.error(`kiln-mcp: ${error instanceof Error ? error.message : error}`)
  process.exitCode = 1
})
