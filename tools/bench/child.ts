import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

// Servers under measurement run in separate processes, so that the load generator does not use their CPU time. Parent
// and child exchange requests and responses over Node's IPC channel.

export interface Child {
  pid: number
  ask<Answer = void>(name: string, argument?: unknown): Promise<Answer>
  stop(): Promise<void>
}

interface Question {
  id: number
  name: string
  argument: unknown
}

interface Answer {
  id: number
  value?: unknown
  error?: string
}

export type Handlers = Record<string, (argument: never) => unknown>

const compileCache = fileURLToPath(new URL('../../.setup/compile-cache', import.meta.url))

/** The flags that `npm run api` passes to Node. */
function serverFlags(): string[] {
  const { scripts } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
    scripts: { api: string }
  }
  const words = scripts.api.split(' ')
  const node = words.findIndex((word) => word.endsWith('/node'))
  return words.slice(node + 1).filter((word) => word.startsWith('--'))
}

/** Starts a file of servers/ and waits until it is ready. */
export async function startChild(file: string, settings: object): Promise<Child> {
  const path = fileURLToPath(new URL(`./servers/${file}`, import.meta.url))
  const child = fork(path, [JSON.stringify(settings)], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    execArgv: serverFlags(),
    // As with `npm start`: the second start of a program needs less time and memory.
    env: { ...process.env, NODE_COMPILE_CACHE: compileCache },
  })
  const waiting = new Map<number, PromiseWithResolvers<unknown>>()
  child.on('message', ({ id, value, error }: Answer) => {
    if (error === undefined) waiting.get(id)?.resolve(value)
    else waiting.get(id)?.reject(new Error(`${file}: ${error}`))
    waiting.delete(id)
  })
  child.once('exit', (code) => {
    for (const { reject } of waiting.values()) reject(new Error(`${file} ended with code ${code}.`))
  })
  let lastId = 0
  const ask = <Value>(name: string, argument?: unknown) => {
    const answer = Promise.withResolvers<unknown>()
    lastId += 1
    waiting.set(lastId, answer)
    child.send({ id: lastId, name, argument } satisfies Question)
    return answer.promise as Promise<Value>
  }
  await ask('ready')
  return { pid: child.pid as number, ask, stop: () => stop(child, ask) }
}

export async function endProcess(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill(signal)
  await ended
}

async function stop(child: ChildProcess, ask: (name: string) => Promise<unknown>): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  const alarm = setTimeout(() => child.kill('SIGKILL'), 10_000)
  // The child may exit before it answers.
  ask('close').catch(() => {})
  await ended
  clearTimeout(alarm)
}

/** The child's side. Requests are answered once `start` has finished. */
export function answerParent<Settings>(
  start: (settings: Settings) => Promise<{ handlers: Handlers; close: () => Promise<void> }>,
): void {
  const settings = JSON.parse(process.argv[2] ?? '{}') as Settings
  const started = start(settings)
  const answer = async ({ name, argument }: Question): Promise<unknown> => {
    const { handlers, close } = await started
    if (name === 'ready') return null
    if (name === 'close') return close().then(() => setImmediate(() => process.exit(0)))
    const handler = handlers[name]
    if (!handler) throw new Error(`There is no handler for "${name}".`)
    return handler(argument as never)
  }
  process.on('message', (question: Question) => {
    answer(question).then(
      (value) => process.send?.({ id: question.id, value }),
      (error: unknown) => process.send?.({ id: question.id, error: String(error) }),
    )
  })
  // Exits with its parent.
  process.on('disconnect', () => process.exit(1))
}
