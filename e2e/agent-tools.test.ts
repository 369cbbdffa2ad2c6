import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { describe, expect, onTestFinished, test } from 'vitest'
import { nobody, someClient } from './accounts.ts'
import { expectError } from './expectations.ts'
import { requirement } from './requirements.ts'
import { send } from './service.ts'

const { baseUrl, key } = someClient()

const connect = async (): Promise<Client> => {
  const client = new Client({ name: 'e2e', version: '1.0.0' })
  const requestInit = { headers: { authorization: `Bearer ${key}` } }
  await client.connect(new StreamableHTTPClientTransport(new URL(`${baseUrl}/mcp`), { requestInit }))
  onTestFinished(() => client.close())
  return client
}

describe('the agent tools', () => {
  test(`${requirement('agent-tools.at-mcp', 'agent-tools.four')} are four, at the address of the service`, async () => {
    const { tools } = await (await connect()).listTools()
    expect(tools.map(({ name }) => name).sort()).toEqual([
      'check_conversion',
      'check_usage',
      'convert_file',
      'list_formats',
    ])
  })

  test(`${requirement('agent-tools.convert-file')} convert a file`, async () => {
    const client = await connect()
    const { structuredContent } = await client.callTool({
      name: 'convert_file',
      arguments: { from: 'md', to: 'html', text: '# Kiln\n\nMade by an *agent*.\n' },
    })
    expect(structuredContent).toMatchObject({
      status: 'done',
      text: expect.stringContaining('<em>agent</em>'),
    })
    const { job_id, download_url } = structuredContent as { job_id: string; download_url: string }
    expect((await someClient().readJob(job_id)).status).toBe('done')
    expect((await send(download_url)).text).toContain('<em>agent</em>')
  })

  test(`${requirement('agent-tools.at-mcp', 'auth.all-but-formats')} are for accounts only`, async () => {
    const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
    expectError(await send(`${nobody.baseUrl}/mcp`, { method: 'POST', headers, body }), 'unauthenticated')
    const wrong = { ...headers, authorization: 'Bearer kiln_live_wrong' }
    expectError(
      await send(`${nobody.baseUrl}/mcp`, { method: 'POST', headers: wrong, body }),
      'unauthenticated',
    )
  })
})
