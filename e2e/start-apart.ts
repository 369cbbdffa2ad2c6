import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '@kiln/test-support/free-port.ts'
import { environment, repository, temporaryFolder } from '@kiln/test-support/start-service.ts'

// API and worker as separate processes, on a shared PostgreSQL and S3 bucket.

export interface ServiceApart {
  origin: string
  baseUrl: string
  settings: Record<string, string>
  stop(): Promise<void>
}

const readyWithinMs = 90_000

const start = (program: string, settings: Record<string, string>, ...args: string[]) =>
  spawn(process.execPath, [program, ...args], {
    cwd: repository,
    env: environment(settings),
    stdio: ['pipe', 'pipe', 'inherit'],
  })

/** Waits for a line of the program that fits. */
const lineOf = async (child: ChildProcess, fits: (line: string) => boolean): Promise<string> => {
  if (!child.stdout) throw new Error('The program says nothing.')
  for await (const line of createInterface({ input: child.stdout })) {
    if (fits(line)) return line
  }
  throw new Error(`${child.spawnargs.at(1)} ended before it was ready.`)
}

const end = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.stdout?.resume()
  child.kill('SIGTERM')
  await ended
}

export const startApart = async (): Promise<ServiceApart> => {
  await using stack = new AsyncDisposableStack()
  const own = (child: ChildProcess) => {
    stack.defer(() => end(child))
    return child
  }
  const held = own(start('packages/server/test/support/serve-postgres-and-bucket.ts', {}))
  const shared = JSON.parse(await lineOf(held, (line) => line.startsWith('{'))) as Record<string, string>
  const folder = await temporaryFolder()
  stack.defer(() => rm(folder, { recursive: true, force: true }))

  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  const ofWorker = {
    DATABASE_URL: shared.DATABASE_URL ?? '',
    KILN_DATA_DIR: folder,
    KILN_WORKER_TOKEN: 'a-token-that-workers-have-in-common',
    KILN_WORKER_API_URL: origin,
  }
  const settings = {
    ...shared,
    KILN_WORKER_TOKEN: ofWorker.KILN_WORKER_TOKEN,
    KILN_DATA_DIR: folder,
    KILN_PUBLIC_URL: origin,
    KILN_STOP_NOTICE_SECONDS: '0',
  }
  own(start('packages/server/src/main-api.ts', { ...settings, KILN_PORT: String(port) })).stdout?.resume()
  const worker = own(start('packages/server/src/main-worker.ts', ofWorker, '--lanes', 'document'))
  await lineOf(worker, (line) => line.includes('worker is ready'))
  const deadline = Date.now() + readyWithinMs
  while (
    !(await fetch(`${origin}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    ))
  ) {
    if (Date.now() > deadline) throw new Error('The API was not ready in time.')
    await sleep(50)
  }
  const opened = stack.move()
  return { origin, baseUrl: `${origin}/api`, settings, stop: () => opened.disposeAsync() }
}
