// @module-tag slow

import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { delimiter, dirname, join } from 'node:path'
import { baseUrl, markdown, newKey, temporaryFolder } from '@kiln/test-support/client-service.ts'
import { repository } from '@kiln/test-support/start-service.ts'
import { Client, StreamableHTTPClientTransport, type Transport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { describe, expect, test } from 'vitest'
import { wordFile } from '../../../e2e/documents.ts'
import { exitCodes } from '../src/cli/exit-codes.ts'
import { npmSettings } from './support/npm-settings.ts'
import { type Ran, run } from './support/run.ts'

// Every snippet of the quick-start pages is taken from its page and run, in the order of the page, in an
// empty folder with a report.docx, as a reader would. Only the example's address, key and folder are
// replaced by real ones.

interface Snippet {
  language: string
  /** File to save it as; a snippet without one is run. */
  file: string | undefined
  text: string
}

const pages = join(repository, 'docs/quick-start')

async function snippetsOf(page: string, real: { key: string; folder: string }): Promise<Snippet[]> {
  const source = await readFile(join(pages, page), 'utf8')
  return [...source.matchAll(/^```(\w+)(?: (\S+))?\n([\s\S]*?)^```$/gm)].map(
    ([, language = '', file, text = '']) => ({
      language,
      file,
      text: text
        .replaceAll('http://localhost:8080/api', baseUrl)
        .replaceAll('kiln_live_your_key', real.key)
        .replaceAll('/home/you/documents', real.folder),
    }),
  )
}

interface Page {
  folder: string
  env: Record<string, string>
  snippets: Snippet[]
  ran: Ran
}

/** Saves the files of a page and runs its commands, as one session of a shell. */
async function follow(page: string, commands = (text: string) => text): Promise<Page> {
  const folder = await temporaryFolder()
  const key = await newKey()
  const programs = await temporaryFolder()
  await writeFile(join(folder, 'report.docx'), wordFile('Words of the report'))
  const snippets = await snippetsOf(page, { key, folder })
  for (const { file, text } of snippets) {
    if (file === undefined) continue
    await mkdir(join(folder, dirname(file)), { recursive: true })
    await writeFile(join(folder, file), text)
  }
  const known = new Set(['sh', ...snippets.filter(({ file }) => file).map(({ language }) => language)])
  for (const { language, file } of snippets) expect(known.has(language) || file, language).toBeTruthy()
  const env = {
    ...npmSettings(),
    KILN: repository,
    KILN_URL: baseUrl,
    KILN_API_KEY: key,
    HOME: folder,
    npm_config_prefer_offline: 'true',
    npm_config_prefix: programs,
    // The reader's Node runs TypeScript; the project's own does.
    PATH: [dirname(process.execPath), join(programs, 'bin'), process.env.PATH].join(delimiter),
  }
  const script = snippets.filter(({ language }) => language === 'sh').map(({ text }) => text)
  const ran = await run('bash', ['-euo', 'pipefail', '-c', commands(script.join('\n'))], { cwd: folder, env })
  expect(ran.code, ran.stderr).toBe(0)
  return { folder, env, snippets, ran }
}

const isPdf = async (path: string) => (await readFile(path)).subarray(0, 5).toString() === '%PDF-'

// Each page installs packages and starts programs one after the other.
describe('the quick start', { timeout: 120_000 }, () => {
  test('names all its pages', async () => {
    const index = await readFile(join(pages, 'README.md'), 'utf8')
    for (const page of await readdir(pages)) if (page !== 'README.md') expect(index).toContain(`](${page})`)
  })

  test('without a service', async () => {
    // npm runs a script from where its package.json is.
    const { folder } = await follow('README.md', (text) =>
      text.replace('npm run', `npm --prefix "$KILN" run -s`),
    )
    expect(await isPdf(join(folder, 'report.pdf'))).toBe(true)
  })

  test('with curl', async () => {
    const { folder, ran } = await follow('curl.md')
    expect(await isPdf(join(folder, 'report.pdf'))).toBe(true)
    expect(ran.stdout).toContain('"pairs":[')
    expect(ran.stdout).toContain('"jobsRemaining":49')
    expect(ran.stdout).toMatch(/"pair":"docx-to-pdf","engine":\{"name":"libreoffice","version":"\d/)
  })

  test('with TypeScript', async () => {
    const { folder, ran } = await follow('typescript.md')
    expect(await isPdf(join(folder, 'report.pdf'))).toBe(true)
    expect(ran.stdout).toMatch(/^upload 0$/m)
    expect(ran.stdout).toMatch(/\.html \d+ characters/)
    expect(await readFile(join(folder, 'steps.html'), 'utf8')).toContain('A report')
    expect(ran.stdout).toMatch(/47 free conversions and 1000 credits left/)
  })

  test('with Python', async () => {
    const { folder } = await follow('python.md')
    expect(await isPdf(join(folder, 'report.pdf'))).toBe(true)
  })

  test('with the command line', async () => {
    const { folder, ran } = await follow('command-line.md')
    for (const file of ['report.pdf', 'pdf/report.pdf', 'again.pdf'])
      expect(await isPdf(join(folder, file))).toBe(true)
    expect(await readFile(join(folder, 'report.html'), 'utf8')).toContain('Words of the report')
    expect(ran.stdout).toMatch(/Status +done[\s\S]*\nlibreoffice \d/)
    expect(ran.stderr).toMatch(/copy\.pdf \(.*\)\n {2}libreoffice \d/)
    expect(await readFile(join(folder, '.config/fish/completions/kiln.fish'), 'utf8')).toMatch(/^# fish/)
    const page = await readFile(join(pages, 'command-line.md'), 'utf8')
    for (const { code, means } of Object.values(exitCodes)) expect(page).toContain(`| ${code} | ${means} |`)
  })

  test('with agents, in the configuration of three hosts', async () => {
    const { folder, env, snippets } = await follow('mcp.md')
    await writeFile(join(folder, 'report.md'), markdown)
    const configurations = snippets.filter(({ language }) => language === 'json')
    expect(configurations.length).toBe(3)
    let servers = 0
    for (const { file = '', text } of configurations) {
      // Each host's own way to fill in values.
      const filled = text
        .replace(/\$\{workspaceFolder\}/g, folder)
        .replace(/\$\{(?:input:kiln-key|env:KILN_API_KEY)\}/g, env.KILN_API_KEY ?? '')
      expect(filled).not.toContain('${')
      const { mcpServers, servers: named } = JSON.parse(filled) as Record<string, Record<string, Entry>>
      for (const entry of Object.values(mcpServers ?? named ?? {})) {
        servers++
        await useEntry(entry, env, join(folder, `made-${servers}.html`), file)
      }
    }
    expect(servers).toBe(4)
  }, 120_000)
})

interface Entry {
  command?: string
  args?: string[]
  env?: Record<string, string>
  url?: string
  headers?: Record<string, string>
}

/** Does with an entry what its host does, and converts. */
async function useEntry(
  entry: Entry,
  env: Record<string, string>,
  output: string,
  host: string,
): Promise<void> {
  const transport: Transport = entry.url
    ? new StreamableHTTPClientTransport(new URL(entry.url), { requestInit: { headers: entry.headers ?? {} } })
    : new StdioClientTransport({
        command: entry.command ?? '',
        args: entry.args ?? [],
        env: { PATH: env.PATH ?? '', ...entry.env },
      })
  const client = new Client({ name: host, version: '1.0.0' })
  try {
    await client.connect(transport)
    const args = entry.url
      ? { from: 'md', to: 'html', text: markdown }
      : { input_path: 'report.md', output_path: output }
    const { structuredContent, content } = await client.callTool({ name: 'convert_file', arguments: args })
    expect(structuredContent, JSON.stringify(content)).toMatchObject({ status: 'done' })
    const made = entry.url ? (structuredContent as { text: string }).text : await readFile(output, 'utf8')
    expect(made).toContain('<em>leaning</em>')
  } finally {
    await client.close()
  }
}
