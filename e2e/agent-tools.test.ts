import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { describe, expect, onTestFinished, test } from 'vitest'
import { anonymous, someClient } from './accounts.ts'
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
  test(`${requirement('agent-tools.at-mcp', 'agent-tools.five')} are five, at the address of the service`, async () => {
    const { tools } = await (await connect()).listTools()
    expect(tools.map(({ name }) => name).sort()).toEqual([
      'check_conversion',
      'check_usage',
      'convert_file',
      'delete_conversion',
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

  test(`${requirement('agent-tools.fits', 'agent-tools.warnings')} give a long text by outline and pages, and the warnings with each`, async () => {
    const client = await connect()
    const chapter = (number: number) =>
      `# 第${number}章\n\n${'数字化转型与人工智能正在改变世界。\n\n'.repeat(60)}`
    const text = `![logo](https://example.com/a.png)\n\n${Array.from({ length: 30 }, (_, each) => chapter(each + 1)).join('')}`
    const call = async (name: string, args: Record<string, unknown>) => {
      const answer = await client.callTool({ name, arguments: args })
      // At its worst a character of Chinese is two tokens, and two of ASCII are one.
      const sent = JSON.stringify(answer)
      const ascii = [...sent].filter((sign) => sign < '\u0080').length
      expect(ascii / 2 + ([...sent].length - ascii) * 2).toBeLessThan(25_000)
      return answer.structuredContent as Record<string, unknown> & {
        text: string
        outline: string[]
        next: string
      }
    }
    const first = await call('convert_file', { from: 'md', to: 'latex', text })
    expect(first).toMatchObject({
      status: 'done',
      page: 1,
      warnings: [expect.stringMatching(/remote picture/)],
    })
    expect(first.text).toMatch(/logo[\s\S]*第1章/)
    expect(first.outline.at(-1)).toBe(`第30章 (page ${first.pages})`)
    expect(first.next).toContain('page: 2')
    const small = { job_id: first.job_id, max_characters: 900 }
    const { pages } = await call('check_conversion', small)
    const last = await call('check_conversion', { ...small, page: pages })
    expect(last).toMatchObject({ page: pages, warnings: first.warnings })
    expect(last.text.length).toBeLessThanOrEqual(900)
    expect(last.text).toContain('end{document}')
    expect((await call('check_conversion', { ...small, page: 1e6 })).next).toMatch(/There is no page 1000000/)
  })

  test(`${requirement('agent-tools.at-mcp', 'auth.all-but-formats')} are for accounts only`, async () => {
    const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
    expectError(await send(`${anonymous.baseUrl}/mcp`, { method: 'POST', headers, body }), 'unauthenticated')
    const wrong = { ...headers, authorization: 'Bearer kiln_live_wrong' }
    expectError(
      await send(`${anonymous.baseUrl}/mcp`, { method: 'POST', headers: wrong, body }),
      'unauthenticated',
    )
  })
})
