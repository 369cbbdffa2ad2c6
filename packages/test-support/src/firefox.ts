import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

// Debian's Firefox ESR, driven by WebDriver BiDi, which it serves itself. Playwright drives only its own builds of
// Firefox, and Debian has no geckodriver.

export interface FirefoxPage {
  goto(url: string): Promise<void>
  /** The value of an expression; promises are awaited. Numbers, texts, booleans and null. */
  evaluate(expression: string): Promise<unknown>
  /** Evaluates until the value is true. */
  until(expression: string): Promise<void>
  setFiles(selector: string, paths: string[]): Promise<void>
}

export interface Firefox {
  page: FirefoxPage
  close(): Promise<void>
}

type Result = Record<string, unknown>

export async function startFirefox(): Promise<Firefox> {
  const home = await mkdtemp(join(tmpdir(), 'kiln-firefox-'))
  const args = ['--headless', '--no-remote', '--profile', home, '--remote-debugging-port', '0']
  const browser = spawn('/usr/bin/firefox-esr', args, {
    env: { PATH: process.env.PATH, HOME: home, MOZ_DISABLE_CONTENT_SANDBOX: '1' },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const socket = new WebSocket(`${await listeningAddress(browser)}/session`)
  await once(socket, 'open')
  const send = createSend(socket)
  await send('session.new', { capabilities: {} })
  const { contexts } = await send('browsingContext.getTree', {})
  const context = (contexts as { context: string }[])[0]?.context
  return {
    page: createPage(send, String(context)),
    async close() {
      const ended = once(browser, 'exit')
      await send('browser.close', {}).catch(() => browser.kill('SIGKILL'))
      socket.close()
      await ended
      await rm(home, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

async function listeningAddress(browser: ChildProcess): Promise<string> {
  let output = ''
  for await (const chunk of browser.stderr ?? []) {
    output += chunk
    const address = /WebDriver BiDi listening on (ws:\/\/\S+)/.exec(output)?.[1]
    if (address) return address
  }
  throw new Error(`Firefox did not start: ${output}`)
}

type Send = (method: string, params: object) => Promise<Result>

function createSend(socket: WebSocket): Send {
  const waiting = new Map<number, PromiseWithResolvers<Result>>()
  let last = 0
  socket.addEventListener('message', ({ data }) => {
    const message = JSON.parse(String(data)) as { id?: number; result?: Result; message?: string }
    const call = waiting.get(message.id ?? -1)
    waiting.delete(message.id ?? -1)
    if (message.result) call?.resolve(message.result)
    else call?.reject(new Error(message.message))
  })
  return (method, params) => {
    const call = Promise.withResolvers<Result>()
    waiting.set(++last, call)
    socket.send(JSON.stringify({ id: last, method, params }))
    return call.promise
  }
}

function createPage(send: Send, context: string): FirefoxPage {
  const run = async (expression: string) => {
    const params = { expression, target: { context }, awaitPromise: true }
    const { type, result, exceptionDetails } = await send('script.evaluate', params)
    if (type !== 'success') throw new Error((exceptionDetails as { text: string }).text)
    return result as { value?: unknown; sharedId?: string }
  }
  const evaluate: FirefoxPage['evaluate'] = async (expression) => (await run(expression)).value ?? null
  return {
    evaluate,
    goto: async (url) => void (await send('browsingContext.navigate', { context, url, wait: 'complete' })),
    async until(expression) {
      // Evaluation fails while the page is loading.
      while ((await evaluate(expression).catch(() => false)) !== true)
        await new Promise((resolve) => setTimeout(resolve, 100))
    },
    async setFiles(selector, files) {
      const { sharedId } = await run(`document.querySelector(${JSON.stringify(selector)})`)
      await send('input.setFiles', { context, element: { sharedId }, files })
    },
  }
}
