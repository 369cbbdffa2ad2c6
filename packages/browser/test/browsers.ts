import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { promisify } from 'node:util'
import { startFirefox } from '@kiln/test-support/firefox.ts'
import { repository } from '@kiln/test-support/start-service.ts'
import { type Browser, chromium } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'

// The package as others get it: packed, installed into an empty Vite project without the network, built, and used by a
// page in Debian's Chromium and Firefox ESR.

const run = promisify(execFile)

export interface InputFile {
  name: string
  bytes: Uint8Array
}

export interface Output {
  bytes: Buffer
  type: string
}

export interface Failure {
  code: string
  message: string
}

export interface TestPage {
  /** The value of an expression; promises are awaited. Texts, numbers, booleans and null. */
  evaluate(expression: string): Promise<unknown>
  convert(files: InputFile | readonly InputFile[], to: string, options?: object): Promise<Output>
  /** The error of a conversion that fails. */
  failure(files: InputFile | readonly InputFile[], to: string, options?: object): Promise<Failure>
}

export interface TestBrowsers {
  chromium: TestPage
  firefox: TestPage
  /** Where the package is installed. */
  folder: string
  /** Requests of the browsers other than those for the program itself. */
  requests: string[]
  /** The most memory that Chromium's page takes while something runs, in bytes. */
  peakMemory(run: () => Promise<unknown>): Promise<number>
}

const program = `import { BrowserConversionError, browserTargets, convertInBrowser } from '@kiln/browser'
const fileOf = ({ name, base64 }) =>
  new File([Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))], name)
window.start = (files, to, options = {}) => {
  const inputs = files.map(fileOf)
  return convertInBrowser(inputs.length === 1 ? inputs[0] : inputs, to, options)
}
window.targets = browserTargets
window.convert = async (...order) => {
  try {
    const blob = await window.start(...order)
    const bytes = new Uint8Array(await blob.arrayBuffer())
    let text = ''
    for (let at = 0; at < bytes.length; at += 32768) text += String.fromCharCode(...bytes.subarray(at, at + 32768))
    return JSON.stringify({ type: blob.type, base64: btoa(text) })
  } catch (error) {
    const { code = error.name, message } = error
    return JSON.stringify({ failure: { code, message, isOurs: error instanceof BrowserConversionError } })
  }
}
`

const html =
  '<!doctype html><meta charset="utf-8"><title>Test</title><script type="module" src="/main.js"></script>'

export function useBrowsers(): TestBrowsers {
  const browsers = { requests: [] as string[] } as TestBrowsers
  const closing: (() => Promise<unknown>)[] = []
  beforeAll(async () => {
    const folder = await mkdtemp(join(tmpdir(), 'kiln-browser-'))
    closing.push(() => rm(folder, { recursive: true, force: true }))
    await installInto(folder)
    const server = await serve(join(folder, 'dist'), browsers.requests)
    closing.push(async () => server.close().closeAllConnections())
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
    const [chrome, firefox] = await Promise.all([
      chromium.launch({ executablePath: '/usr/bin/chromium-headless-shell', args: ['--no-sandbox'] }),
      startFirefox(),
    ])
    closing.push(
      () => chrome.close(),
      () => firefox.close(),
    )
    const page = await chrome.newPage()
    page.on('request', (request) => {
      if (!request.url().startsWith(url) && !/^(data|blob):/.test(request.url()))
        browsers.requests.push(`${request.method()} ${request.url()}`)
    })
    await page.goto(url)
    await firefox.page.goto(url)
    browsers.folder = folder
    browsers.peakMemory = await memoryOf(chrome)
    browsers.chromium = createTestPage((expression) => page.evaluate(expression))
    browsers.firefox = createTestPage(firefox.page.evaluate)
  })
  afterAll(async () => {
    for (const close of closing.reverse()) await close()
  })
  return browsers
}

async function memoryOf(chrome: Browser): Promise<TestBrowsers['peakMemory']> {
  const session = await chrome.newBrowserCDPSession()
  const { processInfo } = await session.send('SystemInfo.getProcessInfo')
  const pids = processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => id)
  return async (run) => {
    // Linux resets the peak.
    for (const pid of pids) await writeFile(`/proc/${pid}/clear_refs`, '5')
    await run()
    const statuses = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/status`, 'utf8')))
    return Math.max(...statuses.map((status) => 1024 * Number(/^VmHWM:\s+(\d+)/m.exec(status)?.[1])))
  }
}

async function installInto(folder: string): Promise<void> {
  const { stdout } = await run(process.execPath, ['scripts/pack.ts', folder, 'browser'], { cwd: repository })
  await writeFile(join(folder, 'package.json'), '{"private":true,"type":"module"}')
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', stdout.trim()], { cwd: folder })
  await writeFile(join(folder, 'index.html'), html)
  await writeFile(join(folder, 'main.js'), program)
  // Without its worker setting Vite builds workers that cannot load code on demand.
  await writeFile(join(folder, 'vite.config.js'), "export default { worker: { format: 'es' } }")
  await run(join(repository, 'node_modules/.bin/vite'), ['build', '--logLevel', 'warn'], { cwd: folder })
}

const mediaTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.wasm': 'application/wasm',
}

/** Serves the program. Anything else that is asked for is noted. */
async function serve(folder: string, requests: string[]): Promise<Server> {
  const server = createServer(async (request, response) => {
    const path = request.url === '/' ? '/index.html' : String(request.url)
    // A missing file is answered with 404 below.
    const content = await readFile(join(folder, path)).catch(() => null)
    if (request.method !== 'GET' || (!content && path !== '/favicon.ico'))
      requests.push(`${request.method} ${path}`)
    if (!content) return response.writeHead(404).end()
    return response
      .setHeader('content-type', mediaTypes[extname(path)] ?? 'application/octet-stream')
      .end(content)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return server
}

function createTestPage(evaluate: TestPage['evaluate']): TestPage {
  const call = async (files: InputFile | readonly InputFile[], to: string, options: object = {}) => {
    const inputs = [files].flat().map(({ name, bytes }) => ({ name, base64: base64(bytes) }))
    const order = [inputs, to, options].map((part) => JSON.stringify(part)).join(', ')
    return JSON.parse(String(await evaluate(`window.convert(${order})`))) as Partial<{
      type: string
      base64: string
      failure: Failure & { isOurs: boolean }
    }>
  }
  return {
    evaluate,
    async convert(files, to, options) {
      const { type = '', base64 = '', failure } = await call(files, to, options)
      if (failure) throw new Error(`${failure.code}: ${failure.message}`)
      return { type, bytes: Buffer.from(base64, 'base64') }
    },
    async failure(files, to, options) {
      const { failure, type } = await call(files, to, options)
      if (!failure?.isOurs) throw new Error(failure?.message ?? `It became ${type}.`)
      return { code: failure.code, message: failure.message }
    },
  }
}

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')
