import { existsSync } from 'node:fs'
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { archives, baseUrl, markdown, newKey, temporaryFolder } from '@kiln/test-support/client-service.ts'
import { repository } from '@kiln/test-support/start-service.ts'
import { beforeAll, describe, expect, test } from 'vitest'
import { version } from '../src/index.ts'
import { run } from './support/run.ts'

// The package as users get it: packed, installed into an empty folder, and used there by every available runtime.

let folder: string
let key: string

beforeAll(async () => {
  folder = await temporaryFolder()
  key = await newKey()
  await writeFile(join(folder, 'package.json'), '{"private":true}')
  await writeFile(join(folder, 'in.md'), markdown)
  const ran = await run('npm', ['install', '--offline', '--no-audit', '--no-fund', archives.client], {
    cwd: folder,
  })
  expect(ran.code, ran.stderr).toBe(0)
})

const installed = (path: string) => join(folder, 'node_modules/@kiln/client', path)
const env = () => ({ KILN_URL: baseUrl, KILN_API_KEY: key })

/** The machine's Node in addition to the project's own, and other runtimes if they are installed. */
const onPath = (name: string): string | undefined =>
  (process.env.PATH ?? '')
    .split(':')
    .filter((place) => !place.includes('node_modules'))
    .map((place) => join(place, name))
    .find((path) => existsSync(path))

const runtimes = [
  { name: 'the project’s Node', command: [process.execPath] },
  ...['node', 'bun'].flatMap((name) => (onPath(name) ? [{ name, command: [onPath(name) as string] }] : [])),
  ...(onPath('deno') ? [{ name: 'deno', command: [onPath('deno') as string, 'run', '-A'] }] : []),
]

const useIt = (out: string) => `
const kiln = new Kiln()
const run = async () => {
  await kiln.convert('in.md', { output: '${out}' })
  const error = await kiln.submit({ pair: 'a-to-b', bytes: 1 }).catch((reason) => reason)
  if (!(error instanceof UnknownPairError)) throw error
  const headers = {
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  }
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
  await verifyWebhook('{"test": 2432232314}', headers, secret, { tolerance: Infinity })
}
run()
`

describe('the package', () => {
  test('needs nothing else, and carries the version that it names', async () => {
    const facts = JSON.parse(await readFile(installed('package.json'), 'utf8')) as Record<string, unknown>
    expect(facts.dependencies).toBeUndefined()
    expect(facts.version).toBe(version)
    const source = await readFile(join(repository, 'packages/client/package.json'), 'utf8')
    expect((JSON.parse(source) as { version: string }).version).toBe(version)
    expect(existsSync(installed('README.md')) && existsSync(installed('LICENSE'))).toBe(true)
  })

  test.each(runtimes)('converts on $name, imported and required', async ({ name, command }) => {
    const [program = '', ...args] = command
    const out = `${name.replace(/\W+/g, '-')}.html`
    const modules = [
      [
        'module.mjs',
        `import { Kiln, UnknownPairError, verifyWebhook } from '@kiln/client'\n${useIt(`esm-${out}`)}`,
      ],
      [
        'script.cjs',
        `const { Kiln, UnknownPairError, verifyWebhook } = require('@kiln/client')\n${useIt(`cjs-${out}`)}`,
      ],
    ] as const
    for (const [file, text] of modules) {
      await writeFile(join(folder, file), text)
      const ran = await run(program, [...args, file], { cwd: folder, env: env() })
      expect(ran, `${name} ${file}`).toMatchObject({ code: 0, stderr: '' })
    }
    expect(await readFile(join(folder, `esm-${out}`), 'utf8')).toMatch(/<em>leaning<\/em>/)
    expect(await readFile(join(folder, `cjs-${out}`), 'utf8')).toMatch(/<em>leaning<\/em>/)
  })

  test('has types for both kinds of module, strictly checked', async () => {
    const text = `
import { Kiln, ConversionFailedError, KilnError, type Progress, type Saved, type Output } from '@kiln/client'
const kiln = new Kiln({ apiKey: 'k' })
export async function use(signal: AbortSignal): Promise<void> {
  const saved: Saved = await kiln.convert('a.docx', { output: 'a.pdf', signal, timeout: 1000 })
  const output: Output = await kiln.convert(new Uint8Array(3), { from: 'docx', to: 'pdf' })
  const stages: Progress['stage'][] = []
  await kiln.resume(saved.jobId, { output: process.stdout, onProgress: ({ stage }) => stages.push(stage) })
  await new Response(output.stream).text()
  const { freeTier } = await kiln.usage()
  const pairs: string[] = (await kiln.formats()).map(({ pair }) => pair)
  try {
    await kiln.upload(await kiln.submit({ pair: pairs[0]!, bytes: freeTier.jobsRemaining }), new Blob([]))
  } catch (error) {
    if (error instanceof ConversionFailedError && error.reason === 'corrupt-input') return
    if (error instanceof KilnError && error.code === 'rate-limited') console.log(error.retryAfter?.toFixed())
    // @ts-expect-error: there is no such code
    if (error instanceof KilnError && error.code === 'no-such-code') return
  }
}
`
    await writeFile(join(folder, 'esm.mts'), text)
    await writeFile(join(folder, 'cjs.cts'), text)
    await mkdir(join(folder, 'node_modules/@types'), { recursive: true })
    for (const name of ['@types/node', 'undici-types']) {
      await symlink(join(repository, 'node_modules', name), join(folder, 'node_modules', name))
    }
    const options = ['--strict', '--noEmit', '--module', 'nodenext', '--target', 'es2022', '--types', 'node']
    const tsc = join(repository, 'node_modules/.bin/tsc')
    const ran = await run(tsc, [...options, '--ignoreConfig', 'esm.mts', 'cjs.cts'], { cwd: folder })
    expect(ran.stdout).toBe('')
    expect(ran.code).toBe(0)
  })

  test('refuses a key in a browser and says why, and lists formats there without one', async () => {
    const page = `<script type="module">
import { Kiln } from '/client.js'
const lines = []
try { new Kiln({ apiKey: 'kiln_live_x', baseUrl: location.origin }) } catch (error) { lines.push(error.message) }
const pairs = await new Kiln({ apiKey: null, baseUrl: location.origin }).formats()
lines.push('pairs: ' + pairs.length)
document.body.textContent = lines.join(' | ')
</script>`
    const library = await readFile(installed('esm/index.js'))
    const server = createServer((request, response) => {
      if (request.url === '/client.js') response.setHeader('content-type', 'text/javascript').end(library)
      else if (request.url === '/v1/formats') response.end('{"pairs":[{}]}')
      else response.setHeader('content-type', 'text/html').end(page)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const flags = ['--headless=new', '--no-sandbox', '--disable-gpu', `--user-data-dir=${folder}/browser`]
    try {
      const ran = await run(
        'chromium',
        [...flags, '--virtual-time-budget=5000', '--dump-dom', `http://127.0.0.1:${port}/`],
        { env: { HOME: folder } },
      )
      expect(ran.stdout).toContain('an API key in a page can be read and spent by everyone who opens it')
      expect(ran.stdout).toContain('pairs: 1')
    } finally {
      server.closeAllConnections()
      server.close()
    }
  })
})
